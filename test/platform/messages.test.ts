import { type BotClient, isBad, keyboard, refuses, Scene } from './scene';
import type { ControlId } from './control-types';

const scene = Scene.forAllTests();
let bot: BotClient;
let userId: ControlId;
let chatId: ControlId;

beforeAll(async () => {
	bot = await scene.bot({ first_name: 'Clerk' });
	({ userId, chatId } = await scene.dialog(bot));
});

describe('sending', () => {
	it('answers with the message as the wire facts show it', async () => {
		const { status, body } = await bot.say(chatId, 'Hello');
		expect(status).toBe(200);
		expect(body.message).toMatchObject({
			sender: { user_id: bot.id, is_bot: true, name: 'Clerk' },
			recipient: { chat_id: chatId, chat_type: 'dialog', user_id: userId },
			timestamp: expect.any(Number),
			body: { text: 'Hello' },
		});
		expect(Object.keys(body.message.body)).toEqual(['mid', 'seq', 'text']);
	});

	it('takes text literally without a format', async () => {
		const { body } = await bot.say(chatId, '**a** <b>');
		expect(body.message.body).toMatchObject({ text: '**a** <b>' });
		expect(body.message.body.markup).toBeUndefined();
	});

	it('makes mid and seq by the scheme, seq as a raw integer beyond 2^53', async () => {
		const { body, text } = await bot.say(chatId, 'Hello');
		const { mid, seq } = body.message.body;
		expect(typeof seq).toBe('bigint');
		expect(text).toContain(`"seq":${seq},`);
		expect(seq >> 16n).toBe(BigInt(body.message.timestamp));
		const hex = (value: bigint) => BigInt.asUintN(64, value).toString(16).padStart(16, '0');
		expect(mid).toBe(`mid.${hex(BigInt(chatId))}${hex(seq)}`);
	});

	it('can give messages the same time, but never two edits', async () => {
		await scene.control.setSettings({ time_step_ms: 60_000 });
		await bot.updates();
		const { body } = await scene.control.userWrites(chatId, 'One');
		await scene.control.userWrites(chatId, 'Two');
		for (const text of ['Three', 'Four']) await scene.control.userEdits(body.mid, { text });
		await scene.control.setSettings({ time_step_ms: 1 });
		const updates = await bot.updates();
		const [one, two, three, four] = updates.map(({ timestamp }) => timestamp);
		expect(updates.map(({ message }) => message.body.text)).toEqual([
			'One',
			'Two',
			'Three',
			'Four',
		]);
		expect(two).toBe(one);
		expect(four).toBeGreaterThan(three);
		expect(updates[1].message.body.seq).toBeGreaterThan(updates[0].message.body.seq);
	});

	it('accepts 4000 characters and refuses 4001', async () => {
		expect((await bot.say(chatId, 'ж'.repeat(4000))).status).toBe(200);
		await isBad(bot.say(chatId, 'a'.repeat(4001)), "Field 'text' size (4001) must be at most 4000");
	});

	it.each([
		['nothing', {}],
		['null text', { text: null }],
		['an empty text', { text: '' }],
		['markup around nothing', { text: '<b></b>', format: 'html' }],
		['a line break alone', { text: '<br>', format: 'html' }],
		['no attachments', { attachments: [] }],
	])('refuses a message with %s', async (_what, message) => {
		await refuses(bot.post(`/messages?chat_id=${chatId}`, message), 'proto.payload');
	});

	it.each(['text', 'plain', 'md', ''])('refuses the format %p', async (format) => {
		await refuses(bot.say(chatId, 'a', { format }), 'proto.payload');
	});

	it('remembers for the person whether a link is previewed and a notification sent', async () => {
		const path = `/messages?chat_id=${chatId}&disable_link_preview=true`;
		const { body } = await bot.post(path, { text: 'https://example.org', notify: false });
		const seen = await scene.control.message(body.message.body.mid);
		expect(seen).toMatchObject({ link_preview: false, notify: false });
	});
});

describe('recipients', () => {
	it('refuses a message without recipient, with two, and with one in the body', async () => {
		const message = { text: 'a' };
		for (const query of ['', `?chat_id=${chatId}&user_id=${userId}`]) {
			await isBad(bot.post(`/messages${query}`, message), 'Unknown recipient');
		}
		await isBad(bot.post('/messages', { ...message, chat_id: chatId }), 'Unknown recipient');
	});

	it('checks the body before it looks for the recipient', async () => {
		await isBad(bot.post('/messages?chat_id=-5', { text: 7 }), "Can't deserialize body");
		await refuses(
			bot.post('/messages?chat_id=-5', { text: 'a' }),
			'chat.not.found',
			'Chat -5 not found',
		);
	});

	it('refuses chat 0, and ids that are not integers', async () => {
		await refuses(bot.say(0, 'a'), 'chat.denied', 'Invalid chatId: 0');
		for (const id of ['abc', '1.5', '99999999999999999999', '0x10']) {
			await refuses(bot.say(id, 'a'), 'proto.payload');
		}
	});

	it('does not know a person who never started the bot', async () => {
		const stranger = await scene.control.createUser();
		await refuses(
			bot.post(`/messages?user_id=${stranger.user_id}`, { text: 'a' }),
			'dialog.not.found',
			'Dialog not found',
		);
	});

	it('refuses the dialog of another bot and a chat that the bot is not in', async () => {
		const other = await scene.bot();
		await refuses(other.say(chatId, 'a'), 'chat.denied');
		const group = await scene.group(other);
		await refuses(bot.say(group.chatId, 'a'), 'chat.denied');
	});

	it('is refused by a person who stopped the bot until he starts it again', async () => {
		const dialog = await scene.dialog(bot);
		await scene.control.treatDialog(dialog.chatId, 'stop');
		await refuses(
			bot.say(dialog.chatId, 'a'),
			'chat.denied',
			`Key: error.dialog.suspended, args: [${dialog.userId},].`,
		);
		await scene.control.startBot(bot.id, dialog.userId);
		expect((await bot.say(dialog.chatId, 'a')).status).toBe(200);
	});

	it('is refused as long as the bot is not approved', async () => {
		const fresh = await scene.bot({ approved: false });
		const dialog = await scene.dialog(fresh);
		await refuses(fresh.say(dialog.chatId, 'a'), 'chat.denied');
		await scene.control.changeBot(fresh.id, { approved: true });
		expect((await fresh.say(dialog.chatId, 'a')).status).toBe(200);
	});

	it('keeps ids beyond 2^53 exact in query, path, body and answer', async () => {
		const id = '9007199254740993';
		await scene.control.createUser({ user_id: id });
		const { chat_id } = await scene.control.startBot(bot.id, id);
		expect(chat_id).toBe(String(BigInt(bot.id) ^ BigInt(id)));
		const sent = await bot.post(`/messages?user_id=${id}`, { text: 'a' });
		expect(sent.text).toContain(`"user_id":${id}`);
		expect((await bot.get(`/chats/${chat_id}`)).text).toContain(`"chat_id":${chat_id}`);
		const group = await scene.group(bot);
		const added = await bot.post(`/chats/${group.chatId}/members`, `{"user_ids":[${id}]}`);
		expect(added.body).toEqual({ success: true });
		const { members } = await scene.control.chat(group.chatId);
		expect(members?.map((member) => member.user_id)).toContain(id);
	});
});

describe('channels', () => {
	it('takes posts only from administrators with the right to write', async () => {
		const plain = await scene.group(bot, { type: 'channel', permissions: null });
		await refuses(
			bot.say(plain.chatId, 'a'),
			'chat.denied',
			'chat.send.msg.no.permission.because.not.admin',
		);
		const reader = await scene.group(bot, { type: 'channel', permissions: ['read_all_messages'] });
		await refuses(bot.say(reader.chatId, 'a'), 'chat.denied');
	});

	it('shows posts without sender, with statistics and, when public, with a url', async () => {
		const { chatId: id } = await scene.group(bot, {
			type: 'channel',
			is_public: true,
			link: 'https://service.invalid/news',
		});
		const { message } = (await bot.say(id, 'News')).body;
		expect(message.sender).toBeUndefined();
		expect(message.stat).toEqual({ views: 0 });
		expect(message.url).toContain('https://service.invalid/news/');
		expect(message.recipient).toEqual({ chat_id: id, chat_type: 'channel' });
	});

	it('refuses posts and their edits without notification', async () => {
		const { chatId: id } = await scene.group(bot, { type: 'channel' });
		const silent = { text: 'a', notify: false };
		const needed = "Field 'notify' must be true or omitted for channels";
		await isBad(bot.post(`/messages?chat_id=${id}`, silent), needed);
		const { mid } = (await bot.say(id, 'News')).body.message.body;
		await isBad(bot.put(`/messages?message_id=${mid}`, silent), needed);
	});
});

describe('replies and forwards', () => {
	it('forwards without text of its own, without the buttons, with the chat of origin', async () => {
		const group = await scene.group(bot);
		const origin = await bot.say(group.chatId, 'Vote', { attachments: [keyboard] });
		const { mid } = origin.body.message.body;
		const { status, body } = await bot.post(`/messages?chat_id=${chatId}`, {
			link: { type: 'forward', mid },
		});
		expect(status).toBe(200);
		expect(body.message.link).toMatchObject({ type: 'forward', chat_id: group.chatId });
		expect(body.message.link.message).toMatchObject({ mid, text: 'Vote' });
		expect(body.message.link.message.attachments).toBeUndefined();
	});

	it('refuses forwards that the chat of origin forbids', async () => {
		const group = await scene.group(bot, { forward_forbidden: true });
		const { mid } = (await bot.say(group.chatId, 'Secret')).body.message.body;
		const link = { type: 'forward', mid };
		await refuses(bot.post(`/messages?chat_id=${chatId}`, { link }), 'chat.denied');
	});

	it.each([
		['an unknown message', { type: 'reply', mid: 'mid.0' }, 404],
		['an unknown type', { type: 'quote', mid: 'mid.0' }, 400],
		['no message', { type: 'reply' }, 400],
		['an impossible message id', { type: 'reply', mid: 'mid 0' }, 400],
	])('refuses a link to %s', async (_what, link, status) => {
		expect((await bot.say(chatId, 'a', { link })).status).toBe(status);
	});

	it('refuses a reply into another chat', async () => {
		const group = await scene.group(bot);
		const { mid } = (await bot.say(group.chatId, 'a')).body.message.body;
		const link = { type: 'reply', mid };
		await refuses(bot.say(chatId, 'a', { link }), 'not.found');
	});
});
