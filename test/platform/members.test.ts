import { type BotClient, fails, isBad, refuses, Scene, succeeds } from './scene';
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
		await isBad(members(query), message);
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
	it('is unsuccessful for nobody and for those who are members already', async () => {
		await fails(add());
		await fails(add(ownerId));
	});

	it('takes at most 100 at a time, as integers', async () => {
		const ids = Array.from({ length: 101 }, (_, index) => index + 1);
		await isBad(add(...ids), "Field 'user_ids' size (101) must be at most 100");
		await isBad(add('7'), "Can't deserialize body");
		await isBad(bot.post(`/chats/${chatId}/members`, {}), 'Missing required parameter: user_ids');
	});
});

describe('removing', () => {
	it('takes its parameters from the query', async () => {
		const id = await user();
		await add(id);
		await isBad(
			bot.send('DELETE', `/chats/${chatId}/members`, { user_id: id }),
			'Missing required parameter: user_id',
		);
		await succeeds(remove(`?user_id=${id}`));
		await fails(remove(`?user_id=${id}`));
	});

	it('blocks only in chats with a link', async () => {
		const id = await user();
		await add(id);
		await remove(`?user_id=${id}&block=true`);
		await succeeds(add(id));
		await scene.control.changeChat(chatId, { link: 'https://service.invalid/join/a' });
		await remove(`?user_id=${id}&block=true`);
		expect((await add(id)).body.failed_user_ids).toEqual([id]);
		await expect(scene.control.addMember(chatId, { user_id: id })).rejects.toThrow('blocked');
	});

	it('spares the owner, and needs the right', async () => {
		await fails(remove(`?user_id=${ownerId}`));
		await refuses(remove(`?user_id=${ownerId}&block=maybe`), 'proto.payload');
		await scene.control.changeMember(chatId, bot.id, { permissions: ['read_all_messages'] });
		await refuses(remove(`?user_id=${ownerId}`), 'access.denied');
	});

	it('lets the bot leave', async () => {
		await succeeds(bot.delete(`/chats/${chatId}/members/me`));
		await refuses(bot.get(`/chats/${chatId}/members/me`), 'chat.denied');
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
		await succeeds(grant(given, id, { alias: 'Moderator' }));
		expect((await admins()).at(-1)).toMatchObject({ user_id: id, alias: 'Moderator' });
		await grant(['read_all_messages', 'change_chat_info'], id);
		expect(await rightsOf(id)).toEqual(['read_all_messages', 'change_chat_info', 'can_call']);
		expect((await admins()).at(-1).alias).toBeUndefined();
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
			await refuses(give(right), 'proto.payload');
			await succeeds(give('read_all_messages'));
			await succeeds(give(right));
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
		await refuses(answer, 'proto.payload');
	});

	it('must be members and not the owner', async () => {
		await fails(grant([], await user()));
		await fails(grant([], ownerId));
	});

	it('are at most 50', async () => {
		const ids = await Promise.all(Array.from({ length: 49 }, member));
		const some = (list: ControlId[]) =>
			bot.post(`/chats/${chatId}/members/admins`, {
				admins: list.map((user_id) => ({ user_id, permissions: [] })),
			});
		await fails(some(ids));
		await succeeds(some(ids.slice(1)));
		expect(await admins()).toHaveLength(50);
	});

	it.each([
		['an unknown right', [{ user_id: 1, permissions: ['fly'] }], "Can't deserialize body"],
		['a legacy name', [{ user_id: 1, permissions: ['edit_message'] }], "Can't deserialize body"],
		['no rights', [{ user_id: 1 }], 'Missing required parameter: permissions'],
		['no user', [{ permissions: [] }], 'Missing required parameter: user_id'],
		['no list', undefined, 'Missing required parameter: admins'],
	])('are refused with %s', async (_what, list, message) => {
		await isBad(bot.post(`/chats/${chatId}/members/admins`, { admins: list }), message);
	});

	it('are managed only with the right to', async () => {
		await scene.control.changeMember(chatId, bot.id, { permissions: ['read_all_messages'] });
		await refuses(grant([], ownerId), 'access.denied');
		await refuses(bot.delete(`/chats/${chatId}/members/admins/${ownerId}`), 'access.denied');
		expect((await bot.get(`/chats/${chatId}/members/admins`)).status).toBe(200);
	});
});
