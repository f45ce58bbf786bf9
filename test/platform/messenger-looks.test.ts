import type { Locator, Page } from 'playwright-core';
import type { BrowserPage } from '../n8n/support/browser';
import { waitFor } from '../support/wait';
import type { ShownUser } from './control-shown';
import { barriers, outOfReach } from './looks';
import { CLIP, count, keyboard, MessengerWindow } from './messengerWindow';
import type { BotClient } from './scene';

const messenger = MessengerWindow.forAllTests();
const { scene, open, openDialog, write, messages, key, choose } = messenger;
let browser: BrowserPage;
let page: Page;
let bot: BotClient;
let vera: ShownUser;
beforeEach(() => void ({ browser, page, bot, vera } = messenger));

describe('The messenger window', () => {
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
