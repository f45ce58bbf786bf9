import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { BrowserPage } from '../n8n/support/browser';
import { waitFor } from '../support/wait';
import type { ShownUser } from './control-shown';
import { type BotClient, Scene } from './scene';

/** A clip of less than a second, 160 × 90, as recorded by a browser. */
export const CLIP = readFileSync(join(__dirname, 'clip.webm'));

/** The fields of an update that the tests read. */
interface Update {
	update_type: string;
	message?: { body: { text?: string; attachments?: { type: string }[] } };
	callback?: { callback_id: string; payload: string };
}

/** A keyboard of these rows, as attachments of a message. */
export const keyboard = (...rows: object[][]) => [
	{ type: 'inline_keyboard', payload: { buttons: rows } },
];

/** Waits until there are so many elements. */
export const count = (locator: Locator, wanted: number) =>
	waitFor(async () => (await locator.count()) === wanted, { what: `${wanted} elements` });

/** The messenger window in a browser, with a new bot and a new person, Vera, in each test. */
export class MessengerWindow {
	readonly scene = Scene.forAllTests({
		openAs: { 'https://bot.example.org/': 'https://reachable.example/' },
	});

	browser!: BrowserPage;

	bot!: BotClient;

	vera!: ShownUser;

	private updates: Update[] = [];

	private constructor() {}

	/** One window for all tests of the file where this is called; nothing may go wrong in it. */
	static forAllTests(): MessengerWindow {
		const messenger = new MessengerWindow();
		beforeAll(async () => {
			messenger.browser = await BrowserPage.open();
			await messenger.browser.feignInternet();
		}, 120_000);
		afterAll(async () => await messenger.browser.close());
		beforeEach(async () => await messenger.begin());
		afterEach(async () => {
			const { problems } = messenger.browser;
			await messenger.page.goto('about:blank');
			expect(problems).toEqual([]);
		});
		return messenger;
	}

	private async begin(): Promise<void> {
		const { control } = this.scene;
		await control.clearJournal();
		this.bot = await this.scene.bot({ first_name: 'Clerk' });
		this.vera = await control.createUser({ first_name: 'Vera', last_name: 'Orlova' });
		this.updates = [];
		this.browser.problems = [];
	}

	get page(): Page {
		return this.browser.page;
	}

	/** The next update of this type that the bot polls. */
	nextUpdate = (type: string): Promise<Update> =>
		waitFor(
			async () => {
				this.updates.push(...(await this.bot.updates()));
				const index = this.updates.findIndex(({ update_type }) => update_type === type);
				return index < 0 ? undefined : this.updates.splice(0, index + 1).at(-1);
			},
			{ what: type, interval: 10 },
		);

	messages = () => this.page.getByTestId('message');

	/** The button with this text. */
	key = (text: string) => this.page.getByTestId('key').filter({ hasText: text });

	/** Opens the window for a user, with a chat selected. */
	open = async (user: ShownUser, chatId?: number | string): Promise<void> => {
		const chat = chatId === undefined ? '' : `&chat=${chatId}`;
		await this.page.goto('about:blank');
		await this.page.goto(`${this.scene.platform.controlUrl}/#user=${user.user_id}${chat}`);
		await this.page.locator('body[data-ready=true]').waitFor();
	};

	/** A dialog of Vera and the bot, open in the window. */
	openDialog = async (): Promise<number | string> => {
		const { chat_id } = await this.scene.control.createDialog(this.bot.id, this.vera.user_id);
		await this.open(this.vera, chat_id);
		return chat_id;
	};

	write = async (text: string): Promise<void> => {
		await this.page.getByTestId('composer-text').fill(text);
		await this.page.keyboard.press('Enter');
		await this.messages().filter({ hasText: text }).last().waitFor();
	};

	/** Chooses an item of a message's menu. */
	choose = async (message: Locator, item: string): Promise<void> => {
		await message.getByTestId('message-menu').click();
		await this.page.getByRole('menuitem', { name: item }).click();
	};
}
