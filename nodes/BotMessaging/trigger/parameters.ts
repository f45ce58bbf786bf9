import type {
	IExecuteFunctions,
	IHookFunctions,
	INodeProperties,
	ITriggerFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { downloadOptions } from '../form/download';
import { optionsField } from '../form/options';
import { Form, labelsOf } from '../form/form';
import { EVENTS } from '../events/events';
import { filterFields } from './filterFields';

/** Any of the contexts that n8n gives to the methods of the trigger node. */
export type TriggerContext =
	IHookFunctions | IWebhookFunctions | ITriggerFunctions | IExecuteFunctions;

/** Stands for every type of event, also those that the service may add. */
const ALL = '*';

/** Name of the switch for downloads. */
export const DOWNLOAD = 'download_attachments';

const POLLING = 'polling';
const WEBHOOK = 'webhook';

const eventOptions = Object.entries(EVENTS).map(([value, { name, description }]) => ({
	name,
	value,
	description,
}));

const secretField: INodeProperties = {
	displayName: 'Secret',
	name: 'secret',
	type: 'string',
	typeOptions: { password: true },
	default: '',
	description:
		'What the service has to send with every event, 5 to 256 letters, digits, underscores and hyphens. Without it a secret is made from the token of the bot. Used with webhooks only.',
};

const optionFields: INodeProperties[] = [
	...downloadOptions.map((option) => ({
		...option,
		displayOptions: { show: { [`/${DOWNLOAD}`]: [true] } },
	})),
	secretField,
];

/** The form of the trigger node. */
export const triggerProperties: INodeProperties[] = [
	{
		displayName: 'Events',
		name: 'events',
		type: 'multiOptions',
		required: true,
		options: [
			{ name: 'All', value: ALL, description: 'Every event, also types that are added later' },
			...eventOptions,
		],
		default: ['message_created', 'message_callback', 'bot_started'],
		description:
			'Events that start the workflow. Those of group chats and channels arrive once the bot is an administrator there with the right to read all messages.',
	},
	{
		displayName: 'Receive By',
		name: 'delivery',
		type: 'options',
		options: [
			{
				name: 'Webhook',
				value: WEBHOOK,
				description: 'The service calls this n8n, which needs a public https:// address',
			},
			{
				name: 'Long Polling',
				value: POLLING,
				description:
					'This n8n asks the service for events: for development, or without a public address',
			},
		],
		default: WEBHOOK,
		description: 'How events reach this n8n',
	},
	{
		displayName:
			'Polling works only while the bot has no webhook subscription, and for one workflow per bot.',
		name: 'pollingNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { delivery: [POLLING] } },
	},
	{
		displayName: 'Simplify',
		name: 'simplify',
		type: 'boolean',
		default: true,
		description: 'Whether to return a simplified version of the response instead of the raw data',
	},
	{
		displayName: 'Download Attachments',
		name: DOWNLOAD,
		type: 'boolean',
		default: false,
		description:
			'Whether to download the images, videos, audio and files of a message into binary fields, after the service was told that the event arrived',
	},
	...filterFields,
	optionsField(optionFields),
];

const labels = labelsOf(triggerProperties);

/** The filled-in form of the trigger node. */
export const formOf = (context: TriggerContext): Form =>
	new Form(context.getNode(), labels, (name) => context.getNodeParameter(name, null));

/** Names a trigger in this process. */
export const triggerKey = (context: TriggerContext): string =>
	`${context.getWorkflow().id}/${context.getNode().id}`;

/** Event types to subscribe; an empty list stands for all. */
export function chosenEvents(context: TriggerContext): string[] {
	const chosen = formOf(context).texts('events');
	return chosen.includes(ALL) ? [] : chosen;
}

/** Whether this trigger asks for events instead of being called. */
export const polls = (context: TriggerContext): boolean =>
	context.getNodeParameter('delivery', WEBHOOK) === POLLING;
