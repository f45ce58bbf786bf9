import { type BotClient, fails, isBad, keyboard, refuses, Scene, succeeds } from './scene';
import type { ControlId } from './control-types';
import { sendForm } from './uploads/testing';

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
	it('replaces the markup together with the text', async () => {
		const mid = await sent('**a**', { format: 'markdown' });
		await edit(mid, { text: 'plain' });
		expect((await shown(mid)).markup).toBeUndefined();
	});

	it('refuses an edit that would leave nothing', async () => {
		const mid = await sent();
		await refuses(edit(mid, { text: '' }), 'proto.payload');
		expect((await shown(mid)).text).toBe('Before');
	});

	it('wants the message id in the query and nowhere else', async () => {
		const mid = await sent();
		await isBad(bot.put('/messages', { text: 'a' }), 'Missing required parameter: message_id');
		await refuses(bot.put('/messages', { text: 'a', message_id: mid }), 'proto.payload');
		await refuses(edit(mid, { text: 'a', message_id: mid }), 'proto.payload');
	});

	it('refuses messages of others and messages that are not there', async () => {
		const { body } = await scene.control.userWrites(chatId, 'Mine');
		await refuses(edit(body.mid, { text: 'a' }), 'access.denied');
		await refuses(edit('mid.0', { text: 'a' }), 'not.found');
	});

	it('answers attachment.not.ready like sending does', async () => {
		const mid = await sent();
		await scene.control.setSettings({ ready_after_ms: 60_000 });
		const { url } = (await bot.post('/uploads?type=file')).body;
		const { token } = JSON.parse((await sendForm(url, 'a.txt', Buffer.from('a'))).body);
		await scene.control.setSettings({ ready_after_ms: 0 });
		const attachments = [{ type: 'file', payload: { token } }];
		await refuses(edit(mid, { attachments }), 'attachment.not.ready');
	});
});

describe('editing after a week', () => {
	it('is unsuccessful in dialogs, except with a keyboard', async () => {
		const plain = await sent();
		const withKeyboard = await sent('Before', { attachments: [keyboard] });
		const group = await scene.group(bot);
		const inGroup = await sent('Before', {}, group.chatId);
		await scene.control.advance(7 * DAY + 1_000);
		await fails(edit(plain, { text: 'a' }));
		await succeeds(edit(withKeyboard, { text: 'a' }));
		await succeeds(edit(inGroup, { text: 'a' }));
	});
});

describe('deleting', () => {
	const remove = (mid: string) => bot.delete(`/messages?message_id=${mid}`);

	it('removes own messages', async () => {
		const mid = await sent();
		await succeeds(remove(mid));
		await refuses(bot.get(`/messages/${mid}`), 'not.found');
		await refuses(remove(mid), 'not.found');
		await isBad(bot.delete('/messages'), 'Missing required parameter: message_id');
	});

	it("takes a person's message away only in groups, with the right to write", async () => {
		const inDialog = await scene.control.userWrites(chatId, 'Mine');
		await refuses(remove(inDialog.body.mid), 'access.denied');
		const write = async (permissions: string[]) => {
			const group = await scene.group(bot, { permissions });
			const message = { user_id: group.ownerId, text: 'a' };
			return (await scene.control.userWrites(group.chatId, message)).body.mid;
		};
		await refuses(remove(await write(['read_all_messages'])), 'access.denied');
		const allowed = await write(['read_all_messages', 'write']);
		await succeeds(remove(allowed));
	});

	it('needs the right to delete for posts of others', async () => {
		const write = async (permissions: string[]) => {
			const channel = await scene.group(bot, { type: 'channel', permissions });
			const message = { user_id: channel.ownerId, text: 'a' };
			return (await scene.control.userWrites(channel.chatId, message)).body.mid;
		};
		await refuses(remove(await write(['read_all_messages', 'write'])), 'access.denied');
		const allowed = await write(['read_all_messages', 'delete']);
		await succeeds(remove(allowed));
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
		await isBad(bot.get(`/messages?chat_id=${chatId}&count=${count}`), message);
	});

	it('takes ids with commas and repeated, and leaves out what it does not find', async () => {
		const mids = [await sent('1'), await sent('2')];
		const read = async (query: string) => (await bot.get(`/messages?${query}`)).body.messages;
		expect(await read(`message_ids=${mids.join(',')},mid.0`)).toHaveLength(2);
		expect(await read(`message_ids=${mids[0]}&message_ids=${mids[1]}`)).toHaveLength(2);
		await refuses(bot.get('/messages'), 'proto.payload');
	});

	it('reads one message, unless it is not for the bot', async () => {
		const { body } = await scene.control.userWrites(chatId, 'Mine');
		expect((await bot.get(`/messages/${body.mid}`)).body).toMatchObject({
			sender: { user_id: userId },
			recipient: { user_id: bot.id },
		});
		const other = await scene.bot();
		await refuses(other.get(`/messages/${body.mid}`), 'not.found');
	});

	it('reads groups only with the right to read all', async () => {
		const plain = await scene.group(bot, { permissions: null });
		await refuses(bot.get(`/messages?chat_id=${plain.chatId}`), 'access.denied');
		const own = await sent('a', {}, plain.chatId);
		expect((await bot.get(`/messages/${own}`)).status).toBe(200);
		const reader = await scene.group(bot, { permissions: ['read_all_messages'] });
		expect((await bot.get(`/messages?chat_id=${reader.chatId}`)).status).toBe(200);
	});

	it('reads no dialog of a person who stopped the bot', async () => {
		const dialog = await scene.dialog(bot);
		await scene.control.treatDialog(dialog.chatId, 'stop');
		await refuses(bot.get(`/messages?chat_id=${dialog.chatId}`), 'chat.denied');
	});
});
