import type { INodeParameters } from 'n8n-workflow';
import { Stage } from '../support/stage';
import { castForEachTest } from './cast';

const stage = Stage.forAllTests({ limits: { requests_per_second: 0 } });
const cast = castForEachTest(stage);

/** Calls in groups, so that the platform does not get hundreds of connections at once. */
async function inGroups<T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> {
	const made: T[] = [];
	while (made.length < count) {
		const size = Math.min(25, count - made.length);
		const begin = made.length;
		const group = Array.from({ length: size }, async (_, index) => await make(begin + index));
		made.push(...(await Promise.all(group)));
	}
	return made;
}

const createUsers = async (count: number) =>
	await inGroups(count, async () => String((await stage.control.createUser()).user_id));

const requests = async () => await stage.control.journal({ kind: 'request', origin: 'api' });

describe('Member → Get Many', () => {
	test('returns all members over several pages with Return All, and otherwise as many as wanted', async () => {
		const users = await createUsers(230);
		await inGroups(users.length, async (index) =>
			stage.control.addMember(cast.group, { user_id: users[index] ?? '', silent: true }),
		);
		const getMembers = { resource: 'member', operation: 'getAll' };
		const all = await stage.run({ ...getMembers, chat_id: cast.group, returnAll: true });
		const ids = all.items.map(({ json }) => json.user_id);
		expect([ids.length, new Set(ids).size]).toEqual([234, 234]);
		expect((await requests()).map(({ query }) => query.count)).toEqual(['100', '100', '100']);

		await stage.control.clearJournal();
		const some = await stage.run({ ...getMembers, chat_id: cast.group, limit: 130 });
		expect(some.items.map(({ json }) => json.user_id)).toEqual(ids.slice(0, 130));
		expect((await requests()).map(({ query }) => query.count)).toEqual(['100', '30']);
	});
});

describe('Member → Add', () => {
	const add = async (user_ids: string[] | string) =>
		await stage.run({
			resource: 'member',
			operation: 'add',
			chat_id: cast.group,
			user_ids: `={{ ${JSON.stringify(user_ids)} }}`,
		});

	test('adds any number in requests of at most 100 and merges the failures', async () => {
		const users = await createUsers(210);
		const shy = await inGroups(3, async () =>
			String((await stage.control.createUser({ private_profile: true })).user_id),
		);
		const [first = '', second = '', third = ''] = shy;
		const unknown = '9223372036854775807';
		const ids = [first, ...users.slice(0, 150), second, unknown, ...users.slice(150), third];
		const { items, error } = await add([...ids, ...users.slice(0, 5)]);

		expect(error).toBeUndefined();
		expect((await requests()).map(({ method }) => method)).toEqual(['POST', 'POST', 'POST']);
		expect(items).toMatchObject([
			{
				json: {
					success: false,
					message: 'Some users were not added',
					added_user_ids: users,
					failed_user_details: [
						{ error_code: 'add.participant.privacy', user_ids: shy },
						{ error_code: 'add.participant.not.found', user_ids: [unknown] },
					],
				},
			},
		]);
		const failed = items[0]?.json.failed_user_ids;
		expect([failed].flat()).toEqual([...shy, unknown]);
		const { members } = await stage.control.chat(cast.group);
		expect(members).toHaveLength(4 + users.length);
	});

	const REFUSED = { success: false, message: 'Not now' };
	const PRIVACY = { error_code: 'add.participant.privacy' };
	test.each<[object, RegExp]>([
		[REFUSED, /^Not now$/],
		[{ ...REFUSED, success: 'false' }, /^Not now$/],
		[{ ...REFUSED, failed_user_ids: null, failed_user_details: null }, /^Not now/],
		[{ ...REFUSED, failed_user_ids: [], failed_user_details: [] }, /^Not now/],
		[{ ...REFUSED, failed_user_details: [{ ...PRIVACY, user_ids: [] }] }, /^Not now: add\.p.* \(/],
		[{ ...REFUSED, failed_user_details: [PRIVACY] }, /^Not now: add\.p.* \(/],
		[{ ...REFUSED, failed_user_ids: [{ user_id: 5 }] }, /^Not now$/],
		[{ ...REFUSED, failed_user_details: [{ ...PRIVACY, user_ids: [null] }] }, /^Not now: add\.p/],
	])('treats a refusal that names nobody as a refusal of everybody: %j', async (body, message) => {
		await stage.fault({ method: 'POST', path: '/chats/*' }, { status: 200, body });
		expect((await add([cast.stranger])).error?.message).toMatch(message);
	});

	test('advises by the code of a refusal that names nobody, and keeps it', async () => {
		const body = { ...REFUSED, code: 'access.denied' };
		await stage.fault({ method: 'POST', path: '/chats/*' }, { status: 200, body });
		expect((await add([cast.stranger])).error).toMatchObject({
			message: 'Not now',
			description: expect.stringContaining('The bot has no right to do this'),
			context: { code: 'access.denied' },
		});
	});

	test('says what the code of a refusal without words means', async () => {
		const body = { success: false, code: 'access.denied' };
		await stage.fault({ method: 'POST', path: '/chats/*' }, { status: 200, body });
		expect((await add([cast.stranger])).error).toMatchObject({
			message: 'The service does not allow the bot to do this',
			description: expect.stringContaining('administrator of the chat with the right it needs'),
		});
	});

	test('asks again after a refusal because of too many requests, also where that comes with status 200', async () => {
		const body = { ...REFUSED, code: 'too.many.requests' };
		await stage.fault({ method: 'POST', path: '/chats/*' }, { status: 200, body });
		expect((await add([cast.stranger])).items).toMatchObject([
			{ json: { success: true, added_user_ids: [cast.stranger] } },
		]);
	});

	test('names ten of the refused users at the most', async () => {
		const user_ids = Array.from({ length: 11 }, (_, index) => String(index + 1));
		const body = { ...REFUSED, failed_user_details: [{ ...PRIVACY, user_ids }] };
		await stage.fault({ method: 'POST', path: '/chats/*' }, { status: 200, body });
		expect((await add(user_ids)).error?.message).toMatch(/\(1(, \d+){9} …\)$/);
	});

	test('counts users as added if the answer does not say otherwise', async () => {
		await stage.fault({ method: 'POST', path: '/chats/*' }, { status: 200, body: {} });
		expect((await add([cast.stranger])).items).toMatchObject([{ json: { success: true } }]);
	});

	test('says so when the service gives no reason', async () => {
		const answer = { status: 200, body: { success: false } };
		await stage.fault({ method: 'POST', path: '/chats/*' }, answer);
		expect((await add([cast.stranger])).error).toMatchObject({
			message: 'The service answered that no user was added',
			description: expect.stringMatching(/^The service gives no reason/),
		});
	});

	test('goes on when one request fails as a whole, and names its users', async () => {
		const present = await createUsers(100);
		await inGroups(100, async (index) =>
			stage.control.addMember(cast.group, { user_id: present[index] ?? '', silent: true }),
		);
		const { items } = await add([...present, cast.stranger]);
		expect(items).toMatchObject([
			{
				json: {
					success: false,
					added_user_ids: [cast.stranger],
					failed_user_ids: present,
					failed_user_details: [{ message: 'Users are members already' }],
				},
			},
		]);
	});

	test('reports how many were added before a request that failed', async () => {
		const users = await createUsers(110);
		const body = { code: 'access.denied', message: 'No permission: add_remove_members' };
		await stage.fault({ method: 'POST', path: '/chats/*' }, { status: 403, body }, { after: 1 });
		const { error } = await add(users);
		expect(error).toMatchObject({
			message: body.message,
			description: expect.stringMatching(/^Before, 100 of the first 100 users were added\. Give/),
		});
	});

	test('refuses an empty list before any request', async () => {
		const { error } = await add(' , ');
		expect(error?.message).toBe('User IDs is empty');
		expect(await requests()).toEqual([]);
	});
});

describe('Message → Get Many', () => {
	/** IDs of the messages in a dialog, newest first. */
	const mids: string[] = [];
	let chat_id: string;
	beforeAll(async () => {
		({ chatId: chat_id } = await stage.dialog());
		for (let number = 1; number <= 220; number++) {
			mids.unshift((await stage.control.userWrites(chat_id, `Number ${number}`)).body.mid);
		}
	});

	const getMessages = { resource: 'message', operation: 'getAll' };

	test('returns the whole chat, newest first, each message once', async () => {
		const { items } = await stage.run({ ...getMessages, chat_id, returnAll: true });
		expect(items.map(({ json }) => json.message_id)).toEqual(mids);
		expect((await requests()).length).toBeLessThanOrEqual(4);
	});

	test('returns any number of messages by ID once each, newest first, and leaves out unknown ones', async () => {
		const { items } = await stage.run(
			{ ...getMessages, get_by: 'message_ids', message_ids: '={{ $json.ids }}' },
			{
				items: [
					{
						json: { ids: [...mids.slice(50), 'mid.unknown', ...mids.slice(0, 50), ` ${mids[0]}`] },
					},
				],
			},
		);
		expect(items.map(({ json }) => json.message_id)).toEqual(mids);
		expect(await requests()).toHaveLength(3);
	});
});

test('Message → Get Many returns each message once and in order where many have the same time', async () => {
	const { chatId } = await stage.dialog();
	const mids: string[] = [];
	const write = async (count: number) => {
		for (let left = count; left > 0; left--) {
			mids.unshift((await stage.control.userWrites(chatId, 'Hello')).body.mid);
		}
	};
	await stage.control.setSettings({ time_step_ms: 3_600_000 });
	await write(60);
	await stage.control.setSettings({ time_step_ms: 1 });
	await write(60);

	const found = async (fields: INodeParameters) => {
		const { items } = await stage.run({ resource: 'message', operation: 'getAll', ...fields });
		return items.map(({ json }) => json.message_id);
	};
	expect(await found({ chat_id: chatId, returnAll: true })).toEqual(mids);
	const message_ids = [...mids.slice(100), ...mids.slice(0, 100)].join();
	expect(await found({ get_by: 'message_ids', message_ids })).toEqual(mids);
});
