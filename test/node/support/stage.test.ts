import { BotMessaging } from '../../../nodes/BotMessaging/BotMessaging.node';
import { waitFor } from '../../support/wait';
import { Stage } from './stage';
import { runTool } from './tool';

const stage = Stage.forAllTests();
let chatId: string;

beforeAll(async () => {
	({ chatId } = await stage.dialog());
});

const newestText = async () => (await stage.control.messages(chatId, 1))[0]?.body.text;

const send = { resource: 'message', operation: 'send', chat_id: '={{ $json.chat_id }}' };

test('The action node sends a message in the engine', async () => {
	const { items, error } = await stage.run(
		{ ...send, text: '={{ $json.text }}' },
		{ items: [{ json: { chat_id: chatId, text: 'Hello' } }] },
	);
	expect(error).toBeUndefined();
	expect(items).toHaveLength(1);
	expect(await newestText()).toBe('Hello');
});

test('The action node works as a tool', async () => {
	const { callError } = await runTool({
		node: new BotMessaging(),
		parameters: { ...send, chat_id: "={{ $fromAI('chat') }}", text: 'From a tool' },
		args: { chat: chatId },
		credentials: stage.credentials,
	});
	expect(callError).toBeUndefined();
	expect(await newestText()).toBe('From a tool');
});

test('A message starts the trigger node, and the node behind it answers', async () => {
	const answer = {
		node: new BotMessaging(),
		parameters: { ...send, chat_id: chatId, text: 'Answered' },
	};
	const host = await stage.activeTrigger({}, { next: answer });
	await stage.control.userWrites(chatId, 'Anyone there?');
	const [execution] = await host.ended(1);
	expect(execution?.error).toBeUndefined();
	await waitFor(async () => (await newestText()) === 'Answered', { what: 'the answer' });
	await host.deactivate();
});
