import type { Page } from 'playwright-core';
import { waitFor } from '../support/wait';
import type { ShownUser } from './control-shown';
import { count, MessengerWindow } from './messengerWindow';
import type { BotClient } from './scene';

const messenger = MessengerWindow.forAllTests();
const { scene, open, openDialog, write, nextUpdate, messages } = messenger;
let page: Page;
let bot: BotClient;
let vera: ShownUser;
beforeEach(() => void ({ page, bot, vera } = messenger));

describe('The messenger window', () => {
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
});
