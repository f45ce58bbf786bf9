import type { INodeParameters } from 'n8n-workflow';
import { BotMessaging } from '../../../nodes/BotMessaging/BotMessaging.node';
import { leadingTo, nodeOf } from '../../support/node';
import { toWorkflowNode } from '../support/engine';
import { PassThrough } from '../support/nodeTypes';
import { NO_LIMITS } from '../../platform/options';
import { Stage } from '../support/stage';
import { runWorkflow } from '../support/workflow';

const stage = Stage.forEachTest({ limits: NO_LIMITS });

const retries = { retryOnFail: true, waitBetweenTries: 1 };

const send: INodeParameters = {
	resource: 'message',
	operation: 'send',
	chat_id: '={{ $json.chat_id }}',
	text: '={{ $json.text }}',
};

const toAll = (text: string, ...chat_ids: Array<string | number>) =>
	chat_ids.map((chat_id) => ({ json: { chat_id, text } }));

/** Texts of the messages in each chat, oldest first. */
const textsIn = async (...chats: string[]) =>
	await Promise.all(
		chats.map(async (chat) => {
			const messages = await stage.control.messages(chat);
			return messages.map(({ body }) => body.text).toReversed();
		}),
	);

const OUT_OF_ORDER = { status: 500, body: { code: 'internal', message: 'Out of order' } };

describe('With "Retry On Fail" in the settings of the node, n8n runs it again, but', () => {
	test('what was sent before another message failed is not sent again', async () => {
		const chats = [await stage.group(), await stage.group(), await stage.group()];
		await stage.fault({ method: 'POST', path: '/messages' }, OUT_OF_ORDER, { after: 1 });
		const { items, error } = await stage.run(send, { ...retries, items: toAll('Hello', ...chats) });
		expect(error).toBeUndefined();
		expect(items).toMatchObject(
			chats.map((chat_id, item) => ({ json: { chat_id }, pairedItem: { item } })),
		);
		expect(await textsIn(...chats)).toEqual([['Hello'], ['Hello'], ['Hello']]);
	});

	test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'what was sent is not sent again because the first item fails each time (%s)',
		async (onError) => {
			const chats = [await stage.group(), await stage.group()];
			const { outputs } = await stage.run(send, {
				...retries,
				onError,
				items: toAll('Hello', -5, ...chats),
			});
			expect(outputs.flat().map(({ json }) => json.error ?? json.chat_id)).toEqual(
				expect.arrayContaining([...chats, expect.stringContaining('-5')]),
			);
			expect(await textsIn(...chats)).toEqual([['Hello'], ['Hello']]);
			const tries = await stage.control.journal({ method: 'POST', path: '/messages' });
			expect(tries.filter(({ status }) => status === 404)).toHaveLength(3);
		},
	);

	test('a long text goes on with the part that failed', async () => {
		const chat = await stage.group();
		await stage.fault({ method: 'POST', path: '/messages' }, OUT_OF_ORDER, { after: 1 });
		const parts = ['a', 'b', 'c'].map((letter) => letter.repeat(3000));
		const { items } = await stage.run(
			{ ...send, options: { split_long_text: true } },
			{ ...retries, items: toAll(parts.join('\n\n'), chat) },
		);
		const [texts = []] = await textsIn(chat);
		expect(texts.map((text) => text?.[0])).toEqual(['a', 'b', 'c']);
		expect(items.map(({ json }) => json.text)).toEqual(texts);
	});

	test('of several edits of one message, the last one counts, although an earlier one has failed', async () => {
		const { chatId: chat_id } = await stage.dialog();
		const { items: sent } = await stage.run(send, { items: toAll('Hello', chat_id) });
		await stage.fault({ method: 'PUT', path: '/messages' }, { ...OUT_OF_ORDER, status: 400 });
		await stage.run(
			{ ...send, operation: 'edit', message_id: String(sent[0]?.json.message_id) },
			{
				...retries,
				onError: 'continueRegularOutput',
				items: [...toAll('one', chat_id), ...toAll('two', chat_id)],
			},
		);
		expect(await textsIn(chat_id)).toEqual([['two']]);
	});

	test('each run of the node in a workflow sends its own messages', async () => {
		const chat = await stage.group();
		const { credentials } = stage;
		const node = new BotMessaging();
		const sender = toWorkflowNode({ node, parameters: send, ...retries }, credentials);
		const [item] = toAll('Hello', chat);
		const { status } = await runWorkflow({
			credentials,
			start: 'Start',
			items: item ? [item] : [],
			nodeTypes: { start: new PassThrough(), [sender.type]: node },
			workflow: {
				nodes: [...['Start', 'One', 'Two'].map((name) => nodeOf({ name, type: 'start' })), sender],
				connections: {
					Start: { main: [['One', 'Two'].map((name) => ({ node: name, type: 'main', index: 0 }))] },
					One: leadingTo(sender.name),
					Two: leadingTo(sender.name),
				},
			},
		});
		expect(status).toBe('success');
		expect(await textsIn(chat)).toEqual([['Hello', 'Hello']]);
	});
});
