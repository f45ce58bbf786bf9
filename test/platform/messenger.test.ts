import type { Locator, Page, Route } from 'playwright-core';
import { waitFor } from '../support/wait';
import type { ShownUser } from './control-shown';
import { CLIP, count, keyboard, MessengerWindow } from './messengerWindow';
import type { BotClient } from './scene';

const PIXEL = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
	'base64',
);

const messenger = MessengerWindow.forAllTests();
const { scene, open, openDialog, write, nextUpdate, messages, key, choose } = messenger;
let page: Page;
let bot: BotClient;
let vera: ShownUser;
beforeEach(() => void ({ page, bot, vera } = messenger));

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
});
