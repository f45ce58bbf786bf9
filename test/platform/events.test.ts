import { type BotClient, Scene } from './scene';
import type { ControlId } from './control-types';

const scene = Scene.forAllTests();
let bot: BotClient;

beforeEach(async () => {
	bot = await scene.bot({ first_name: 'Clerk' });
});

const types = async (of = bot) => (await of.updates()).map((update) => update.update_type);

const user = async () => (await scene.control.createUser({ first_name: 'Oleg' })).user_id;

describe('dialogs', () => {
	let chatId: ControlId;
	let userId: ControlId;

	beforeEach(async () => {
		({ chatId, userId } = await scene.dialog(bot));
	});

	it('tell who started the bot, with the payload of a deep link', async () => {
		await scene.control.changeUser(userId, { locale: 'ru', avatar_url: 'https://a.org/a' });
		await scene.control.startBot(bot.id, userId, 'campaign_42');
		expect(await bot.updates()).toEqual([
			{
				update_type: 'bot_started',
				timestamp: expect.any(Number),
				chat_id: chatId,
				user: expect.objectContaining({ user_id: userId, avatar_url: 'https://a.org/a' }),
				user_id: userId,
				payload: 'campaign_42',
				user_locale: 'ru',
			},
		]);
	});

	it('drop a start payload of more than 512 characters', async () => {
		await scene.control.startBot(bot.id, userId, 'a'.repeat(512));
		await scene.control.startBot(bot.id, userId, 'a'.repeat(513));
		const [fits, dropped] = await bot.updates();
		expect(fits.payload).toHaveLength(512);
		expect(dropped.payload).toBeUndefined();
	});

	it.each([
		['stop', ['bot_stopped']],
		['clear', ['dialog_cleared']],
		['remove', ['bot_stopped', 'dialog_removed']],
		['mute', ['dialog_muted']],
		['unmute', ['dialog_unmuted']],
	] as const)('tell about: %s', async (action, expected) => {
		await scene.control.treatDialog(chatId, action, { muted_until: 1_785_086_803_000 });
		const updates = await bot.updates();
		expect(updates.map((update) => update.update_type)).toEqual(expected);
		for (const update of updates) {
			expect(update).toMatchObject({
				chat_id: chatId,
				user: { user_id: userId },
				user_locale: 'en',
			});
		}
		if (action === 'mute') expect(updates[0].muted_until).toBe(1_785_086_803_000);
	});

	it('tell about edited and removed messages of the person', async () => {
		const { body } = await scene.control.userWrites(chatId, 'Pallet seven');
		await scene.control.userEdits(body.mid, { text: 'Pallet eight' });
		await scene.control.userDeletes(body.mid);
		const [created, edited, removed] = await bot.updates();
		expect(created).toMatchObject({
			update_type: 'message_created',
			message: { recipient: { chat_type: 'dialog', user_id: bot.id } },
		});
		expect(edited).toMatchObject({
			update_type: 'message_edited',
			message: { timestamp: created.timestamp, body: { text: 'Pallet eight' } },
		});
		expect(edited.timestamp).toBeGreaterThan(edited.message.timestamp);
		expect(removed).toEqual({
			update_type: 'message_removed',
			timestamp: expect.any(Number),
			message_id: body.mid,
			chat_id: chatId,
			user_id: userId,
		});
		expect(created.user_locale).toBe('en');
		expect(edited).not.toHaveProperty('user_locale');
	});

	it("say nothing about the bot's own messages, unless the platform is set so", async () => {
		await bot.say(chatId, 'a');
		expect(await types()).toEqual([]);
		await scene.control.setSettings({ own_events: true });
		await bot.say(chatId, 'a');
		await scene.control.setSettings({ own_events: false });
		expect(await types()).toEqual(['message_created']);
	});

	it('give no two events of a chat the same time', async () => {
		for (let count = 0; count < 20; count += 1) await scene.control.startBot(bot.id, userId);
		const times = (await bot.updates()).map((update) => update.timestamp);
		expect(new Set(times).size).toBe(20);
	});
});

describe('groups and channels', () => {
	it('tell a bot that it was added and by whom, and that it was removed', async () => {
		const { chatId, ownerId } = await scene.group(await scene.bot(), { type: 'channel' });
		await scene.control.addMember(chatId, { user_id: bot.id, by: ownerId });
		await scene.control.removeMember(chatId, bot.id, ownerId);
		const common = {
			timestamp: expect.any(Number),
			chat_id: chatId,
			user: expect.objectContaining({ user_id: ownerId }),
			user_id: ownerId,
			is_channel: true,
		};
		expect(await bot.updates()).toEqual([
			{ update_type: 'bot_added', ...common },
			{ update_type: 'bot_removed', ...common },
		]);
	});

	it('send bot_added when a chat is made with a bot, unless it is made silently', async () => {
		const owner = await user();
		const made = { owner_id: owner, members: [bot.id] };
		await scene.control.createChat({ ...made, silent: true });
		expect(await types()).toEqual([]);
		await scene.control.createChat(made);
		expect(await bot.updates()).toMatchObject([
			{ update_type: 'bot_added', user: { user_id: owner } },
		]);
	});

	it('tell who joined or left, and who added or removed them', async () => {
		const { chatId, ownerId } = await scene.group(bot);
		const [invited, self] = [await user(), await user()];
		await scene.control.addMember(chatId, { user_id: invited, by: ownerId });
		await scene.control.addMember(chatId, { user_id: self });
		await scene.control.removeMember(chatId, invited, ownerId);
		await scene.control.removeMember(chatId, self);
		const updates = await bot.updates();
		expect(updates).toMatchObject([
			{ update_type: 'user_added', user: { user_id: invited }, inviter_id: ownerId },
			{ update_type: 'user_added', user: { user_id: self } },
			{ update_type: 'user_removed', user: { user_id: invited }, admin_id: ownerId },
			{ update_type: 'user_removed', user: { user_id: self } },
		]);
		expect(updates[1].inviter_id).toBeUndefined();
		expect(updates[3].admin_id).toBeUndefined();
		expect(updates[0].is_channel).toBe(false);
		// A client that reads this field instead of the one in `user` gets the wrong person.
		for (const update of updates) expect(update.user_id).not.toBe(update.user.user_id);
	});

	it('tell about a new title', async () => {
		const { chatId, ownerId } = await scene.group(bot);
		await scene.control.changeChat(chatId, { title: 'Day shift', by: ownerId });
		expect(await bot.updates()).toEqual([
			{
				update_type: 'chat_title_changed',
				timestamp: expect.any(Number),
				chat_id: chatId,
				user: expect.objectContaining({ user_id: ownerId }),
				user_id: ownerId,
				title: 'Day shift',
			},
		]);
	});

	it('tell a bot about its own rights', async () => {
		const { chatId, ownerId } = await scene.group(bot, { permissions: null });
		const permissions = ['read_all_messages', 'write'];
		await scene.control.changeMember(chatId, bot.id, { permissions, by: ownerId });
		await scene.control.changeMember(chatId, bot.id, { permissions: null, by: ownerId });
		const common = {
			update_type: 'bot_admin_permissions_changed',
			timestamp: expect.any(Number),
			chat_id: chatId,
			user_id: ownerId,
			bot_id: bot.id,
			is_channel: false,
		};
		expect(await bot.updates()).toEqual([
			{ ...common, is_admin: true, permissions },
			{ ...common, is_admin: false },
		]);
	});

	it('tell what others write only to administrators that may read all', async () => {
		const write = async (permissions: string[] | null) => {
			const { chatId, ownerId } = await scene.group(bot, { permissions });
			await scene.control.userWrites(chatId, { user_id: ownerId, text: 'a' });
			return types();
		};
		expect(await write(null)).toEqual([]);
		expect(await write(['write', 'add_admins'])).toEqual([]);
		expect(await write(['read_all_messages'])).toEqual(['message_created']);
	});

	it('tell one bot what another one writes', async () => {
		const other = await scene.bot();
		const { chatId } = await scene.group(bot, { admins: [{ user_id: other.id }] });
		await other.say(chatId, 'From a bot');
		expect(await bot.updates()).toMatchObject([
			{ update_type: 'message_created', message: { sender: { user_id: other.id, is_bot: true } } },
		]);
		expect(await types(other)).toEqual([]);
	});

	it('let only those write who may', async () => {
		const channel = await scene.group(bot, { type: 'channel' });
		const id = await user();
		await scene.control.addMember(channel.chatId, { user_id: id });
		const message = { user_id: id, text: 'a' };
		await expect(scene.control.userWrites(channel.chatId, message)).rejects.toThrow('cannot write');
		const group = await scene.group(bot);
		await expect(scene.control.userWrites(group.chatId, message)).rejects.toThrow('cannot write');
	});
});
