import type { INodeProperties } from 'n8n-workflow';
import { choice, menuField, numberField, switchField } from '../../form/fields';
import type { Form } from '../../form/form';

/** When events start executions. */
export interface Policy {
	/** Whether the next event of a chat waits for the execution of the one before it. */
	inOrder: boolean;
	/** Longest wait for the end of the execution of the event before once it has begun, in ms. */
	longestWaitMs: number;
	/** Shortest wait for earlier events of its chat that may have been overtaken, in ms; 0 if they come in order. */
	settleMs: number;
	/** How long a person has to be quiet until their messages start one execution, in ms; 0 collects nothing. */
	quietMs: number;
	/** Whether events that arrive while n8n stores an execution go into the next one together. */
	together: boolean;
	/** Whether executions load files before their first step, which may take minutes. */
	loadsFiles: boolean;
}

/** Events of one burst overtake each other by a few ms on the way, even when n8n is idle. */
const SETTLE_MS = 20;

/** Longest time that a message is held back for more of the same person, in ms. */
export const LONGEST_COLLECTION_MS = 20_000;

const LONGEST_COLLECTION_SECONDS = LONGEST_COLLECTION_MS / 1000;

const orderField = menuField(
	'Events of One Chat',
	'order',
	{
		default: 'in_order',
		description:
			'Whether events of one chat wait for each other; different chats never do. If n8n receives webhooks in separate processes (n8n webhook) or in several main processes, the order cannot be kept.',
	},
	[
		choice(
			'All at Once',
			'at_once',
			'Every event starts its execution at once, so later ones may overtake earlier ones',
		),
		choice(
			'One After the Other',
			'in_order',
			'The next event of a chat starts when the execution before it has ended or begun to wait',
		),
	],
);

const longestWaitField = numberField('Longest Wait (Minutes)', 'longest_wait', {
	typeOptions: { minValue: 0.01, maxValue: 60 },
	default: 5,
	displayOptions: { hide: { order: ['at_once'] } },
	description:
		'How long the next event of a chat waits for an execution that does not end. Until it has started, the service delivers it again from time to time.',
});

const collectionField = numberField('Wait for More Messages', 'collect_seconds', {
	typeOptions: { minValue: 0, maxValue: LONGEST_COLLECTION_SECONDS },
	default: 3,
	hint: 'In seconds',
	description: `How many seconds a person has to be quiet before their messages in a chat start one execution, with an item for each message and all texts in the field 'collected_text'. It starts after ${LONGEST_COLLECTION_SECONDS} seconds at the latest. Works wherever 'Events of One Chat' does.`,
});

/** Options of the trigger that control when events start executions. */
export const dispatcherOptions: INodeProperties[] = [
	orderField,
	longestWaitField,
	switchField('Several Events per Execution', 'several_events', {
		default: true,
		description:
			'Whether events that arrive while n8n stores an execution become items of the next one, even if they are from different chats: for many events per second',
	}),
	switchField('Show Typing While Running', 'typing', {
		default: true,
		description:
			'Whether to show people in the chat that the bot is typing when the workflow takes longer than half a second, until it writes there or the execution ends',
	}),
	collectionField,
];

/** Reads the policy from the form. `loadsFiles`: see Policy. */
export function readPolicy(form: Form, loadsFiles: boolean): Policy {
	const options = form.options;
	const minutes = options.number(longestWaitField) ?? longestWaitField.default;
	return {
		inOrder: options.choice(orderField) === 'in_order',
		longestWaitMs: minutes * 60_000,
		settleMs: SETTLE_MS,
		quietMs: collectionMs(form),
		together: options.flag('several_events') === true,
		loadsFiles,
	};
}

/** How long a person has to be quiet until their messages start an execution, in ms; 0 when nothing is collected. */
export function collectionMs(form: Form): number {
	const advice =
		'The service waits half a minute for an answer, and is answered when the execution begins.';
	return (form.options.number(collectionField, advice) ?? 0) * 1000;
}
