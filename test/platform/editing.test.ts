import { bad, type BotClient, keyboard, refused, Scene } from './scene';
import type { ControlId } from './control-types';

const scene = Scene.forAllTests();
let bot: BotClient;
let chatId: ControlId;
let userId: ControlId;

beforeAll(async () => {
	bot = await scene.bot();
	({ chatId, userId } = await scene.dialog(bot));
});

const DAY = 24 * 60 * 60 * 1000;

const sent = async (text = 'Before', more: object = {}, to: ControlId = chatId): Promise<string> =>
	(await bot.say(to, text, more)).body.message.body.mid;

const edit = (mid: string, changes: object) => bot.put(`/messages?message_id=${mid}`, changes);

const shown = async (mid: string) => (await bot.get(`/messages/${mid}`)).body.body;

describe('editing', () => {
	it('replaces the text and keeps the attachments that are not mentioned', async () => {
		const mid = await sent('Before', { attachments: [keyboard] });
		expect((await edit(mid, { text: 'After' })).body).toEqual({ success: true });
		expect(await shown(mid)).toMatchObject({
			text: 'After',
			attachments: [{ type: 'inline_keyboard' }],
		});
		await edit(mid, { text: 'Later', attachments: null });
		expect((await shown(mid)).attachments).toHaveLength(1);
	});

	it('replaces the attachments and keeps the text that is not mentioned', async () => {
		const mid = await sent('Before', { attachments: [keyboard] });
		await edit(mid, { attachments: [{ type: 'location', latitude: 1, longitude: 2 }] });
		expect(await shown(mid)).toMatchObject({ text: 'Before', attachments: [{ type: 'location' }] });
	});

	it('removes all attachments with an empty list', async () => {
		const mid = await sent('Before', { attachments: [keyboard] });
		await edit(mid, { attachments: [] });
		expect((await shown(mid)).attachments).toBeUndefined();
	});

	it('replaces the markup together with the text', async () => {
		const mid = await sent('**a**', { format: 'markdown' });
		await edit(mid, { text: 'plain' });
		expect((await shown(mid)).markup).toBeUndefined();
	});

	it('refuses an edit that would leave nothing', async () => {
		const mid = await sent();
		expect(await edit(mid, { text: '' })).toMatchObject(refused(400, 'proto.payload'));
		expect((await shown(mid)).text).toBe('Before');
	});

	it('wants the message id in the query and nowhere else', async () => {
		const mid = await sent();
		expect(await bot.put('/messages', { text: 'a' })).toMatchObject(
			bad('Missing required parameter: message_id'),
		);
		expect(await bot.put('/messages', { text: 'a', message_id: mid })).toMatchObject(
			refused(400, 'proto.payload'),
		);
		expect(await edit(mid, { text: 'a', message_id: mid })).toMatchObject(
			refused(400, 'proto.payload'),
		);
	});

	it('refuses messages of others and messages that are not there', async () => {
		const { body } = await scene.control.userWrites(chatId, 'Mine');
		expect(await edit(body.mid, { text: 'a' })).toMatchObject(refused(403, 'access.denied'));
		expect(await edit('mid.0', { text: 'a' })).toMatchObject(refused(404, 'not.found'));
	});

	it('answers attachment.not.ready like sending does', async () => {
		const mid = await sent();
		await scene.control.setSettings({ ready_after_ms: 60_000 });
		const { url } = (await bot.post('/uploads?type=file')).body;
		const form = new FormData();
		form.append('data', new Blob(['a']), 'a.txt');
		const { token } = await (await fetch(url, { method: 'POST', body: form })).json();
		await scene.control.setSettings({ ready_after_ms: 0 });
		const attachments = [{ type: 'file', payload: { token } }];
		expect(await edit(mid, { attachments })).toMatchObject(refused(400, 'attachment.not.ready'));
	});
});

describe('editing after a week', () => {
	it('is unsuccessful in dialogs, except with a keyboard', async () => {
		const plain = await sent();
		const withKeyboard = await sent('Before', { attachments: [keyboard] });
		const group = await scene.group(bot);
		const inGroup = await sent('Before', {}, group.chatId);
		await scene.control.advance(7 * DAY + 1_000);
		expect((await edit(plain, { text: 'a' })).body).toEqual({
			success: false,
			message: expect.any(String),
		});
		expect((await edit(withKeyboard, { text: 'a' })).body).toEqual({ success: true });
		expect((await edit(inGroup, { text: 'a' })).body).toEqual({ success: true });
	});
});

describe('deleting', () => {
	const remove = (mid: string) => bot.delete(`/messages?message_id=${mid}`);

	it('removes own messages', async () => {
		const mid = await sent();
		expect((await remove(mid)).body).toEqual({ success: true });
		expect(await bot.get(`/messages/${mid}`)).toMatchObject(refused(404, 'not.found'));
		expect(await remove(mid)).toMatchObject(refused(404, 'not.found'));
		expect(await bot.delete('/messages')).toMatchObject(
			bad('Missing required parameter: message_id'),
		);
	});

	it("takes a person's message away only in groups, with the right to write", async () => {
		const inDialog = await scene.control.userWrites(chatId, 'Mine');
		expect(await remove(inDialog.body.mid)).toMatchObject(refused(403, 'access.denied'));
		const write = async (permissions: string[]) => {
			const group = await scene.group(bot, { permissions });
			const message = { user_id: group.ownerId, text: 'a' };
			return (await scene.control.userWrites(group.chatId, message)).body.mid;
		};
		expect(await remove(await write(['read_all_messages']))).toMatchObject(
			refused(403, 'access.denied'),
		);
		const allowed = await write(['read_all_messages', 'write']);
		expect((await remove(allowed)).body).toEqual({ success: true });
	});

	it('needs the right to delete for posts of others', async () => {
		const write = async (permissions: string[]) => {
			const channel = await scene.group(bot, { type: 'channel', permissions });
			const message = { user_id: channel.ownerId, text: 'a' };
			return (await scene.control.userWrites(channel.chatId, message)).body.mid;
		};
		expect(await remove(await write(['read_all_messages', 'write']))).toMatchObject(
			refused(403, 'access.denied'),
		);
		const allowed = await write(['read_all_messages', 'delete']);
		expect((await remove(allowed)).body).toEqual({ success: true });
	});
});

describe('reading', () => {
	it('gives the newest first, as many as asked for', async () => {
		const dialog = await scene.dialog(bot);
		for (const text of ['1', '2', '3']) await sent(text, {}, dialog.chatId);
		const texts = async (query: string) =>
			(await bot.get(`/messages?chat_id=${dialog.chatId}${query}`)).body.messages.map(
				({ body }: { body: { text: string } }) => body.text,
			);
		expect(await texts('')).toEqual(['3', '2', '1']);
		expect(await texts('&count=2')).toEqual(['3', '2']);
		const messages = await scene.control.messages(dialog.chatId);
		const time = messages[1]?.timestamp ?? 0;
		expect(await texts(`&before=${time}`)).toEqual(['2', '1']);
		expect(await texts(`&after=${time}`)).toEqual(['3', '2']);
		expect(await texts(`&from=${time}&to=${time}`)).toEqual(['2']);
		expect(await texts(`&after=${time + 100_000}`)).toEqual([]);
	});

	it.each([
		['0', "Field 'count' value (0) must be at least 1"],
		['101', "Field 'count' value (101) must be at most 100"],
	])('refuses a count of %s', async (count, message) => {
		expect(await bot.get(`/messages?chat_id=${chatId}&count=${count}`)).toMatchObject(bad(message));
	});

	it('takes ids with commas and repeated, and leaves out what it does not find', async () => {
		const mids = [await sent('1'), await sent('2')];
		const read = async (query: string) => (await bot.get(`/messages?${query}`)).body.messages;
		expect(await read(`message_ids=${mids.join(',')},mid.0`)).toHaveLength(2);
		expect(await read(`message_ids=${mids[0]}&message_ids=${mids[1]}`)).toHaveLength(2);
		expect(await bot.get('/messages')).toMatchObject(refused(400, 'proto.payload'));
	});

	it('reads one message, unless it is not for the bot', async () => {
		const { body } = await scene.control.userWrites(chatId, 'Mine');
		expect((await bot.get(`/messages/${body.mid}`)).body).toMatchObject({
			sender: { user_id: userId },
			recipient: { user_id: bot.id },
		});
		const other = await scene.bot();
		expect(await other.get(`/messages/${body.mid}`)).toMatchObject(refused(404, 'not.found'));
	});

	it('reads groups only with the right to read all', async () => {
		const plain = await scene.group(bot, { permissions: null });
		expect(await bot.get(`/messages?chat_id=${plain.chatId}`)).toMatchObject(
			refused(403, 'access.denied'),
		);
		const own = await sent('a', {}, plain.chatId);
		expect((await bot.get(`/messages/${own}`)).status).toBe(200);
		const reader = await scene.group(bot, { permissions: ['read_all_messages'] });
		expect((await bot.get(`/messages?chat_id=${reader.chatId}`)).status).toBe(200);
	});

	it('reads no dialog of a person who stopped the bot', async () => {
		const dialog = await scene.dialog(bot);
		await scene.control.treatDialog(dialog.chatId, 'stop');
		expect(await bot.get(`/messages?chat_id=${dialog.chatId}`)).toMatchObject(
			refused(403, 'chat.denied'),
		);
	});
});
