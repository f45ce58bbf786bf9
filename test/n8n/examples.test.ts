import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '../support/wait';
import { jsonOf } from './executions';
import { startModel, type StubModel } from './model';
import { Stage } from './stage';
import { example, EXAMPLES } from './workflow';

/** Examples that are run by tests of their own subject. */
const ELSEWHERE: Readonly<Record<string, string>> = {
	'broadcast-from-data-table.json': 'trigger-directory.test.ts',
	'chat-directory.json': 'trigger-directory.test.ts',
	'echo-with-keyboard.json': 'trigger.test.ts',
	'photo-back.json': 'media.test.ts',
};

/** Files that a test of this file has run. */
const ran = new Set<string>();

describe('the example workflows in a real n8n', () => {
	let stage: Stage;

	beforeEach(async () => {
		stage = await Stage.open();
	});
	afterEach(async () => await stage.close());

	const draft = (file: string) => {
		ran.add(file);
		return example(file, stage.credential);
	};
	const write = async (text: string, chatId = stage.dialog.chat_id, userId = stage.user.user_id) =>
		await stage.control.userWrites(chatId, { user_id: userId, text });
	const said = async (text: string, chatId = stage.dialog.chat_id) =>
		await stage.answer(({ body }) => body.text === text, chatId);

	it('echo sends back what was written', async () => {
		await stage.createActive(draft('echo.json'));
		await write('Good morning');
		await said('You wrote: Good morning');
		const photo = { attachments: [{ type: 'image' as const, size: 1000 }] };
		await stage.control.userWrites(stage.dialog.chat_id, {
			user_id: stage.user.user_id,
			...photo,
		});
		const back = await said('You sent: image');
		expect(back.body.attachments).toMatchObject([{ type: 'image' }]);
	});

	it('menu with buttons turns its pages in one message', async () => {
		await stage.createActive(draft('menu-with-buttons.json'));
		await write('Hello');
		const menu = await said('What would you like to know?');

		await stage.control.press(menu.body.mid, { text: 'Contact' });
		await said('Call us: +1 555 0100');
		expect(await stage.control.notifications(stage.user.user_id)).toMatchObject([
			{ text: 'We like to hear from you' },
		]);
		await stage.control.press(menu.body.mid, { text: 'Back' });
		await said('What would you like to know?');
		await stage.control.press(menu.body.mid, { text: 'Opening hours' });
		await said('We are open Monday to Friday, 9 to 18.');
		expect(await stage.control.messages(stage.dialog.chat_id)).toHaveLength(2);
	});

	it('approval in the chat waits for the person who wrote', async () => {
		await stage.createActive(draft('approval-in-chat.json'));
		await write('two chairs');
		const question = await said('Shall I order: two chairs?');
		await stage.control.press(question.body.mid, { text: 'Order' });
		await said('Ordered.');
		await said('Shall I order: two chairs?\n\n✅ Approved by Vera');
	});

	it('error handling parts what was sent from what was not', async () => {
		const { nodes, ...rest } = draft('error-handling.json');
		const ids = JSON.stringify([stage.dialog.chat_id, '1'].map(String));
		const withIds = nodes.map((node) =>
			node.name === 'Chats'
				? {
						...node,
						parameters: { jsCode: `return ${ids}.map((chat_id) => ({ json: { chat_id } }));` },
					}
				: node,
		);
		const workflow = await stage.create({ ...rest, nodes: withIds });
		const id = await stage.n8n.run(workflow, 'When clicking Execute');
		const execution = await stage.n8n.executions.finished(id);

		expect(jsonOf(execution, 'Sent')).toMatchObject([{ text: 'Hello from n8n' }]);
		expect(jsonOf(execution, 'Not Sent')).toMatchObject([
			{
				chat_id: '1',
				error: 'Chat 1 not found',
				details: { code: 'chat.not.found', http_code: 404 },
			},
		]);
	});

	it('welcome greets a new member of a group', async () => {
		const chat = await stage.control.createChat({
			type: 'chat',
			title: 'Neighbours',
			owner_id: stage.user.user_id,
		});
		await stage.control.addMember(chat.chat_id, {
			user_id: stage.bot.user_id,
			permissions: ['read_all_messages', 'write'],
		});
		await stage.createActive(draft('welcome-new-members.json'));
		const oleg = await stage.control.createUser({ first_name: 'Oleg' });
		await stage.control.addMember(chat.chat_id, { user_id: oleg.user_id });

		const welcome = await said(
			'Welcome, Oleg! Tell us who you are and what brings you here.',
			chat.chat_id,
		);
		expect(welcome.body.markup).toMatchObject([{ type: 'strong', from: 9, length: 4 }]);
	});

	it('moderation pins, promotes and removes', async () => {
		const chat = await stage.control.createChat({
			type: 'chat',
			title: 'Neighbours',
			owner_id: stage.user.user_id,
		});
		const { chat_id } = chat;
		await stage.control.addMember(chat_id, {
			user_id: stage.bot.user_id,
			permissions: ['read_all_messages', 'write', 'pin_message', 'add_admins'],
		});
		const oleg = await stage.control.createUser({ first_name: 'Oleg' });
		await stage.control.addMember(chat_id, { user_id: oleg.user_id });
		await stage.createActive(draft('moderation.json'));

		await write('/pin Meeting at eight', chat_id);
		const pinned = await said('Meeting at eight', chat_id);
		await waitFor(
			async () => {
				const { pinned_message_id } = await stage.control.chat(chat_id);
				return pinned_message_id === pinned.body.mid;
			},
			{ timeout: 20_000, what: 'the pin' },
		);

		await write('Win at the casino', chat_id, oleg.user_id);
		await said('A message was removed. Please keep to the rules of this chat.', chat_id);
		const texts = (await stage.control.messages(chat_id)).map(({ body }) => body.text);
		expect(texts).not.toContain('Win at the casino');

		await write(`/promote ${oleg.user_id}`, chat_id);
		await said('There is a new moderator.', chat_id);
		const { members } = await stage.control.chat(chat_id);
		expect(members?.find(({ user_id }) => user_id === oleg.user_id)).toMatchObject({
			permissions: expect.arrayContaining(['pin_message']),
			alias: 'Moderator',
		});
	});

	it('long polling answers without any subscription', async () => {
		await stage.createActive(draft('long-polling.json'));
		await write('Anybody there?');
		await said('Received by polling: Anybody there?');
		expect(await stage.subscriptions()).toEqual([]);
	});

	describe('with a chat model', () => {
		let model: StubModel;
		beforeEach(async () => {
			model = await startModel();
		});
		afterEach(async () => await model.stop());

		it('the AI agent answers by calling the node as its tool', async () => {
			const credential = await stage.n8n.createCredential('Model', 'openAiApi', {
				apiKey: 'sk-stub',
				url: model.url,
			});
			const { nodes, ...rest } = draft('ai-agent.json');
			const withModel = nodes.map((node) =>
				node.name === 'Chat Model'
					? { ...node, credentials: { openAiApi: { id: credential.id, name: credential.name } } }
					: node,
			);
			await stage.createActive({ ...rest, nodes: withModel });
			await write('What is the capital of France?');
			await said('You asked: What is the capital of France?');
			await stage.n8n.deleteCredential(credential);
		});
	});

	it('are all run by a test', () => {
		const files = readdirSync(EXAMPLES);
		const missing = files.filter((file) => !ran.has(file) && !(file in ELSEWHERE));
		expect(missing).toEqual([]);
	});

	it('carry no credential of the person who made them', () => {
		for (const file of readdirSync(EXAMPLES)) {
			expect(readFileSync(join(EXAMPLES, file), 'utf8')).not.toContain('"credentials"');
		}
	});
});
