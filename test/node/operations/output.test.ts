import { BotMessaging } from '../../../nodes/BotMessaging/BotMessaging.node';
import { readReadme } from '../../support/readme';
import { Stage } from '../support/stage';
import { runTool } from '../support/tool';
import { castForAllTests } from './cast';

const stage = Stage.forAllTests({ limits: { requests_per_second: 0 } });
const cast = castForAllTests(stage);

const send = async (output: object) => {
	const { items, error } = await stage.run({
		resource: 'message',
		operation: 'send',
		chat_id: cast.group,
		text: 'Vote',
		keyboard_source: 'json',
		keyboard_json: '[[{"type":"callback","text":"A","payload":"a"}]]',
		...output,
	});
	expect(error).toBeUndefined();
	return items[0]?.json ?? {};
};

test('Message → Send returns who sent what and where, without the keyboard', async () => {
	const json = await send({});
	expect(json).toMatchObject({ sender_id: String(stage.bot.user_id), text: 'Vote' });
	expect(Object.keys(json).length).toBeLessThanOrEqual(10);
	expect(JSON.stringify(json)).not.toMatch(/user_id|inline_keyboard/);
});

test('The link to a user that the README shows mentions them', async () => {
	const [, link = '', user_id] = /`(\[[^\]]+\]\(\w+:\/\/user\/(\d+)\))`/.exec(readReadme()) ?? [];
	const selected = { output: 'selected', output_fields: ['markup'] };
	const { markup } = await send({ text: `Welcome, ${link}!`, format: 'markdown', ...selected });
	expect(markup).toEqual([{ type: 'user_mention', from: 9, length: 4, user_id: Number(user_id) }]);
});

test('Bot → Get gives the ID of the bot as its messages do, to find these by a strict comparison', async () => {
	const [me] = (await stage.run({ resource: 'bot', operation: 'get' })).items;
	expect(me?.json).toMatchObject({ is_bot: true, user_id: (await send({})).sender_id });
});

test("Raw output is the service's answer", async () => {
	expect(await send({ output: 'raw' })).toMatchObject({
		body: { text: 'Vote', attachments: [{ type: 'inline_keyboard' }] },
	});
});

test('Selected fields come with the ID', async () => {
	const json = await send({ output: 'selected', output_fields: ['text', 'sender_is_bot'] });
	expect(json).toEqual({ message_id: expect.any(String), text: 'Vote', sender_is_bot: true });
});

test('An agent gets only the selected fields and the ID', async () => {
	const { response } = await runTool({
		node: new BotMessaging(),
		parameters: {
			resource: 'message',
			operation: 'get',
			message_id: "={{ $fromAI('id') }}",
			output: 'selected',
			output_fields: ['text'],
		},
		args: { id: cast.message },
		credentials: stage.credentials,
	});
	expect(JSON.parse(response ?? '')).toEqual([{ message_id: cast.message, text: 'Pallet seven' }]);
});

test('Messages whose time is none are output all the same', async () => {
	const messages = [{ timestamp: { toString: 1 }, body: { mid: 'mid.1', text: 'Vote' } }];
	await stage.fault({ path: '/messages' }, { status: 200, body: { messages } });
	const getMessages = { resource: 'message', operation: 'getAll', chat_id: cast.group };
	const { items, error } = await stage.run(getMessages);
	expect(error).toBeUndefined();
	expect(items).toMatchObject([{ json: { message_id: 'mid.1', text: 'Vote' } }]);
});
