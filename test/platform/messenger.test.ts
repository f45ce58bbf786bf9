import type { Locator, Page } from 'playwright-core';
import { BrowserPage } from '../n8n/browser';
import { waitFor } from '../support/wait';
import { Control, type Platform, startPlatform } from '.';
import type { ShownBot, ShownMessage, ShownUser } from './control';

const PIXEL = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
	'base64',
);

/** What a test reads of an update. */
interface Update {
	update_type: string;
	message?: { body: { text?: string; attachments?: { type: string }[] } };
	callback?: { callback_id: string; payload: string };
}

let platform: Platform;
let control: Control;
let browser: BrowserPage;
let page: Page;
let bot: ShownBot;
let vera: ShownUser;
let marker = 0;

/** What the bot says to the API. */
async function asBot<T>(method: string, path: string, body?: unknown): Promise<T> {
	const response = await fetch(platform.baseUrl + path, {
		method,
		headers: { authorization: bot.token ?? '', 'content-type': 'application/json' },
		...(body !== undefined && { body: JSON.stringify(body) }),
	});
	const text = await response.text();
	if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
	return JSON.parse(text) as T;
}

/** The next update of this type that the bot polls. */
function nextUpdate(type: string): Promise<Update> {
	return waitFor(
		async () => {
			const path = `/updates?timeout=1&limit=1&marker=${marker}`;
			const answer = await asBot<{ updates: Update[]; marker: number }>('GET', path);
			marker = answer.marker;
			return answer.updates.find(({ update_type }) => update_type === type);
		},
		{ what: type, interval: 10 },
	);
}

const say = (chatId: number | string, message: object) =>
	asBot<{ message: ShownMessage }>('POST', `/messages?chat_id=${chatId}`, message);

const keyboard = (...rows: object[][]) => [{ type: 'inline_keyboard', payload: { buttons: rows } }];
const messages = () => page.getByTestId('message');
const key = (text: string) => page.getByTestId('key').filter({ hasText: text });
const count = (locator: Locator, wanted: number) =>
	waitFor(async () => (await locator.count()) === wanted, { what: `${wanted} elements` });

/** Opens the window for a user, at a chat. */
async function open(user: ShownUser, chatId?: number | string): Promise<void> {
	const chat = chatId === undefined ? '' : `&chat=${chatId}`;
	await page.goto('about:blank');
	await page.goto(`${platform.controlUrl}/#user=${user.user_id}${chat}`);
	await page.locator('body[data-ready=true]').waitFor();
}

/** A dialog of Vera and the bot, open in the window. */
async function openDialog(): Promise<number | string> {
	const { chat_id } = await control.createDialog(bot.user_id, vera.user_id);
	await open(vera, chat_id);
	return chat_id;
}

async function write(text: string): Promise<void> {
	await page.getByTestId('composer-text').fill(text);
	await page.keyboard.press('Enter');
	await messages().filter({ hasText: text }).last().waitFor();
}

async function choose(message: Locator, item: string): Promise<void> {
	await message.getByTestId('message-menu').click();
	await page.getByRole('menuitem', { name: item }).click();
}

beforeAll(async () => {
	browser = await BrowserPage.open();
	({ page } = browser);
}, 120_000);
afterAll(() => browser.close());

beforeEach(async () => {
	platform = await startPlatform({ limits: { messages_per_second_per_chat: 0 } });
	control = new Control(platform.controlUrl);
	bot = await control.createBot({ first_name: 'Clerk' });
	vera = await control.createUser({ first_name: 'Vera', last_name: 'Orlova' });
	marker = 0;
	browser.problems = [];
});
afterEach(async () => {
	const { problems } = browser;
	await page.goto('about:blank');
	await platform.stop();
	expect(problems).toEqual([]);
});

describe('The messenger window', () => {
	it('lets a user start a bot with the payload of a deep link', async () => {
		await open(vera);
		await page.getByTestId('new-chat').click();
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
		await say(chatId, {
			text: '**Order 17** is _on its way_',
			format: 'markdown',
			attachments: keyboard([{ type: 'callback', text: 'Thanks', payload: 'ok' }]),
		});
		await page.locator('strong', { hasText: 'Order 17' }).waitFor();
		await key('Thanks').click();
		const { callback } = await nextUpdate('message_callback');
		expect(callback?.payload).toBe('ok');
		await page.locator('.key.waiting').waitFor();
		const id = encodeURIComponent(callback?.callback_id ?? '');
		await asBot('POST', `/answers?callback_id=${id}`, {
			notification: 'You are welcome',
			message: { text: 'Order 17: thanked for', attachments: [] },
		});
		await page.getByTestId('toast').filter({ hasText: 'You are welcome' }).waitFor();
		await messages().filter({ hasText: 'Order 17: thanked for' }).waitFor();
		await count(page.getByTestId('key'), 0);
	});

	it('does what each kind of button is for', async () => {
		const chatId = await openDialog();
		await say(chatId, {
			text: 'Choose',
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
		const popup = page.waitForEvent('popup');
		await key('Page').click();
		const opened = await popup;
		await opened.waitForURL('https://example.org/page');
		await opened.close();
	});

	it('lets a user edit, answer and delete', async () => {
		const chatId = await openDialog();
		await write('Pallet seven');
		await choose(messages().last(), 'Edit');
		await write('Pallet eight');
		expect((await nextUpdate('message_edited')).message?.body.text).toBe('Pallet eight');
		await messages().filter({ hasText: 'edited' }).waitFor();
		await say(chatId, { text: 'Which shelf?' });
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
			await page.getByTestId('composer-file').setInputFiles(file);
			await page.getByTestId('composer-context').filter({ hasText: file.name }).waitFor();
			await page.getByTestId('send').click();
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
		await say(chatId, { text: '[press](javascript:document.title=1)', format: 'markdown' });
		await messages().filter({ hasText: 'press' }).waitFor();
		expect(await messages().first().getByTestId('text').textContent()).toBe(html);
		expect(await page.locator('.text img, .text a').count()).toBe(0);
		expect(await page.title()).toBe('Messenger');
	});

	it('shows what the bot does, and the pinned message of a group', async () => {
		const chat = await control.createChat({
			title: 'Warehouse shift',
			owner_id: vera.user_id,
			admins: [{ user_id: bot.user_id }],
		});
		await open(vera, chat.chat_id);
		const { message } = await say(chat.chat_id, { text: 'Night shift begins at ten' });
		await asBot('POST', `/chats/${chat.chat_id}/actions`, { action: 'typing_on' });
		await page.getByTestId('typing').filter({ hasText: 'Clerk is typing' }).waitFor();
		await asBot('PUT', `/chats/${chat.chat_id}/pin`, { message_id: message.body?.mid });
		await page.getByTestId('pinned').filter({ hasText: 'Night shift begins at ten' }).waitFor();
		await asBot('DELETE', `/chats/${chat.chat_id}/pin`);
		await page.getByTestId('pinned').waitFor({ state: 'hidden' });
	});

	it('shows what arrives in other chats, and for users that come later', async () => {
		await open(vera);
		const { chat_id } = await control.createDialog(bot.user_id, vera.user_id);
		await say(chat_id, { text: 'Are you there?' });
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
		await asBot('POST', '/subscriptions', { url: 'https://bot.example/hook' });
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
		await control.call('PATCH', `/chats/${chatId}`, { closed: true });
		await page.getByText('This chat is closed.').waitFor();
	});

	it('fits a screen of 360 pixels, one column at a time', async () => {
		await page.setViewportSize({ width: 360, height: 700 });
		try {
			await openDialog();
			await write('A word-that-is-much-longer-than-the-screen-is-wide-and-has-no-place-to-break');
			for (const view of ['chats', 'conversation', 'log']) {
				await page.getByTestId(`tab-${view}`).click();
				await page.locator(`#view-${view}`).waitFor();
				const others = page.locator(
					'#view-chats:visible, #view-conversation:visible, #view-log:visible',
				);
				expect(await others.count()).toBe(1);
				const overflow = await page.evaluate(
					() => document.documentElement.scrollWidth - window.innerWidth,
				);
				expect(overflow).toBeLessThanOrEqual(0);
				await browser.screenshot(`messenger-360-${view}`);
			}
		} finally {
			await page.setViewportSize({ width: 1440, height: 900 });
		}
	});
});
