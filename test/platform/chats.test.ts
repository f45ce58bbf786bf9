import { type BotClient, isBad, refuses, Scene, succeeds } from './scene';
import type { ControlId } from './control-types';

const scene = Scene.forAllTests();
let bot: BotClient;
let chatId: ControlId;
let ownerId: ControlId;

beforeAll(async () => {
	bot = await scene.bot();
	({ chatId, ownerId } = await scene.group(bot, { title: 'Warehouse', description: 'Night' }));
});

describe('chat info', () => {
	it('shows owner and participants to administrators', async () => {
		const { body } = await bot.get(`/chats/${chatId}`);
		expect(body).toEqual({
			chat_id: chatId,
			type: 'chat',
			status: 'active',
			title: 'Warehouse',
			description: 'Night',
			last_event_time: expect.any(Number),
			participants_count: 2,
			owner_id: ownerId,
			participants: { [ownerId]: expect.any(Number), [bot.id]: expect.any(Number) },
			is_public: false,
			messages_count: 0,
		});
	});

	it('hides owner and participants from ordinary members', async () => {
		const plain = await scene.group(bot, { permissions: null });
		const { status, body } = await bot.get(`/chats/${plain.chatId}`);
		expect(status).toBe(200);
		expect(body.owner_id).toBeUndefined();
		expect(body.participants).toBeUndefined();
	});

	it('shows a dialog with the person', async () => {
		const dialog = await scene.dialog(bot);
		expect((await bot.get(`/chats/${dialog.chatId}`)).body).toMatchObject({
			type: 'dialog',
			status: 'active',
			participants_count: 2,
			is_public: false,
			dialog_with_user: { user_id: dialog.userId },
		});
		await scene.control.treatDialog(dialog.chatId, 'stop');
		expect((await bot.get(`/chats/${dialog.chatId}`)).body.status).toBe('suspended');
	});

	it('shows what became of a chat: left, removed, closed', async () => {
		const left = await scene.group(bot);
		await bot.delete(`/chats/${left.chatId}/members/me`);
		expect((await bot.get(`/chats/${left.chatId}`)).body.status).toBe('left');
		const removed = await scene.group(bot);
		await scene.control.removeMember(removed.chatId, bot.id, removed.ownerId);
		expect((await bot.get(`/chats/${removed.chatId}`)).body.status).toBe('removed');
		const closed = await scene.group(bot, { closed: true });
		expect((await bot.get(`/chats/${closed.chatId}`)).body.status).toBe('closed');
		await refuses(bot.say(closed.chatId, 'a'), 'chat.denied');
	});

	it('answers 404 for an unknown chat and 403 for one that is not for the bot', async () => {
		await refuses(bot.get('/chats/-1'), 'chat.not.found', 'Chat -1 not found');
		const foreign = await scene.group(await scene.bot());
		await refuses(bot.get(`/chats/${foreign.chatId}`), 'chat.denied');
	});
});

describe('changing a chat', () => {
	const change = (body: object, id = chatId) => bot.patch(`/chats/${id}`, body);

	it('leaves alone what is null or absent, and removes a description with an empty text', async () => {
		await change({ title: 'Day', description: 'Sunny' });
		const kept = await change({ title: null, description: null });
		expect(kept.body).toMatchObject({ title: 'Day', description: 'Sunny' });
		expect((await change({ description: '' })).body.description).toBeUndefined();
	});

	it('sets an icon by url', async () => {
		const url = 'https://example.org/icon.png';
		expect((await change({ icon: { url } })).body.icon).toEqual({ url });
		await isBad(change({ icon: {} }), 'No `photos`, `url` or `token` provided. Check payload.');
	});

	it.each([
		['an empty title', { title: '' }, "Field 'title' size (0) must be at least 1"],
		[
			'a long description',
			{ description: 'a'.repeat(16_001) },
			"Field 'description' size (16001) must be at most 16000",
		],
		['a number as title', { title: 7 }, "Can't deserialize body"],
	])('refuses %s', async (_what, body, message) => {
		await isBad(change(body), message);
	});

	it('takes the longest title and description', async () => {
		const body = { title: 'a'.repeat(200), description: 'b'.repeat(16_000) };
		expect((await change(body)).status).toBe(200);
	});

	it('needs an administrator with the right to change the info', async () => {
		const plain = await scene.group(bot, { permissions: null });
		await refuses(change({ title: 'a' }, plain.chatId), 'access.denied');
		const reader = await scene.group(bot, { permissions: ['read_all_messages'] });
		await refuses(change({ title: 'a' }, reader.chatId), 'access.denied');
		const dialog = await scene.dialog(bot);
		await refuses(change({ title: 'a' }, dialog.chatId), 'access.denied');
	});

	it('pins a message and shows it', async () => {
		const { mid } = (await bot.say(chatId, 'Read me')).body.message.body;
		expect((await change({ pin: mid })).body.pinned_message.body).toMatchObject({ mid });
		await refuses(change({ pin: 'mid.0' }), 'not.found');
	});
});

describe('the pinned message', () => {
	const path = (id: ControlId = chatId) => `/chats/${id}/pin`;

	it('is gone when the message is deleted', async () => {
		const { mid } = (await bot.say(chatId, 'Read me')).body.message.body;
		await bot.put(path(), { message_id: mid, notify: false });
		await bot.delete(`/messages?message_id=${mid}`);
		expect((await bot.get(path())).body).toEqual({});
	});

	it('must be a message of this chat', async () => {
		const other = await scene.group(bot);
		const { mid } = (await bot.say(other.chatId, 'a')).body.message.body;
		await refuses(bot.put(path(), { message_id: mid }), 'not.found');
		await isBad(bot.put(path(), {}), 'Missing required parameter: message_id');
	});

	it('needs the right to pin together with the right to read all', async () => {
		const pin = async (permissions: string[]) => {
			const group = await scene.group(bot, { permissions });
			const { mid } = (await bot.say(group.chatId, 'a')).body.message.body;
			return bot.put(path(group.chatId), { message_id: mid });
		};
		await refuses(pin(['pin_message']), 'access.denied');
		await refuses(pin(['read_all_messages']), 'access.denied');
		expect((await pin(['pin_message', 'read_all_messages'])).status).toBe(200);
	});

	it('does not exist in dialogs', async () => {
		const dialog = await scene.dialog(bot);
		const { mid } = (await bot.say(dialog.chatId, 'a')).body.message.body;
		await refuses(bot.put(path(dialog.chatId), { message_id: mid }), 'access.denied');
	});
});

describe('actions', () => {
	const act = (action: unknown, id = chatId) => bot.post(`/chats/${id}/actions`, { action });

	it.each('typing_on sending_photo sending_video sending_audio sending_file mark_seen'.split(' '))(
		'takes %s',
		async (action) => {
			await succeeds(act(action));
			const dialog = await scene.dialog(bot);
			await succeeds(act(action, dialog.chatId));
		},
	);

	it('refuses others', async () => {
		await isBad(act('dancing'), "Can't deserialize body");
		await isBad(act(undefined), 'Missing required parameter: action');
		const plain = await scene.group(bot, { permissions: null });
		await refuses(act('typing_on', plain.chatId), 'access.denied');
	});
});
