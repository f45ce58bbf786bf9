import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page, Route } from 'playwright-core';
import { BrowserPage } from '../n8n/support/browser';
import { waitFor } from '../support/wait';
import type { ShownUser } from './control-shown';
import { barriers, outOfReach } from './looks';
import { type BotClient, Scene } from './scene';

const PIXEL = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
	'base64',
);

/** A clip of less than a second, 160 × 90, as recorded by a browser. */
const CLIP = readFileSync(join(__dirname, 'clip.webm'));

/** The fields of an update that the tests read. */
interface Update {
	update_type: string;
	message?: { body: { text?: string; attachments?: { type: string }[] } };
	callback?: { callback_id: string; payload: string };
}

const scene = Scene.forAllTests({
	openAs: { 'https://bot.example.org/': 'https://reachable.example/' },
});
let browser: BrowserPage;
let page: Page;
let bot: BotClient;
let vera: ShownUser;
let updates: Update[];

/** The next update of this type that the bot polls. */
function nextUpdate(type: string): Promise<Update> {
	return waitFor(
		async () => {
			updates.push(...(await bot.updates()));
			const index = updates.findIndex(({ update_type }) => update_type === type);
			return index < 0 ? undefined : updates.splice(0, index + 1).at(-1);
		},
		{ what: type, interval: 10 },
	);
}

const keyboard = (...rows: object[][]) => [{ type: 'inline_keyboard', payload: { buttons: rows } }];
const messages = () => page.getByTestId('message');
const key = (text: string) => page.getByTestId('key').filter({ hasText: text });
const count = (locator: Locator, wanted: number) =>
	waitFor(async () => (await locator.count()) === wanted, { what: `${wanted} elements` });

/** Opens the window for a user, with a chat selected. */
async function open(user: ShownUser, chatId?: number | string): Promise<void> {
	const chat = chatId === undefined ? '' : `&chat=${chatId}`;
	await page.goto('about:blank');
	await page.goto(`${scene.platform.controlUrl}/#user=${user.user_id}${chat}`);
	await page.locator('body[data-ready=true]').waitFor();
}

/** A dialog of Vera and the bot, open in the window. */
async function openDialog(): Promise<number | string> {
	const { chat_id } = await scene.control.createDialog(bot.id, vera.user_id);
	await open(vera, chat_id);
	return chat_id;
}

async function write(text: string): Promise<void> {
	await page.getByTestId('composer-text').fill(text);
	await page.keyboard.press('Enter');
	await messages().filter({ hasText: text }).last().waitFor();
}

async function sendFile(file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> {
	await page.getByTestId('composer-file').setInputFiles(file);
	await page.getByTestId('composer-context').filter({ hasText: file.name }).waitFor();
	await page.getByTestId('send').click();
}

/** Presses a link button, which has to open a page with this address. */
async function opens(button: Locator, url: string): Promise<void> {
	const popup = page.waitForEvent('popup');
	await button.click();
	const opened = await popup;
	await opened.waitForURL(url);
	await opened.close();
}

async function choose(message: Locator, item: string): Promise<void> {
	await message.getByTestId('message-menu').click();
	await page.getByRole('menuitem', { name: item }).click();
}

beforeAll(async () => {
	browser = await BrowserPage.open();
	({ page } = browser);
}, 120_000);
afterAll(async () => await browser.close());

beforeEach(async () => {
	await scene.control.clearJournal();
	bot = await scene.bot({ first_name: 'Clerk' });
	vera = await scene.control.createUser({ first_name: 'Vera', last_name: 'Orlova' });
	updates = [];
	browser.problems = [];
});
afterEach(async () => {
	const { problems } = browser;
	await page.goto('about:blank');
	expect(problems).toEqual([]);
});

describe('The messenger window', () => {
	it('lets a user start a bot with the payload of a deep link', async () => {
		await open(vera);
		await page.getByTestId('new-chat').click();
		await page.locator('select[name=bot_id]').selectOption(String(bot.id));
		await page.getByLabel('Payload of the deep link').fill('campaign_42');
		await page.getByRole('button', { name: 'Open' }).click();
		await page.getByRole('heading', { name: 'Clerk' }).waitFor();
		expect(await nextUpdate('bot_started')).toMatchObject({
			payload: 'campaign_42',
			user: { user_id: vera.user_id },
		});
	});

	it('carries a conversation: text, the answer, a press, and the notification', async () => {
		const chatId = await openDialog();
		await write('Where is my parcel?');
		expect((await nextUpdate('message_created')).message?.body.text).toBe('Where is my parcel?');
		await bot.say(chatId, '**Order 17** is _on its way_', {
			format: 'markdown',
			attachments: keyboard([{ type: 'callback', text: 'Thanks', payload: 'ok' }]),
		});
		await page.locator('strong', { hasText: 'Order 17' }).waitFor();
		await key('Thanks').click();
		const { callback } = await nextUpdate('message_callback');
		expect(callback?.payload).toBe('ok');
		await page.locator('.key.waiting').waitFor();
		const id = encodeURIComponent(callback?.callback_id ?? '');
		await bot.post(`/answers?callback_id=${id}`, {
			notification: 'You are welcome',
			message: { text: 'Order 17: thanked for', attachments: [] },
		});
		await page.getByTestId('toast').filter({ hasText: 'You are welcome' }).waitFor();
		await messages().filter({ hasText: 'Order 17: thanked for' }).waitFor();
		await count(page.getByTestId('key'), 0);
	});

	it('does what each kind of button is for', async () => {
		const chatId = await openDialog();
		await bot.say(chatId, 'Choose', {
			attachments: keyboard(
				[
					{ type: 'request_contact', text: 'Contact' },
					{ type: 'request_geo_location', text: 'Place' },
				],
				[
					{ type: 'message', text: 'Say this' },
					{ type: 'clipboard', text: 'Copy', payload: 'copied text' },
				],
				[{ type: 'link', text: 'Page', url: 'https://example.org/page' }],
			),
		});
		await key('Contact').click();
		expect((await nextUpdate('message_created')).message?.body.attachments).toMatchObject([
			{ type: 'contact' },
		]);
		await key('Place').click();
		expect((await nextUpdate('message_created')).message?.body.attachments).toMatchObject([
			{ type: 'location' },
		]);
		await key('Say this').click();
		expect((await nextUpdate('message_created')).message?.body.text).toBe('Say this');
		await page.getByTestId('attachment-contact').waitFor();
		await page.getByTestId('attachment-location').waitFor();
		await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
		await key('Copy').click();
		await page.getByTestId('toast').filter({ hasText: 'Copied' }).waitFor();
		expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('copied text');
		await opens(key('Page'), 'https://example.org/page');
	});

	it('opens an address that only the platform knows at the one that this browser reaches', async () => {
		const chatId = await openDialog();
		const url = 'https://bot.example.org/webhook-waiting/1?question=2';
		const button = { type: 'link', text: 'Respond', url };
		await bot.say(chatId, 'Fill in the form', { attachments: keyboard([button]) });
		await opens(key('Respond'), 'https://reachable.example/webhook-waiting/1?question=2');
	});

	it('lets a user edit, answer and delete, even before the answer to a request is there', async () => {
		const chatId = await openDialog();
		let release = () => {};
		const isEditing = new Promise<void>((resolve) => (release = resolve));
		const late = async (route: Route) => {
			const response = await route.fetch();
			await isEditing;
			await route.fulfill({ response });
		};
		await page.route('**/chats/*/messages', late, { times: 1 });
		await write('Pallet seven');
		await choose(messages().last(), 'Edit');
		await page
			.getByTestId('composer-context')
			.filter({ hasText: 'Editing Pallet seven' })
			.waitFor();
		const answered = page.waitForResponse('**/chats/*/messages');
		release();
		await answered;
		await write('Pallet eight');
		expect((await nextUpdate('message_edited')).message?.body.text).toBe('Pallet eight');
		await messages().filter({ hasText: 'edited' }).waitFor();
		await bot.say(chatId, 'Which shelf?');
		await choose(messages().filter({ hasText: 'Which shelf?' }), 'Reply');
		await write('The third');
		await page.getByTestId('quote').filter({ hasText: 'Which shelf?' }).waitFor();
		await choose(messages().filter({ hasText: 'Pallet eight' }), 'Delete');
		await nextUpdate('message_removed');
		await count(messages(), 2);
	});

	it('sends pictures and files, and shows them', async () => {
		await openDialog();
		const files = [
			{ name: 'box.png', mimeType: 'image/png', buffer: PIXEL },
			{ name: 'list.txt', mimeType: 'text/plain', buffer: Buffer.from('one\ntwo') },
		];
		for (const file of files) {
			await sendFile(file);
			const { message } = await nextUpdate('message_created');
			expect(message?.body.attachments).toMatchObject([
				{ type: file.name === 'box.png' ? 'image' : 'file' },
			]);
		}
		const image = page.getByTestId('attachment-image').locator('img');
		const isLoaded = () =>
			image.evaluate((element: HTMLImageElement) => element.naturalWidth === 1);
		await waitFor(isLoaded, { what: 'the picture' });
		await page.getByTestId('attachment-file').filter({ hasText: 'list.txt' }).waitFor();
	});

	it('never takes a text for HTML, nor follows a link that is a script', async () => {
		const chatId = await openDialog();
		const html = '<img src=x onerror="document.title=1">';
		await write(html);
		await bot.say(chatId, '[press](javascript:document.title=1)', { format: 'markdown' });
		await messages().filter({ hasText: 'press' }).waitFor();
		expect(await messages().first().getByTestId('text').textContent()).toBe(html);
		expect(await page.locator('.text img, .text a').count()).toBe(0);
		expect(await page.title()).toBe('Messenger');
	});

	it('shows what the bot does, and the pinned message of a group', async () => {
		const chat = await scene.control.createChat({
			title: 'Warehouse shift',
			owner_id: vera.user_id,
			admins: [{ user_id: bot.id }],
		});
		await open(vera, chat.chat_id);
		const { message } = (await bot.say(chat.chat_id, 'Night shift begins at ten')).body;
		await bot.post(`/chats/${chat.chat_id}/actions`, { action: 'typing_on' });
		await page.getByTestId('typing').filter({ hasText: 'Clerk is typing' }).waitFor();
		await bot.put(`/chats/${chat.chat_id}/pin`, { message_id: message.body?.mid });
		await page.getByTestId('pinned').filter({ hasText: 'Night shift begins at ten' }).waitFor();
		await bot.delete(`/chats/${chat.chat_id}/pin`);
		await page.getByTestId('pinned').waitFor({ state: 'hidden' });
	});

	it('shows what arrives in other chats, and for users that come later', async () => {
		await open(vera);
		const { chat_id } = await scene.control.createDialog(bot.id, vera.user_id);
		await bot.say(chat_id, 'Are you there?');
		const chat = page.getByTestId('chat').filter({ hasText: 'Are you there?' });
		await chat.locator('.unread').waitFor();
		await chat.click();
		await messages().filter({ hasText: 'Are you there?' }).waitFor();
		await count(page.locator('.unread'), 0);
		await page.getByTestId('new-user').click();
		await page.getByLabel('First name').fill('Oleg');
		await page.getByRole('button', { name: 'Create' }).click();
		await page.getByTestId('user-select').locator('option:checked', { hasText: 'Oleg' }).waitFor({
			state: 'attached',
		});
		await count(page.getByTestId('chat'), 0);
	});

	it('lists requests, events and deliveries as they happen, filtered and folded on demand', async () => {
		await bot.post('/subscriptions', { url: 'https://bot.example/hook' });
		await openDialog();
		await write('Hello');
		const entries = page.getByTestId('log-entry');
		const shown = entries.filter({ visible: true });
		await entries.filter({ hasText: 'message_created → https://bot.example/hook' }).waitFor();
		await entries.filter({ hasText: 'POST /subscriptions' }).waitFor();
		await entries.filter({ hasText: 'to Clerk' }).first().click();
		await page.locator('.entry pre', { hasText: '"text": "Hello"' }).waitFor();
		await page.getByTestId('log-filter').fill('subscriptions');
		await count(shown, 1);
		await page.getByRole('button', { name: 'Requests' }).click();
		await count(shown, 0);
		await page.getByTestId('log-toggle').click();
		await page.getByTestId('log-filter').waitFor({ state: 'hidden' });
	});

	it('says why a user cannot write', async () => {
		const chatId = await openDialog();
		await write('Soon gone');
		await scene.control.call('PATCH', `/chats/${chatId}`, { closed: true });
		await page.getByText('This chat is closed.').waitFor();
	});

	it('creates a bot, shows its token, and opens the dialog', async () => {
		await open(vera);
		await page.getByTestId('new-chat').click();
		await page.getByTestId('new-kind').selectOption('bot');
		const name = `Porter of ${vera.user_id}`;
		await page.getByLabel('Name', { exact: true }).fill(name);
		await page.getByRole('button', { name: 'Open' }).click();
		const token = await page.getByTestId('token').inputValue();
		const { bots } = await scene.control.state();
		expect(bots.find(({ first_name }) => first_name === name)?.token).toBe(token);
		await page.getByRole('button', { name: 'Done' }).click();
		await page.getByRole('heading', { name }).waitFor();
		await page.getByTestId('start').waitFor();
	});

	it('creates a group of the chosen people', async () => {
		await scene.control.createUser({ first_name: `Oleg of ${vera.user_id}` });
		await open(vera);
		await page.getByTestId('new-chat').click();
		await page.getByTestId('new-kind').selectOption('chat');
		await page.getByLabel('Name', { exact: true }).fill('Night shift');
		await page.getByRole('checkbox', { name: `Oleg of ${vera.user_id}` }).check();
		await page.locator(`input[name=members][value="${bot.id}"]`).check();
		await page.getByRole('button', { name: 'Open' }).click();
		await page.getByText('group, 3 members').waitFor();
		await nextUpdate('bot_added');
	});

	it('counts what a post has, in the singular for one', async () => {
		const owner_id = vera.user_id;
		const { chat_id } = await scene.control.createChat({ type: 'channel', owner_id });
		const { body } = await scene.control.userWrites(chat_id, { user_id: owner_id, text: 'News' });
		for (const counted of ['1 comment · 0 views', '2 comments · 0 views']) {
			await scene.control.userComments(body.mid, { user_id: owner_id, text: 'Fine' });
			await open(vera, chat_id);
			await messages().getByText(counted).waitFor();
		}
		await page.getByText('channel, 1 member', { exact: true }).waitFor();
	});

	it('lets a user stop a bot, and start it again', async () => {
		await openDialog();
		await write('Hello');
		await page.getByTestId('chat-menu').click();
		await page.getByRole('menuitem', { name: 'Stop the bot' }).click();
		await page.getByText('You stopped this bot.').waitFor();
		await page.getByRole('button', { name: 'Start again' }).click();
		await page.getByTestId('composer').waitFor();
		await nextUpdate('bot_started');
		await page.getByTestId('chat-menu').click();
		await page.getByRole('menuitem', { name: 'Clear' }).click();
		await count(messages(), 0);
		expect(await page.getByTestId('start').isVisible()).toBe(true);
	});

	it('follows the log beyond the entries that it keeps, but not while somebody reads above', async () => {
		await openDialog();
		const entries = page.getByTestId('log-entry');
		const list = page.getByRole('region', { name: 'Entries' });
		const request = (name: string) => bot.get(`/me?is=${name}`);
		/** The entries that are visible within the list's frame. */
		const seen = () =>
			list.evaluate((frame) => {
				const { top, bottom } = frame.getBoundingClientRect();
				const rows = [...frame.querySelectorAll('li')].filter((row) => {
					const place = row.getBoundingClientRect();
					return place.bottom > top && place.bottom < bottom + 1;
				});
				return rows.map((row) => row.textContent ?? '');
			});
		const isSeen = async (name: string) => (await seen()).at(-1)?.includes(`is=${name}`);
		for (let round = 0; round < 26; round += 1) {
			const names = Array.from({ length: 20 }, (_, index) => `${round * 20 + index}`);
			await Promise.all(names.map(request));
		}
		for (const name of ['first', 'second']) {
			await request(name);
			await waitFor(() => isSeen(name), { what: `the ${name} entry beyond the limit` });
			expect(await entries.count()).toBe(500);
		}

		await list.hover();
		await page.mouse.wheel(0, -1500);
		await waitFor(async () => !(await isSeen('second')), { what: 'older entries' });
		const [, read] = await seen();
		await request('third');
		await entries.filter({ hasText: 'is=third' }).waitFor({ state: 'attached' });
		expect((await seen())[1]).toBe(read);

		await list.focus();
		await page.keyboard.press('End');
		await waitFor(() => isSeen('third'), { what: 'the end' });
		await request('fourth');
		await waitFor(() => isSeen('fourth'), { what: 'the entry after the reader came back' });
	});

	it('plays a video, says what is known of it, and opens it', async () => {
		await openDialog();
		const file = { name: 'walk.webm', mimeType: 'video/webm', buffer: CLIP };
		await sendFile(file);
		const shown = page.getByTestId('attachment-video');
		const video = shown.locator('video');
		await shown.filter({ hasText: '0:01 · 160 × 90' }).waitFor();
		const hasPicture = () =>
			video.evaluate((element: HTMLVideoElement) => element.readyState >= 2 && element.controls);
		await waitFor(hasPicture, { what: 'the first picture' });
		expect(await video.evaluate((element) => element.clientHeight)).toBeGreaterThanOrEqual(90);
		const link = (await shown.getByRole('link').getAttribute('href')) ?? '';
		const opened = Buffer.from(await (await fetch(link)).arrayBuffer());
		expect(opened.equals(CLIP)).toBe(true);
	});

	it('shows a video that cannot be played as a card that opens it', async () => {
		const chatId = await openDialog();
		await scene.control.userWrites(chatId, { attachments: [{ type: 'video', size: 4000 }] });
		const shown = page.getByTestId('attachment-video');
		await shown.filter({ hasText: 'No preview' }).waitFor();
		expect(await shown.locator('video').count()).toBe(0);
		const link = (await shown.getByRole('link').getAttribute('href')) ?? '';
		expect((await (await fetch(link)).arrayBuffer()).byteLength).toBe(4000);
	});

	it('leaves the messages that are there alone when another one comes', async () => {
		const chatId = await openDialog();
		for (const text of ['One', 'Two', 'Three']) await write(text);
		await page.evaluate(() => {
			const list = document.querySelector('[data-testid=messages]');
			if (!list) throw new Error('no messages');
			const changed = new Set<string>();
			const observer = new MutationObserver((changes) => {
				for (const { target, addedNodes } of changes) {
					changed.add(target === list ? '' : (target.textContent ?? ''));
					for (const node of addedNodes) changed.add(node.textContent ?? '');
				}
				document.body.dataset.changed = [...changed].join('|');
			});
			observer.observe(list, {
				subtree: true,
				childList: true,
				attributes: true,
				characterData: true,
			});
		});
		await bot.say(chatId, 'Four');
		await messages().filter({ hasText: 'Four' }).waitFor();
		const changed = await page.evaluate(() => document.body.dataset.changed);
		expect(changed).toMatch(/^\|Four[\d:]+$/);
	});

	it('can be used with the keyboard alone', async () => {
		const chatId = await openDialog();
		const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-testid'));
		const press = async (...keys: string[]) => {
			for (const each of keys) await page.keyboard.press(each);
		};
		const input = page.getByTestId('composer-text');
		await input.focus();
		await page.keyboard.type('First line');
		await press('Shift+Enter');
		await page.keyboard.type('second line');
		let release = () => {};
		const pressed = new Promise<void>((resolve) => (release = resolve));
		await page.route('**/chats/*/messages', async (route) => {
			await pressed;
			await route.continue();
		});
		await press('Enter', 'Enter');
		release();
		await messages().waitFor();
		await page.unroute('**/chats/*/messages');
		await bot.say(chatId, 'Which line?');
		await messages().filter({ hasText: 'Which line?' }).waitFor();
		expect(await messages().getByTestId('text').allTextContents()).toEqual([
			'First line\nsecond line',
			'Which line?',
		]);
		expect(await input.inputValue()).toBe('');

		const menu = messages().last().getByTestId('message-menu');
		const item = (name: string) => page.getByRole('menuitem', { name, exact: true });
		const isFocused = (locator: Locator) =>
			waitFor(() => locator.evaluate((element) => element === document.activeElement), {
				what: `the focus on ${locator}`,
			});
		await menu.focus();
		await press('Enter');
		await isFocused(item('Reply'));
		await press('ArrowUp');
		await isFocused(item('Copy text'));
		await press('Escape');
		await isFocused(menu);
		await count(page.getByRole('menu'), 0);
		await press('Enter');
		await isFocused(item('Reply'));
		await press('Enter');
		await isFocused(input);
		await page.getByTestId('composer-context').filter({ hasText: 'Which line?' }).waitFor();
		await press('Escape');
		await count(page.getByTestId('composer-context'), 0);

		await page.getByTestId('user-select').focus();
		const order: (string | null | undefined)[] = [];
		for (let step = 0; step < 12; step += 1) {
			await press('Tab');
			order.push(await focused());
		}
		expect(order).toEqual([
			...'new-user new-chat chat chat-menu message-menu message-menu attach'.split(' '),
			...'composer-text send log-clear log-toggle log-filter'.split(' '),
		]);
	});

	it.each(['light', 'dark'] as const)('is accessible when it is %s', async (scheme) => {
		await page.emulateMedia({ colorScheme: scheme });
		const { chat_id } = await scene.control.startBot(bot.id, vera.user_id);
		await bot.say(chat_id, '**Bold** `code` ^^marked^^ [link](https://example.org)\n> quoted', {
			format: 'markdown',
			attachments: keyboard([{ type: 'callback', text: 'Press', payload: '1' }]),
		});
		const asked = await scene.control.userWrites(chat_id, 'Mine');
		const link = { type: 'reply' as const, mid: asked.body.mid };
		await scene.control.userWrites(chat_id, {
			text: 'Again',
			link,
			attachments: [{ type: 'contact' }],
		});
		await open(vera, chat_id);
		await choose(messages().last(), 'Edit');
		await page.getByTestId('log-entry').last().click();
		await page.locator('.entry pre').waitFor();
		expect(await barriers(page)).toEqual([]);
		await browser.screenshot(`messenger-${scheme}`);
		await page.emulateMedia({ colorScheme: null });
	});

	it.each([360, 400])('fits a screen of %i pixels, one column at a time', async (width) => {
		await page.setViewportSize({ width, height: 700 });
		try {
			const chatId = await openDialog();
			await write('Muchlongerthanthescreeniswide'.repeat(4));
			const file = { name: 'walk.webm', mimeType: 'video/webm', buffer: CLIP };
			await page.getByTestId('composer-file').setInputFiles(file);
			await bot.say(chatId, 'Choose', {
				attachments: keyboard(
					['One', 'Two', 'A-third-that-is-long'].map((text) => ({ type: 'message', text })),
				),
			});
			await key('third').waitFor();
			for (const view of ['chats', 'conversation', 'log']) {
				await page.getByTestId(`tab-${view}`).click();
				await page.locator(`#view-${view}`).waitFor();
				const others = page.locator(
					'#view-chats:visible, #view-conversation:visible, #view-log:visible',
				);
				expect(await others.count()).toBe(1);
				expect(await page.evaluate(outOfReach)).toEqual([]);
				await browser.screenshot(`messenger-${width}-${view}`);
			}
			await page.getByTestId('tab-chats').click();
			await page.getByTestId('new-chat').click();
			await page.getByRole('dialog').waitFor();
			expect(await page.evaluate(outOfReach)).toEqual([]);
		} finally {
			await page.setViewportSize({ width: 1440, height: 900 });
		}
	});
});
