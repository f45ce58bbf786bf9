import { type BotClient, isBad, refuses, Scene } from './scene';
import type { ControlId } from './control-types';

const scene = Scene.forAllTests();
let bot: BotClient;
let chatId: ControlId;

beforeAll(async () => {
	bot = await scene.bot({ username: 'clerk_bot' });
	({ chatId } = await scene.dialog(bot));
});

const callback = (payload = 'a') => ({ type: 'callback', text: 'A', payload });

const link = (url: string) => ({ type: 'link', text: 'A', url });

const send = (buttons: unknown, text: string | undefined = 'Pick') =>
	bot.post(`/messages?chat_id=${chatId}`, {
		text,
		attachments: [{ type: 'inline_keyboard', payload: { buttons } }],
	});

const sendOne = (button: object) => send([[button]]);

it('gives the keyboard an id and callback buttons the default intent', async () => {
	const { body } = await sendOne({ ...callback(), intent: 'positive' });
	const [keyboard] = body.message.body.attachments;
	expect(keyboard.callback_id).toMatch(/^[\w-]{120}$/);
	expect(keyboard.payload.buttons).toEqual([[{ ...callback(), intent: 'default' }]]);
});

it('needs text or another attachment beside it', async () => {
	await refuses(send([[callback()]], ''), 'proto.payload');
});

describe('sizes', () => {
	const rows = (count: number, length: number, button: object = callback()) =>
		Array.from({ length: count }, () => Array.from({ length }, () => button));

	it('takes 30 rows of 7 buttons, and no more', async () => {
		expect((await send(rows(30, 7))).status).toBe(200);
		await isBad(send(rows(31, 1)), 'errors.maxRows');
		await isBad(send(rows(1, 8)), 'errors.maxRowSize');
	});

	it('takes 3 buttons in a row that holds a wide one', async () => {
		const wide = link('https://example.org');
		expect((await send(rows(1, 3, wide))).status).toBe(200);
		await isBad(send([[wide, callback(), callback(), callback()]]), 'errors.maxRowSize');
	});

	it('takes no empty keyboard and no empty row', async () => {
		await refuses(send([]), 'proto.payload');
		await refuses(send([[]]), 'proto.payload');
	});

	it.each([
		[
			'label',
			{ ...callback(), text: 'a'.repeat(129) },
			"Field 'text' size (129) must be at most 128",
		],
		['callback', callback('a'.repeat(1025)), "Field 'payload' size (1025) must be at most 1024"],
		[
			'clipboard',
			{ type: 'clipboard', text: 'A', payload: 'a'.repeat(1025) },
			"Field 'payload' size (1025) must be at most 1024",
		],
		[
			'url',
			link(`https://example.org/${'a'.repeat(2048)}`),
			"Field 'url' size (2068) must be at most 2048",
		],
		['empty label', { ...callback(), text: '' }, "Field 'text' size (0) must be at least 1"],
	])('limits the %s', async (_what, button, message) => {
		await isBad(sendOne(button), message);
	});
});

describe('shape', () => {
	it.each([
		['a flat list', [callback()]],
		['an object', {}],
		['a text', 'a'],
		['a text as row', ['a']],
		['a text as button', [['a']]],
		['an unknown type', [[{ type: 'chat', text: 'A' }]]],
		['a type of every object', [[{ type: 'constructor', text: 'A' }]]],
		['no type', [[{ text: 'A' }]]],
		['an object as app', [[{ type: 'open_app', text: 'A', web_app: {} }]]],
	])('refuses %s', async (_what, buttons) => {
		await isBad(send(buttons), "Can't deserialize body");
	});

	it.each([
		['no payload', { type: 'callback', text: 'A' }, "Field 'payload' cannot be null"],
		['no url', { type: 'link', text: 'A' }, "Field 'url' cannot be null"],
		['no label', { type: 'message' }, "Field 'text' cannot be null"],
		['no app', { type: 'open_app', text: 'A', contact_id: 1 }, "Field 'webApp' cannot be null"],
	])('refuses a button with %s', async (_what, button, message) => {
		await isBad(sendOne(button), message);
	});

	it('knows only mini-apps of bots that exist', async () => {
		const button = { type: 'open_app', text: 'A', web_app: 'nobody' };
		await refuses(sendOne(button), 'not.found');
	});

	it('knows them by a link too, and shows whom the app is about', async () => {
		const web_app = 'https://service.invalid/clerk_bot?startapp=a';
		const button = { type: 'open_app', text: 'A', web_app, contact_id: 7 };
		const { status, body } = await sendOne(button);
		expect(status).toBe(200);
		expect(body.message.body.attachments[0].payload.buttons).toEqual([[button]]);
	});

	it('limits what an app is opened with', async () => {
		const button = { type: 'open_app', text: 'A', web_app: 'clerk_bot' };
		await isBad(
			sendOne({ ...button, payload: 'a b' }),
			"Field 'payload' does not match required pattern",
		);
		await isBad(
			sendOne({ ...button, payload: 'a'.repeat(513) }),
			"Field 'payload' size (513) must be at most 512",
		);
	});
});

describe('links', () => {
	it.each(['http://example.org', 'https://127.0.0.1:5678/a', 'http://[::1]/', 'https://a.b.org/x'])(
		'takes %s',
		async (url) => {
			expect((await sendOne(link(url))).status).toBe(200);
		},
	);

	it.each([
		'ftp://example.org',
		'javascript:alert(1)',
		'mailto:a@example.org',
		'example.org',
		'',
		'https://bot.test/a',
		'https://printer.local',
		'http://localhost:5678',
		'https://a.invalid',
		'https://intranet',
	])('refuses %p', async (url) => {
		await isBad(sendOne(link(url)), 'Must have only http/https links format in buttons');
	});
});

describe('presses', () => {
	const press = async (button: object, how: object = {}) => {
		const { message } = (await sendOne(button)).body;
		const pressed = await scene.control.press(message.body.mid, how);
		return { pressed, updates: await bot.updates(), mid: message.body.mid };
	};

	it('tells the bot about a callback, with the message that holds the keyboard', async () => {
		const { updates, pressed, mid } = await press(callback('order:17'), { payload: 'order:17' });
		expect(updates).toHaveLength(1);
		const [{ callback: told, message, ...envelope }] = updates;
		expect(envelope).toMatchObject({ update_type: 'message_callback', user_locale: 'en' });
		expect(told).toMatchObject({
			callback_id: pressed.callback_id,
			payload: 'order:17',
			timestamp: envelope.timestamp,
			user: { first_name: 'Vera' },
		});
		expect(message.body.mid).toBe(mid);
		expect(message.body.attachments[0].callback_id).toBe(pressed.callback_id);
	});

	it('gives two presses of one person the same id and different times', async () => {
		const { mid } = (await sendOne(callback())).body.message.body;
		const ids = [await scene.control.press(mid), await scene.control.press(mid)];
		expect(ids[0]?.callback_id).toBe(ids[1]?.callback_id);
		const times = (await bot.updates()).map((update) => update.callback.timestamp);
		expect(times[0]).toBeLessThan(times[1]);
	});

	it('can give every press an id of its own', async () => {
		await scene.control.setSettings({ callback_ids: 'press' });
		const { mid } = (await sendOne(callback())).body.message.body;
		const ids = [await scene.control.press(mid), await scene.control.press(mid)];
		await scene.control.setSettings({ callback_ids: 'keyboard' });
		expect(ids[0]?.callback_id).not.toBe(ids[1]?.callback_id);
		await bot.updates();
	});

	it('leaves the message out when it was deleted meanwhile', async () => {
		const { mid } = (await sendOne(callback())).body.message.body;
		await bot.delete(`/messages?message_id=${mid}`);
		await scene.control.press(mid);
		const [update] = await bot.updates();
		expect(update.callback.payload).toBe('a');
		expect(update.message).toBeUndefined();
	});

	it('refuses to press a button that does not exist', async () => {
		const { mid } = (await sendOne(callback())).body.message.body;
		await expect(scene.control.press(mid, { payload: 'b' })).rejects.toThrow('no such button');
		await expect(scene.control.press(mid, { row: 1 })).rejects.toThrow('no such button');
	});
});
