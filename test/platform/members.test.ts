import { bad, type BotClient, refused, Scene } from './scene';
import type { ControlId } from './control-types';

const scene = Scene.forAllTests();
let bot: BotClient;
let chatId: ControlId;
let ownerId: ControlId;

beforeAll(async () => {
	bot = await scene.bot();
});

beforeEach(async () => {
	({ chatId, ownerId } = await scene.group(bot));
});

const user = async (options = {}) => (await scene.control.createUser(options)).user_id;

const members = (query = '') => bot.get(`/chats/${chatId}/members${query}`);

const add = (...user_ids: ControlId[]) => bot.post(`/chats/${chatId}/members`, { user_ids });

const remove = (query: string) => bot.delete(`/chats/${chatId}/members${query}`);

describe('listing', () => {
	it('shows owner, administrators and ordinary members', async () => {
		const id = await user({ first_name: 'Oleg', username: 'oleg', avatar_url: 'https://a.org/a' });
		await add(id);
		const { body } = await members();
		expect(body.members).toHaveLength(3);
		expect(body.members[0]).toMatchObject({ user_id: ownerId, is_owner: true, is_admin: true });
		expect(body.members[1]).toMatchObject({ user_id: bot.id, is_bot: true, is_admin: true });
		expect(body.members[2]).toEqual({
			user_id: id,
			first_name: 'Oleg',
			username: 'oleg',
			name: 'Oleg',
			is_bot: false,
			avatar_url: 'https://a.org/a',
			last_activity_time: expect.any(Number),
			last_access_time: expect.any(Number),
			join_time: expect.any(Number),
			is_owner: false,
			is_admin: false,
		});
		expect(body.marker).toBeUndefined();
	});

	it('pages with a marker until everybody was shown once', async () => {
		await add(...(await Promise.all(Array.from({ length: 5 }, () => user()))));
		const seen: ControlId[] = [];
		let marker = '';
		do {
			const { body } = await members(`?count=3${marker}`);
			expect(body.members.length).toBeLessThanOrEqual(3);
			seen.push(...body.members.map((member: { user_id: ControlId }) => member.user_id));
			marker = body.marker === undefined ? '' : `&marker=${body.marker}`;
		} while (marker !== '');
		expect(seen).toHaveLength(7);
		expect(new Set(seen).size).toBe(7);
	});

	it('shows 20 at a time unless told otherwise', async () => {
		await add(...(await Promise.all(Array.from({ length: 30 }, () => user()))));
		expect((await members()).body.members).toHaveLength(20);
		expect((await members('?count=100')).body.members).toHaveLength(32);
	});

	it('finds given users, and ignores count and marker then', async () => {
		const id = await user();
		await add(id);
		const found = async (query: string) =>
			(await members(query)).body.members.map((member: { user_id: ControlId }) => member.user_id);
		expect(await found(`?user_ids=${id},${ownerId},7&count=1&marker=99999`)).toEqual([id, ownerId]);
		expect(await found(`?user_ids=${id}&user_ids=${ownerId}`)).toEqual([id, ownerId]);
	});

	it.each([
		['?count=0', "Field 'count' value (0) must be at least 1"],
		['?count=101', "Field 'count' value (101) must be at most 100"],
		['?user_ids=a', "Field 'user_ids' value (a) must be an integer"],
		['?marker=a', "Field 'marker' value (a) must be an integer"],
	])('refuses %s', async (query, message) => {
		expect(await members(query)).toMatchObject(bad(message));
	});

	it('needs an administrator, and does not work in dialogs', async () => {
		await scene.control.changeMember(chatId, bot.id, { permissions: null });
		expect(await members()).toMatchObject(refused(403, 'access.denied'));
		const dialog = await scene.dialog(bot);
		expect(await bot.get(`/chats/${dialog.chatId}/members`)).toMatchObject(
			refused(403, 'access.denied'),
		);
	});

	it("shows a bot's own membership even when it is an ordinary one", async () => {
		const me = () => bot.get(`/chats/${chatId}/members/me`);
		expect((await me()).body).toMatchObject({ user_id: bot.id, is_admin: true });
		await scene.control.changeMember(chatId, bot.id, { permissions: null });
		const { body } = await me();
		expect(body.is_admin).toBe(false);
		expect(body.permissions).toBeUndefined();
	});
});

describe('adding', () => {
	it('makes people members', async () => {
		const id = await user();
		expect((await add(id)).body).toEqual({ success: true });
		const { members: now } = await scene.control.chat(chatId);
		expect(now?.map((member) => member.user_id)).toContain(id);
	});

	it('tells who could not be added and why, and adds the others', async () => {
		const [fine, hidden] = [await user(), await user({ private_profile: true })];
		const { status, body } = await add(fine, hidden, 999_999);
		expect(status).toBe(200);
		expect(body).toEqual({
			success: false,
			message: expect.any(String),
			failed_user_ids: [hidden, 999_999],
			failed_user_details: [
				{ error_code: 'add.participant.privacy', user_ids: [hidden] },
				{ error_code: 'add.participant.not.found', user_ids: [999_999] },
			],
		});
		expect((await members(`?user_ids=${fine}`)).body.members).toHaveLength(1);
	});

	it('is unsuccessful for nobody and for those who are members already', async () => {
		expect((await add()).body).toEqual({ success: false, message: expect.any(String) });
		expect((await add(ownerId)).body).toEqual({ success: false, message: expect.any(String) });
	});

	it('takes at most 100 at a time, as integers', async () => {
		const ids = Array.from({ length: 101 }, (_, index) => index + 1);
		expect(await add(...ids)).toMatchObject(bad("Field 'user_ids' size (101) must be at most 100"));
		expect(await add('7')).toMatchObject(bad("Can't deserialize body"));
		expect(await bot.post(`/chats/${chatId}/members`, {})).toMatchObject(
			bad('Missing required parameter: user_ids'),
		);
	});

	it('needs the right, and a group chat', async () => {
		await scene.control.changeMember(chatId, bot.id, { permissions: ['read_all_messages'] });
		expect(await add(await user())).toMatchObject(refused(403, 'access.denied'));
		const channel = await scene.group(bot, { type: 'channel' });
		const body = { user_ids: [await user()] };
		expect(await bot.post(`/chats/${channel.chatId}/members`, body)).toMatchObject(
			refused(403, 'access.denied'),
		);
	});
});

describe('removing', () => {
	it('takes its parameters from the query', async () => {
		const id = await user();
		await add(id);
		expect(await bot.send('DELETE', `/chats/${chatId}/members`, { user_id: id })).toMatchObject(
			bad('Missing required parameter: user_id'),
		);
		expect((await remove(`?user_id=${id}`)).body).toEqual({ success: true });
		expect((await remove(`?user_id=${id}`)).body).toMatchObject({ success: false });
	});

	it('blocks only in chats with a link', async () => {
		const id = await user();
		await add(id);
		await remove(`?user_id=${id}&block=true`);
		expect((await add(id)).body).toEqual({ success: true });
		await scene.control.changeChat(chatId, { link: 'https://service.invalid/join/a' });
		await remove(`?user_id=${id}&block=true`);
		expect((await add(id)).body.failed_user_ids).toEqual([id]);
		await expect(scene.control.addMember(chatId, { user_id: id })).rejects.toThrow('blocked');
	});

	it('spares the owner, and needs the right', async () => {
		expect((await remove(`?user_id=${ownerId}`)).body).toMatchObject({ success: false });
		expect(await remove(`?user_id=${ownerId}&block=maybe`)).toMatchObject(
			refused(400, 'proto.payload'),
		);
		await scene.control.changeMember(chatId, bot.id, { permissions: ['read_all_messages'] });
		expect(await remove(`?user_id=${ownerId}`)).toMatchObject(refused(403, 'access.denied'));
	});

	it('lets the bot leave', async () => {
		expect((await bot.delete(`/chats/${chatId}/members/me`)).body).toEqual({ success: true });
		expect(await bot.get(`/chats/${chatId}/members/me`)).toMatchObject(refused(403, 'chat.denied'));
	});
});

describe('administrators', () => {
	const grant = (permissions: string[], id: ControlId, more: object = {}) =>
		bot.post(`/chats/${chatId}/members/admins`, {
			admins: [{ user_id: id, permissions, ...more }],
		});

	const admins = async () => (await bot.get(`/chats/${chatId}/members/admins`)).body.members;

	const rightsOf = async (id: ControlId) =>
		(await admins()).find((member: { user_id: ControlId }) => member.user_id === id)?.permissions;

	const member = async () => {
		const id = await user();
		await scene.control.addMember(chatId, { user_id: id });
		return id;
	};

	it('get exactly the rights of the last list, with an alias', async () => {
		const id = await member();
		const given = ['read_all_messages', 'write', 'pin_message'];
		expect((await grant(given, id, { alias: 'Moderator' })).body).toEqual({ success: true });
		expect((await admins()).at(-1)).toMatchObject({ user_id: id, alias: 'Moderator' });
		await grant(['read_all_messages', 'change_chat_info'], id);
		expect(await rightsOf(id)).toEqual(['read_all_messages', 'change_chat_info', 'can_call']);
		expect((await admins()).at(-1).alias).toBeUndefined();
	});

	it('are shown with legacy names beside the current ones where that is asked for', async () => {
		const id = await member();
		await grant(['read_all_messages', 'write'], id);
		expect(await rightsOf(id)).toEqual(['read_all_messages', 'write', 'can_call']);
		await scene.control.setSettings({ legacy_rights: true });
		expect(await rightsOf(id)).toEqual(
			expect.arrayContaining(['write', 'post_edit_delete_message']),
		);
		await scene.control.setSettings({ legacy_rights: false });
	});

	it('have every right as owner, whatever the kind of chat', async () => {
		const [owner] = await admins();
		expect(owner.permissions).toEqual(
			expect.arrayContaining(['edit', 'delete', 'can_call', 'view_stats']),
		);
		expect(owner.permissions).toHaveLength(11);
	});

	it.each(['edit', 'delete', 'write', 'pin_message'])(
		'get %s only together with read_all_messages, or when they hold that already',
		async (right) => {
			const channel = await scene.group(bot, { type: 'channel' });
			const id = await user();
			await scene.control.addMember(channel.chatId, { user_id: id });
			const path = `/chats/${channel.chatId}/members/admins`;
			const give = (...permissions: string[]) =>
				bot.post(path, { admins: [{ user_id: id, permissions }] });
			expect(await give(right)).toMatchObject(refused(400, 'proto.payload'));
			expect((await give('read_all_messages')).body).toEqual({ success: true });
			expect((await give(right)).body).toEqual({ success: true });
		},
	);

	it.each([
		['chat', 'edit'],
		['chat', 'delete'],
		['chat', 'view_stats'],
		['channel', 'edit_link'],
		['channel', 'can_call'],
	] as const)('of a %s cannot get %s', async (type, right) => {
		const group = await scene.group(bot, { type });
		const id = await user();
		await scene.control.addMember(group.chatId, { user_id: id });
		const permissions = ['read_all_messages', right];
		const answer = await bot.post(`/chats/${group.chatId}/members/admins`, {
			admins: [{ user_id: id, permissions }],
		});
		expect(answer).toMatchObject(refused(400, 'proto.payload'));
	});

	it('must be members and not the owner', async () => {
		expect((await grant([], await user())).body).toMatchObject({ success: false });
		expect((await grant([], ownerId)).body).toMatchObject({ success: false });
	});

	it('are at most 50', async () => {
		const ids = await Promise.all(Array.from({ length: 49 }, member));
		const some = (list: ControlId[]) =>
			bot.post(`/chats/${chatId}/members/admins`, {
				admins: list.map((user_id) => ({ user_id, permissions: [] })),
			});
		expect((await some(ids)).body).toMatchObject({ success: false });
		expect((await some(ids.slice(1))).body).toEqual({ success: true });
		expect(await admins()).toHaveLength(50);
	});

	it.each([
		['an unknown right', [{ user_id: 1, permissions: ['fly'] }], "Can't deserialize body"],
		['a legacy name', [{ user_id: 1, permissions: ['edit_message'] }], "Can't deserialize body"],
		['no rights', [{ user_id: 1 }], 'Missing required parameter: permissions'],
		['no user', [{ permissions: [] }], 'Missing required parameter: user_id'],
		['no list', undefined, 'Missing required parameter: admins'],
	])('are refused with %s', async (_what, list, message) => {
		expect(await bot.post(`/chats/${chatId}/members/admins`, { admins: list })).toMatchObject(
			bad(message),
		);
	});

	it('become members again and stay in the chat', async () => {
		const id = await member();
		await grant([], id);
		const revoke = () => bot.delete(`/chats/${chatId}/members/admins/${id}`);
		expect((await revoke()).body).toEqual({ success: true });
		expect((await members(`?user_ids=${id}`)).body.members[0].is_admin).toBe(false);
		expect((await revoke()).body).toMatchObject({ success: false });
	});

	it('are managed only with the right to', async () => {
		await scene.control.changeMember(chatId, bot.id, { permissions: ['read_all_messages'] });
		expect(await grant([], ownerId)).toMatchObject(refused(403, 'access.denied'));
		expect(await bot.delete(`/chats/${chatId}/members/admins/${ownerId}`)).toMatchObject(
			refused(403, 'access.denied'),
		);
		expect((await bot.get(`/chats/${chatId}/members/admins`)).status).toBe(200);
	});
});
