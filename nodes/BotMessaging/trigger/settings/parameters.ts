import type {
	IExecuteFunctions,
	IHookFunctions,
	INodeProperties,
	ITriggerFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { eventDownloadOptions, eventDownloadSettings } from '../../form/download';
import { eventOutputFields, eventTypeChoices, viewOf } from '../../form/simplify';
import {
	choice,
	choicesField,
	labelsOf,
	menuField,
	noticeField,
	optionsField,
	showWhen,
	stringField,
	switchField,
} from '../../form/fields';
import { NO_INPUT } from '../../form/advice';
import { Form } from '../../form/form';
import { reasonOf } from '../../service/failure';
import { dispatcherOptions, readPolicy } from './dispatcherOptions';
import { filtersField, readFilters } from './filters';

/** Any context that n8n passes to the methods of the trigger node. */
export type TriggerContext =
	IHookFunctions | IWebhookFunctions | ITriggerFunctions | IExecuteFunctions;

/** Stands for every event type, including types that the service may add later. */
const ALL = '*';

const DOWNLOAD = 'download_attachments';

/** Path of the triggers' webhooks. Unique to this package, so leftover subscriptions can be recognized by it. */
export const WEBHOOK_PATH = 'bot-messaging';

const POLLING = 'polling';

const anyEvent = {
	...choice('Any Event', ALL, 'Every event, also of types that the service may add'),
	action: 'On any event',
};

const secretField = stringField('Secret', 'secret', {
	typeOptions: { password: true },
	description:
		"What the service has to send with every event, 5 to 256 letters, digits, underscores and hyphens. If empty, a secret that nobody knows is derived from the token of the bot. Whoever knows the secret can send events in anybody's name, answers to Send and Wait included. Used with webhooks only.",
});

const agentField = menuField(
	'Output for AI Agents',
	'agent_session',
	{
		default: 'chat',
		description:
			"Adds 'chatInput' (what the person wrote, or the payload of the button) and 'sessionId', which agents and memories look for",
	},
	[
		choice(
			'Session per Chat',
			'chat',
			'All people of a chat share one conversation with the agent',
		),
		choice(
			'Session per Person and Chat',
			'person',
			'Each person has a conversation of their own in each chat',
		),
	],
);

const deliveryField = menuField(
	'Receive By',
	'delivery',
	{ default: 'webhook', description: 'How events reach this n8n' },
	[
		choice(
			'Webhook',
			'webhook',
			'The service calls this n8n, which needs a public https:// address',
		),
		choice(
			'Long Polling',
			POLLING,
			'This n8n asks the service for events: for development, or without a public address',
		),
	],
);

const eventsField = choicesField('Events', 'events', {
	required: true,
	options: [anyEvent, ...eventTypeChoices],
	default: ['message_created', 'message_callback', 'bot_started'],
	description:
		'Events that start the workflow. What people do in group chats and channels arrives once the bot is an administrator there with the right to read all messages.',
});

export const triggerProperties: INodeProperties[] = [
	noticeField(
		'Every published workflow with this trigger gets all events of the bot. If two of them answer, people get two answers: use one workflow per bot, or separate them by events and filters.',
		'one_workflow_notice',
	),
	eventsField,
	deliveryField,
	noticeField(
		'Polling works only while the bot has no webhook subscription, and for one workflow per bot',
		'pollingNotice',
		{ displayOptions: { show: { delivery: [POLLING] } } },
	),
	...eventOutputFields,
	switchField('Download Attachments', DOWNLOAD, {
		description:
			'Whether to download the images, videos, audio and files of a message, and of the message that it replies to or forwards, into binary fields. The workflow starts when the files are there; files that cannot be downloaded are listed in the item.',
	}),
	filtersField,
	optionsField([
		...dispatcherOptions,
		...showWhen({ [`/${DOWNLOAD}`]: [true] }, eventDownloadOptions),
		agentField,
		secretField,
	]),
];

const eventNames = Object.fromEntries(
	[anyEvent, ...eventTypeChoices].map(({ name, value }) => [value, name]),
);

/** Expression for the labels of the chosen events, shown below the node in the editor. */
export const eventLabels = `={{ [$parameter["${eventsField.name}"]].flat().map((type) => (${JSON.stringify(eventNames)})[type] ?? type).join(", ") }}`;

const labels = labelsOf(triggerProperties);

/** The filled-in form of the trigger node. A field whose expression fails is refused by its label. */
export function formOf(context: TriggerContext): Form {
	const form: Form = new Form(context.getNode(), labels, (name) => {
		try {
			return context.getNodeParameter(name, null);
		} catch (error) {
			return form.refuse(name, `has an expression that fails: ${reasonOf(error)}`, NO_INPUT);
		}
	});
	return form;
}

/** The secret set in the form; empty when there is none. */
export const givenSecret = (context: TriggerContext): string =>
	String(context.getNodeParameter('options.secret', '') ?? '');

/** Key of a trigger, the same in every context. */
export const triggerKey = (context: Pick<TriggerContext, 'getWorkflow' | 'getNode'>): string =>
	`${context.getWorkflow().id}/${context.getNode().id}`;

/** Event types to subscribe; an empty list stands for all. */
export function chosenEvents(context: TriggerContext): string[] {
	const form = formOf(context);
	const chosen = form.choices(eventsField);
	if (chosen.length === 0) {
		form.refuseEmpty(
			eventsField.name,
			"Choose the events that start the workflow, or 'Any Event'.",
		);
	}
	return chosen.includes(ALL) ? [] : chosen;
}

/** What the items of events hold. Without `download`, no attachments; without `session`, no fields for AI agents. */
export function readOutput(form: Form) {
	const options = form.options;
	return {
		view: viewOf(form),
		download: form.flag(DOWNLOAD) ? eventDownloadSettings(options) : undefined,
		session: options.has(agentField.name) ? options.choice(agentField) : undefined,
	};
}

/** Which events start the workflow, and when. The output has to be usable as well when it is published. */
export function readTriggerSettings(context: TriggerContext) {
	const form = formOf(context);
	const events = chosenEvents(context);
	const passes = readFilters(form, events);
	// Each execution reads the output for itself; refused here, it fails none of them.
	const { download } = readOutput(form);
	return {
		events,
		passes,
		policy: readPolicy(form, download !== undefined),
		typing: form.options.flag('typing') === true,
		secret: givenSecret(context),
	};
}

export type TriggerSettings = ReturnType<typeof readTriggerSettings>;

/** Whether this trigger polls for events instead of receiving webhooks. */
export const polls = (context: TriggerContext): boolean =>
	formOf(context).choice(deliveryField) === POLLING;

/** Whether n8n starts the trigger by itself, with nobody there to see an error. */
export const isAutomatic = (context: IHookFunctions | ITriggerFunctions): boolean =>
	['init', 'leadershipChange'].includes(context.getActivationMode());
