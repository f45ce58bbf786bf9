import { bad, type BotClient, refused, Scene } from './scene';
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
		expect(await bot.say(closed.chatId, 'a')).toMatchObject(refused(403, 'chat.denied'));
	});

	it('answers 404 for an unknown chat and 403 for one that is not for the bot', async () => {
		expect(await bot.get('/chats/-1')).toMatchObject(
			refused(404, 'chat.not.found', 'Chat -1 not found'),
		);
		const foreign = await scene.group(await scene.bot());
		expect(await bot.get(`/chats/${foreign.chatId}`)).toMatchObject(refused(403, 'chat.denied'));
	});

	it('lets no bot delete a chat', async () => {
		expect((await bot.delete(`/chats/${chatId}`)).body).toEqual({
			success: false,
			message: expect.stringContaining('Insufficient access rights'),
		});
	});
});

describe('changing a chat', () => {
	const change = (body: object, id = chatId) => bot.patch(`/chats/${id}`, body);

	it('answers with the changed chat', async () => {
		const { body } = await change({ title: 'Day', description: 'Sunny' });
		expect(body).toMatchObject({ chat_id: chatId, title: 'Day', description: 'Sunny' });
	});

	it('leaves alone what is null or absent, and removes a description with an empty text', async () => {
		await change({ title: 'Day', description: 'Sunny' });
		const kept = await change({ title: null, description: null });
		expect(kept.body).toMatchObject({ title: 'Day', description: 'Sunny' });
		expect((await change({ description: '' })).body.description).toBeUndefined();
	});

	it('sets an icon by url', async () => {
		const url = 'https://example.org/icon.png';
		expect((await change({ icon: { url } })).body.icon).toEqual({ url });
		expect(await change({ icon: {} })).toMatchObject(
			bad('No `photos`, `url` or `token` provided. Check payload.'),
		);
	});

	it.each([
		['an empty title', { title: '' }, "Field 'title' size (0) must be at least 1"],
		['a long title', { title: 'a'.repeat(201) }, "Field 'title' size (201) must be at most 200"],
		[
			'a long description',
			{ description: 'a'.repeat(16_001) },
			"Field 'description' size (16001) must be at most 16000",
		],
		['a number as title', { title: 7 }, "Can't deserialize body"],
	])('refuses %s', async (_what, body, message) => {
		expect(await change(body)).toMatchObject(bad(message));
	});

	it('takes the longest title and description', async () => {
		const body = { title: 'a'.repeat(200), description: 'b'.repeat(16_000) };
		expect((await change(body)).status).toBe(200);
	});

	it('needs an administrator with the right to change the info', async () => {
		const plain = await scene.group(bot, { permissions: null });
		expect(await change({ title: 'a' }, plain.chatId)).toMatchObject(refused(403, 'access.denied'));
		const reader = await scene.group(bot, { permissions: ['read_all_messages'] });
		expect(await change({ title: 'a' }, reader.chatId)).toMatchObject(
			refused(403, 'access.denied'),
		);
		const dialog = await scene.dialog(bot);
		expect(await change({ title: 'a' }, dialog.chatId)).toMatchObject(
			refused(403, 'access.denied'),
		);
	});

	it('pins a message and shows it', async () => {
		const { mid } = (await bot.say(chatId, 'Read me')).body.message.body;
		expect((await change({ pin: mid })).body.pinned_message.body).toMatchObject({ mid });
		expect(await change({ pin: 'mid.0' })).toMatchObject(refused(404, 'not.found'));
	});
});

describe('the pinned message', () => {
	const path = (id: ControlId = chatId) => `/chats/${id}/pin`;

	it('is pinned, shown and taken off', async () => {
		await bot.delete(path());
		expect((await bot.get(path())).body).toEqual({});
		const { mid } = (await bot.say(chatId, 'Read me')).body.message.body;
		expect((await bot.put(path(), { message_id: mid })).body).toEqual({ success: true });
		expect((await bot.get(path())).body.message.body.mid).toBe(mid);
		expect((await bot.delete(path())).body).toEqual({ success: true });
		expect((await bot.delete(path())).body).toEqual({
			success: false,
			message: expect.any(String),
		});
	});

	it('is gone when the message is deleted', async () => {
		const { mid } = (await bot.say(chatId, 'Read me')).body.message.body;
		await bot.put(path(), { message_id: mid, notify: false });
		await bot.delete(`/messages?message_id=${mid}`);
		expect((await bot.get(path())).body).toEqual({});
	});

	it('must be a message of this chat', async () => {
		const other = await scene.group(bot);
		const { mid } = (await bot.say(other.chatId, 'a')).body.message.body;
		expect(await bot.put(path(), { message_id: mid })).toMatchObject(refused(404, 'not.found'));
		expect(await bot.put(path(), {})).toMatchObject(bad('Missing required parameter: message_id'));
	});

	it('needs the right to pin together with the right to read all', async () => {
		const pin = async (permissions: string[]) => {
			const group = await scene.group(bot, { permissions });
			const { mid } = (await bot.say(group.chatId, 'a')).body.message.body;
			return bot.put(path(group.chatId), { message_id: mid });
		};
		expect(await pin(['pin_message'])).toMatchObject(refused(403, 'access.denied'));
		expect(await pin(['read_all_messages'])).toMatchObject(refused(403, 'access.denied'));
		expect((await pin(['pin_message', 'read_all_messages'])).status).toBe(200);
	});

	it('does not exist in dialogs', async () => {
		const dialog = await scene.dialog(bot);
		const { mid } = (await bot.say(dialog.chatId, 'a')).body.message.body;
		expect(await bot.put(path(dialog.chatId), { message_id: mid })).toMatchObject(
			refused(403, 'access.denied'),
		);
	});
});

describe('actions', () => {
	const act = (action: unknown, id = chatId) => bot.post(`/chats/${id}/actions`, { action });

	it.each([
		'typing_on',
		'sending_photo',
		'sending_video',
		'sending_audio',
		'sending_file',
		'mark_seen',
	])('takes %s', async (action) => {
		expect((await act(action)).body).toEqual({ success: true });
		const dialog = await scene.dialog(bot);
		expect((await act(action, dialog.chatId)).body).toEqual({ success: true });
	});

	it('refuses others', async () => {
		expect(await act('dancing')).toMatchObject(bad("Can't deserialize body"));
		expect(await act(undefined)).toMatchObject(bad('Missing required parameter: action'));
		const plain = await scene.group(bot, { permissions: null });
		expect(await act('typing_on', plain.chatId)).toMatchObject(refused(403, 'access.denied'));
	});
});
