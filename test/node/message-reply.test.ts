import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeParameters,
	IWorkflowSettings,
} from 'n8n-workflow';
import { BotMessaging } from '../../nodes/BotMessaging/BotMessaging.node';
import { BotMessagingTrigger } from '../../nodes/BotMessaging/BotMessagingTrigger.node';
import { leadingTo, nodeOf } from '../support/node';
import { castForAllTests } from './operations/cast';
import { NO_LIMITS } from '../platform';
import { PassThrough } from './support/nodeTypes';
import { Stage } from './support/stage';
import { runTool } from './support/tool';
import { runWorkflow } from './support/workflow';

const stage = Stage.forAllTests({ limits: NO_LIMITS });
const cast = castForAllTests(stage);

/** Name of the second trigger. Two braces would end an expression that holds it. */
const MORE = 'More {{ or }} fewer';

/**
 * A step that hands on nothing of what it is given, and of a single item not even where it came from. Items that say so
 * become one.
 */
class Work extends PassThrough {
	override async execute(this: IExecuteFunctions) {
		const given = this.getInputData();
		const sources = given.map((_, item) => ({ item: given.length > 1 ? item : 9 }));
		const isJoined = given.some(({ json }) => json.isJoined);
		const items = (isJoined ? [sources] : sources).map((pairedItem) => ({ json: {}, pairedItem }));
		return await Promise.resolve([items]);
	}
}

/**
 * Runs a workflow in which a node sends a message, after one trigger, or after another one and a step. It starts
 * at the node `first` with `events`: at one of the triggers, or at the step.
 */
async function reply(
	events: INodeExecutionData[],
	send: INodeParameters,
	first = 'Events',
	settings?: IWorkflowSettings,
) {
	const message = {
		resource: 'message',
		operation: 'send',
		chat_id: cast.group,
		text: 'Answer',
		...send,
	};
	const credentials = { botMessagingApi: { id: '1', name: 'Bot' } };
	return await runWorkflow({
		workflow: {
			nodes: [
				nodeOf({ id: 'Events', name: 'Events', type: 'botMessagingTrigger', typeVersion: 2 }),
				nodeOf({ id: 'More', name: MORE, type: 'botMessagingTrigger', typeVersion: 2 }),
				nodeOf({ id: 'Work', name: 'Work', type: 'work' }),
				nodeOf({ id: 'Send', name: 'Send', parameters: message, credentials }),
			],
			connections: {
				Events: leadingTo('Work'),
				[MORE]: leadingTo('Send'),
				Work: leadingTo('Send'),
			},
			settings,
		},
		nodeTypes: {
			botMessagingTrigger: new BotMessagingTrigger(),
			botMessaging: new BotMessaging(),
			work: new Work(),
		},
		start: first,
		credentials: stage.credentials,
		items: events,
	});
}

const linkOfNewest = async () => (await stage.control.messages(cast.group, 1))[0]?.link;

test.each([
	['simplified', () => ({ message_id: cast.message })],
	['raw', () => ({ message: { body: { mid: cast.message } } })],
])(
	'Reply To → Triggering Message replies to the message of the event: %s',
	async (_name, event) => {
		const { error } = await reply([{ json: event() }], { reply_to: 'trigger' });
		expect(error).toBeUndefined();
		expect(await linkOfNewest()).toMatchObject({ type: 'reply', message: { mid: cast.message } });
	},
);

test.each(['Events', MORE])(
	'With two triggers, the one that started the workflow counts: %s',
	async (first) => {
		const { error } = await reply(
			[{ json: { message_id: cast.message } }],
			{ reply_to: 'trigger' },
			first,
		);
		expect(error).toBeUndefined();
		expect(await linkOfNewest()).toMatchObject({ type: 'reply', message: { mid: cast.message } });
	},
);

test.each([
	['something other than the trigger started the workflow', 'Work', {}, "'Nothing'"],
	[
		'the ID of the message is not among the selected fields',
		'Events',
		{ event: 'message_created', text: 'Hello' },
		"add 'Message ID' to its 'Fields'",
	],
])('The error says what to do if %s', async (_, first, json, advice) => {
	const { error } = await reply([{ json }], { reply_to: 'trigger' }, first);
	expect(error).toMatchObject({
		message: 'Reply To finds no message in the event that started the workflow',
		description: expect.stringContaining(advice),
	});
});

// In n8n's newest Execution Logic, an expression gets the JSON of an item in place of the item.
describe.each(['separate', 'combined'] as const)('If n8n keeps files %s', (binaryMode) => {
	const replyToEvents = async (mids: string[]) => {
		const events = mids.map((message_id) => ({ json: { message_id } }));
		const { error } = await reply(events, { reply_to: 'trigger' }, 'Events', { binaryMode });
		expect(error).toBeUndefined();
		const newest = await stage.control.messages(cast.group, mids.length);
		return newest.map(({ link }) => link).reverse();
	};

	test('a message replies to the event', async () => {
		expect(await replyToEvents([cast.message])).toMatchObject([{ message: { mid: cast.message } }]);
	});

	test('with several events, each message replies to its own', async () => {
		expect(await replyToEvents([cast.message, cast.keyboard])).toMatchObject([
			{ message: { mid: cast.message } },
			{ message: { mid: cast.keyboard } },
		]);
	});
});

test('The error says what to do if an item came from several events', async () => {
	const events = [cast.message, cast.keyboard].map((message_id) => ({
		json: { message_id, isJoined: true },
	}));
	const { error } = await reply(events, { reply_to: 'trigger' });
	expect(error).toMatchObject({
		message: 'Reply To cannot tell which event this item came from',
		description: expect.stringContaining("'Message ID'"),
	});
});

test('Reply To → Message ID replies to any message, and Nothing to none', async () => {
	await reply([{ json: {} }], { reply_to: 'id', reply_to_message_id: cast.keyboard });
	expect(await linkOfNewest()).toMatchObject({ type: 'reply', message: { mid: cast.keyboard } });
	await reply([{ json: { message_id: cast.message } }], {});
	expect(await linkOfNewest()).toBeUndefined();
});

test.each<[string, object, INodeParameters, RegExp]>([
	[
		'an event without a message',
		{ event: 'bot_started' },
		{ reply_to: 'trigger' },
		/finds no message/,
	],
	[
		'an ID whose expression gives nothing',
		{},
		{ reply_to: 'id', reply_to_message_id: '={{ $json.nope }}' },
		/^Reply to Message ID is empty: its expression gave nothing/,
	],
	[
		'a reply that is also a forward',
		{ message_id: 'mid.1' },
		{ reply_to: 'trigger', options: { forward_message_id: 'mid.2' } },
		/^Forward Message ID cannot be combined/,
	],
])('Refuses %s before anything is sent', async (_what, event, send, message) => {
	await stage.control.clearJournal();
	const { error } = await reply([{ json: { ...event } }], send);
	expect(error?.message).toMatch(message);
	expect(await stage.control.journal({ kind: 'request' })).toEqual([]);
});

test('In the tool of an agent, it replies to the message that the agent got', async () => {
	const { callError } = await runTool({
		node: new BotMessaging(),
		parameters: {
			resource: 'message',
			operation: 'send',
			chat_id: cast.group,
			text: "={{ $fromAI('text') }}",
			reply_to: 'trigger',
		},
		args: { text: 'Answer' },
		credentials: stage.credentials,
		route: 'engine',
		trigger: new BotMessagingTrigger(),
		items: [{ json: { message_id: cast.message } }],
	});
	expect(callError).toBeUndefined();
	expect(await linkOfNewest()).toMatchObject({ type: 'reply', message: { mid: cast.message } });
});

test('Forward Message ID forwards a message, which needs no text, also if an expression was to give one', async () => {
	const { error } = await stage.run({
		resource: 'message',
		chat_id: cast.group,
		text: '={{ $json.nope }}',
		options: { forward_message_id: cast.message },
	});
	expect(error).toBeUndefined();
	expect(await linkOfNewest()).toMatchObject({ type: 'forward', message: { mid: cast.message } });
});

test('An expression in Forward Message ID that gave nothing is named if there is nothing else to send', async () => {
	const message = { resource: 'message', chat_id: cast.group };
	const options = { forward_message_id: '={{ $json.nope }}' };
	const { error } = await stage.run({ ...message, options });
	expect(error?.message).toBe(
		'Forward Message ID is empty: its expression gave nothing for this item',
	);
	const withText = await stage.run({ ...message, text: 'Without a forward', options });
	expect(withText.error).toBeUndefined();
});

test('The error says what to do if there is no trigger before the node', async () => {
	const { error } = await stage.run({
		resource: 'message',
		chat_id: cast.group,
		text: 'Answer',
		reply_to: 'trigger',
	});
	expect(error).toMatchObject({
		message: 'Reply To finds no Bot Messaging Trigger before this node',
		description: expect.stringContaining("'Message ID'"),
	});
});

test.each<[RegExp, INodeParameters]>([
	[/^Check the ID to reply to:/, { reply_to: 'id', reply_to_message_id: 'mid.gone' }],
	[/^Check 'Forward Message ID':/, { options: { forward_message_id: 'mid.gone' } }],
])('The error says which message the service does not find: %s', async (advice, fields) => {
	const message = { resource: 'message', chat_id: cast.group, text: 'Answer' };
	const { error } = await stage.run({ ...message, ...fields });
	expect(error?.message).toBe('Message mid.gone not found');
	expect(error?.description).toMatch(advice);
});

test('The error says that a reply needs a message of the same chat', async () => {
	const { error } = await stage.run({
		resource: 'message',
		chat_id: cast.dialog,
		text: 'Answer',
		reply_to: 'id',
		reply_to_message_id: cast.message,
	});
	expect(error?.description).toMatch(/^Check the ID to reply to: .* another chat/);
});

test('The error does not blame a reply for a post that the service does not find', async () => {
	const { error } = await stage.run({
		resource: 'comment',
		operation: 'create',
		message_id: 'mid.gone',
		text: 'Answer',
		options: { reply_to_comment_id: cast.comment },
	});
	expect(error?.message).toBe('Message mid.gone not found');
	expect(error?.description).toMatch(/^Check 'Message ID', or 'Post ID'/);
});
