import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INode } from 'n8n-workflow';
import type { ControlId } from '../platform';
import { buttonsOf } from '../support/question';
import { waitFor } from '../support/wait';
import { jsonOf } from './support/executions';
import { Editor } from './support/editor';
import { SEEN, SPOKEN, startModel, type StubModel } from './support/model';
import { photoOf } from './support/photo';
import type { Credential } from './support/rest';
import { shared } from './support/shared';
import { Stage } from './support/stage';
import { example, EXAMPLES, readExample, withNode } from './support/workflow';

/** Examples that are run by other test files. */
const ELSEWHERE: Readonly<Record<string, string>> = {
	'approval-in-chat.json': 'killed.test.ts, queue.test.ts',
	'broadcast-from-data-table.json': 'trigger-directory.test.ts',
	'chat-directory.json': 'trigger-directory.test.ts',
};

const files = readdirSync(EXAMPLES);

/** Files that a test of this file has run. */
const ran = new Set<string>();

describe('the example workflows in a real n8n', () => {
	const stage = Stage.forEachTest();

	const draft = (file: string) => {
		ran.add(file);
		return example(file, stage.credential);
	};
	const write = async (text: string, chatId = stage.dialog.chat_id, userId = stage.user.user_id) =>
		await stage.control.userWrites(chatId, { user_id: userId, text });
	const writePhoto = async () =>
		await stage.control.userWrites(stage.dialog.chat_id, {
			user_id: stage.user.user_id,
			attachments: [{ type: 'image', size: 1000 }],
		});
	const said = async (text: string, chatId = stage.dialog.chat_id) =>
		await stage.answer(({ body }) => body.text === text, chatId);

	it('echo sends back what was written, but not what it writes itself, where the service reports that', async () => {
		await stage.control.setSettings({ own_events: true });
		await stage.createActive(draft('echo.json'));
		await write('Good morning');
		await said('You wrote: Good morning');
		await writePhoto();
		const back = await said('You sent: image');
		expect(back.body.attachments).toMatchObject([{ type: 'image' }]);
		await write('Good night');
		await said('You wrote: Good night');
		expect(await stage.control.messages(stage.dialog.chat_id)).toHaveLength(6);
	});

	it.each(['echo.json', 'echo-with-keyboard.json', 'long-polling.json'])(
		'%s also answers the longest message that a person can write, in two',
		async (file) => {
			await stage.createActive(draft(file));
			await write('word '.repeat(800));
			await stage.answer(({ body }) =>
				/^(You wrote|Received by polling): word /.test(body.text ?? ''),
			);
			await stage.answer(({ body }) => body.text?.startsWith('word') === true);
		},
	);

	it('echo with keyboard keeps all lines of a text when its buttons are pressed, one after the other', async () => {
		await stage.createActive(draft('echo-with-keyboard.json'));
		await write('Milk\nBread');
		const { body } = await said('You wrote: Milk\nBread');
		await stage.control.press(body.mid, { text: 'Like' });
		await said('You wrote: Milk\nBread\nYou liked this.');
		await stage.control.press(body.mid, { text: 'Dislike' });
		await said('You wrote: Milk\nBread\nYou disliked this.');
	});

	it('photo back downloads a photo and sends it back with a keyboard', async () => {
		await stage.createActive(draft('photo-back.json'));
		const photo = photoOf(200_000);
		const message = { text: 'Look', attachments: [photo.sent] };
		const { mid } = (await stage.control.userWrites(stage.dialog.chat_id, message)).body;

		const answer = await stage.answer(
			({ body }) => body.text?.startsWith('Here it is again') === true,
		);
		const buttons = [[{ type: 'clipboard', payload: mid }]];
		expect(answer.body.attachments).toMatchObject([
			{ type: 'image' },
			{ type: 'inline_keyboard', payload: { buttons } },
		]);
		expect(answer.link).toMatchObject({ type: 'reply', message: { mid } });
		expect(await stage.control.journal({ origin: 'upload', method: 'POST' })).toMatchObject([
			{
				status: 200,
				sha256: photo.sha256,
				file_name: 'Море 1.jpg',
				headers: expect.not.objectContaining({ authorization: true }),
			},
		]);
	});

	it('menu with buttons changes pages within one message', async () => {
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

	it('growing answer edits one message until the work is done', async () => {
		await stage.createActive(draft('growing-answer.json'));
		const question = 'How *far* is the [moon](https://evil.example)?';
		await write(question);
		// What people write makes no link of the bot.
		await said(`Done. You asked: ${question}`);
		const written = await stage.control.journal({
			kind: 'request',
			path: '/messages',
			status: 200,
		});
		expect(written.map(({ method, body }) => [method, body])).toMatchObject([
			['POST', { text: '⏳ One moment …' }],
			['PUT', { text: '⏳ Half of it is done …' }],
			['PUT', { text: expect.stringContaining(`You asked: ${question}`) }],
		]);

		await writePhoto();
		await said('Done. You asked: (no text)');
		// The longest message that a person can write leaves no room for the words before it.
		await write('word '.repeat(800));
		await stage.answer(({ body }) => body.text?.startsWith('Done. You asked: word') === true);
	});

	it('error handling separates what was sent from what was not', async () => {
		const ids = JSON.stringify([stage.dialog.chat_id, '1'].map(String));
		const jsCode = `return ${ids}.map((chat_id) => ({ json: { chat_id } }));`;
		const withIds = withNode(draft('error-handling.json'), 'Chats', { parameters: { jsCode } });
		const workflow = await stage.create(withIds);
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

	/** A group of the person, in which the bot has these rights. */
	const groupWith = async (...permissions: string[]) => {
		const owner_id = stage.user.user_id;
		const { chat_id } = await stage.control.createChat({ type: 'chat', owner_id });
		await stage.control.addMember(chat_id, { user_id: stage.bot.user_id, permissions });
		return chat_id;
	};

	/** Another person comes into a chat. */
	const joins = async (chat_id: ControlId, first_name = 'Oleg') => {
		const { user_id } = await stage.control.createUser({ first_name });
		await stage.control.addMember(chat_id, { user_id });
		return user_id;
	};

	it('welcome greets a new member of a group, whose name makes no link', async () => {
		const chat_id = await groupWith('read_all_messages', 'write');
		await stage.createActive(draft('welcome-new-members.json'));
		const name = '[Free gift](https://evil.example)';
		await joins(chat_id, name);

		const text = `Welcome, ${name}! Tell us who you are and what brings you here.`;
		await said(text, chat_id);
	});

	it('moderation pins, promotes and removes', async () => {
		const chat_id = await groupWith('read_all_messages', 'write', 'pin_message', 'add_admins');
		const oleg = await joins(chat_id);
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

		await write('Win at the casino', chat_id, oleg);
		await said('A message was removed. Please keep to the rules of this chat.', chat_id);
		const texts = (await stage.control.messages(chat_id)).map(({ body }) => body.text);
		expect(texts).not.toContain('Win at the casino');

		await write(`/promote ${oleg}`, chat_id);
		await said('There is a new moderator.', chat_id);
		const { members } = await stage.control.chat(chat_id);
		expect(members?.find(({ user_id }) => user_id === oleg)).toMatchObject({
			permissions: expect.arrayContaining(['pin_message']),
			alias: 'Moderator',
		});
	});

	it('moderation does for administrators only what they may do themselves', async () => {
		const chat_id = await groupWith('read_all_messages', 'write', 'pin_message', 'add_admins');
		const oleg = await joins(chat_id);
		const anna = await joins(chat_id, 'Anna');
		const permissions = ['read_all_messages', 'pin_message'];
		await stage.control.changeMember(chat_id, oleg, { permissions });
		await stage.createActive(draft('moderation.json'));

		await write(`/promote ${anna}`, chat_id, oleg);
		await write('/pin Meeting at nine', chat_id, oleg);
		await said('Meeting at nine', chat_id);
		const { members } = await stage.control.chat(chat_id);
		expect(members?.find(({ user_id }) => user_id === anna)).toMatchObject({ is_admin: false });
	});

	it('long polling answers without any subscription', async () => {
		await stage.createActive(draft('long-polling.json'));
		await write('Anybody there?');
		await said('Received by polling: Anybody there?');
		expect(await stage.subscriptions()).toEqual([]);
	});

	describe('with a model', () => {
		let model: StubModel;
		let credential: Credential;
		beforeEach(async () => {
			model = await startModel();
			credential = await stage.n8n.createCredential('Model', 'openAiApi', {
				apiKey: 'sk-stub',
				url: model.url,
			});
		});
		afterEach(async () => {
			await stage.n8n.deleteCredential(credential);
			await model.stop();
		});

		/** Publishes an example, with the credential of the model in the node of this name. */
		async function publish(file: string, modelNode: string) {
			const { id, name } = credential;
			const credentials = { openAiApi: { id, name } };
			await stage.createActive(withNode(draft(file), modelNode, { credentials }));
		}

		it('the AI agent answers several messages at once, remembers the conversation and sees all pictures', async () => {
			await publish('ai-agent.json', 'Chat Model');
			await write('What is the capital of France?');
			await write('And of Spain?');
			const both = 'What is the capital of France?\nAnd of Spain?';
			await said(`You asked: ${both}`);
			await writePhoto();
			await stage.control.userWrites(stage.dialog.chat_id, {
				text: 'And where is this?',
				attachments: [photoOf(2000).sent],
			});
			await said(`You asked: And where is this? ${SEEN}${SEEN}`);

			const [first, second = []] = model.heard;
			expect(first).toEqual([both]);
			expect(second).toEqual([both, `You asked: ${both}`, 'And where is this?', SEEN + SEEN]);
		});

		it('the agent that asks before it acts uses its tool when the person has approved', async () => {
			await publish('agent-asks-before-it-acts.json', 'Chat Model');
			await write('Are you there?');
			const question = await stage.answer(
				({ body }) => body.text?.startsWith('May I use') === true,
			);
			expect(question.body.text).toContain('"text": "You asked: Are you there?"');
			expect(buttonsOf(question).map(({ text }) => text)).toEqual(['Approve', 'Decline']);
			const before = await stage.control.messages(stage.dialog.chat_id);
			expect(before.map(({ body }) => body.text)).not.toContain('You asked: Are you there?');
			await stage.control.press(question.body.mid, { text: 'Approve' });
			await said('You asked: Are you there?');
			const isShown = async () => {
				const { body } = await stage.control.message(question.body.mid);
				return /^May I use .+\n\n✅ Approved by Vera$/s.test(body.text ?? '');
			};
			await waitFor(isShown, { timeout: 30_000, what: 'the message to show the decision' });
		});

		it('voice to text uses the transcription of the service, or has one made', async () => {
			await publish('voice-to-text.json', 'Transcribe');
			const speak = async (more: { transcription?: string }) =>
				await stage.control.userWrites(stage.dialog.chat_id, {
					user_id: stage.user.user_id,
					attachments: [{ type: 'audio' as const, size: 1000, ...more }],
				});
			await speak({ transcription: 'One parcel' });
			await said('You said: One parcel');
			await speak({ transcription: 'parcel '.repeat(1000) });
			await stage.answer(({ body }) => body.text?.startsWith('parcel') === true);
			await speak({});
			await said(`You said: ${SPOKEN}`);
		});
	});

	it('show their whole notes in the editor', async () => {
		const notes = files
			.flatMap((file) => readExample(file).nodes)
			.filter(({ type }) => type === 'n8n-nodes-base.stickyNote')
			.map((note, index): INode => {
				const position: INode['position'] = [(index % 4) * 500, Math.floor(index / 4) * 500];
				return { ...note, id: randomUUID(), name: `Note ${index}`, position };
			});
		const { id } = await stage.create({ name: 'Notes', nodes: notes, connections: {} });
		const editor = await Editor.open(shared());
		await editor.openWorkflow(id);
		const cutOff = await editor.cutOffNotes(notes.length);
		await editor.screenshot('example-notes');
		await editor.close();
		expect(cutOff).toEqual([]);
	});

	it('are all run by a test', () => {
		const missing = files.filter((file) => !ran.has(file) && !(file in ELSEWHERE));
		expect(missing).toEqual([]);
	});

	it('contain no credential of the person who made them', () => {
		for (const file of files) {
			expect(readFileSync(join(EXAMPLES, file), 'utf8')).not.toContain('"credentials"');
		}
	});
});
