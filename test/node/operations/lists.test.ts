import type { INodeParameters } from 'n8n-workflow';
import { BotMessaging } from '../../../nodes/BotMessaging/BotMessaging.node';
import { searchList } from '../support/listSearch';
import { Stage } from '../support/stage';
import { castForEachTest } from './cast';

const stage = Stage.forAllTests({ limits: { requests_per_second: 0 } });
const cast = castForEachTest(stage);

interface Typed {
	filter?: string;
	paginationToken?: string;
}

const search = async (method: string, parameters: INodeParameters, typed: Typed = {}) =>
	await searchList({
		node: new BotMessaging(),
		method,
		parameters,
		...typed,
		credentials: stage.credentials,
	});

const names = ({ results }: { results: Array<{ name: string }> }) =>
	results.map((each) => each.name);
const values = ({ results }: { results: Array<{ value: unknown }> }) =>
	results.map((each) => each.value);

describe('Members of the chosen chat', () => {
	beforeEach(async () => {
		await stage.control.changeUser(cast.oleg, { last_name: 'Petrov', username: 'oleg_p' });
	});

	test('are listed with name and user ID, exact to the last digit', async () => {
		const list = await search('searchMembers', { chat_id: cast.group });
		expect(list.results).toEqual(
			expect.arrayContaining([
				{ name: 'Oleg Petrov (@oleg_p)', value: cast.oleg },
				{ name: `Vera (${cast.vera})`, value: cast.vera },
			]),
		);
		expect(list.paginationToken).toBeUndefined();
	});

	test('can be told apart where they have the same name', async () => {
		const { user_id } = await stage.control.createUser({ first_name: 'Vera' });
		await stage.control.addMember(cast.group, { user_id, silent: true });
		const { results } = await search('searchMembers', { chat_id: cast.group }, { filter: 'vera' });
		expect(results).toHaveLength(2);
		expect(new Set(results.map(({ name }) => name)).size).toBe(2);
		const filter = String(user_id);
		const byId = await search('searchMembers', { chat_id: cast.group }, { filter });
		expect(values(byId)).toEqual([filter]);
	});

	test('are found by any part of their names', async () => {
		for (const filter of ['oleg', 'PETR', '@oleg', 'petrov oleg']) {
			const list = await search('searchMembers', { chat_id: cast.group }, { filter });
			expect(values(list)).toEqual([cast.oleg]);
		}
		const none = await search('searchMembers', { chat_id: cast.group }, { filter: 'nobody' });
		expect(none.results).toEqual([]);
	});

	test('come in pages, and are searched over all pages', async () => {
		const added: string[] = [];
		for (let number = 0; number < 150; number++) {
			const first_name = number < 149 ? 'Guest' : 'Late guest';
			const { user_id } = await stage.control.createUser({ first_name });
			await stage.control.addMember(cast.group, { user_id, silent: true });
			added.push(String(user_id));
		}
		const first = await search('searchMembers', { chat_id: cast.group });
		expect(first.results).toHaveLength(100);
		const { paginationToken } = first;
		const second = await search('searchMembers', { chat_id: cast.group }, { paginationToken });
		expect(second.paginationToken).toBeUndefined();
		expect(new Set([...values(first), ...values(second)]).size).toBe(154);
		const found = await search('searchMembers', { chat_id: cast.group }, { filter: 'late' });
		expect(values(found)).toEqual([added[149]]);
	});

	test('are found behind many short pages: n8n asks for no more of a search without results', async () => {
		const page = (number: number) => ({
			members: [{ user_id: number, first_name: number < 20 ? 'Guest' : 'Late guest' }],
			marker: number < 20 ? number : null,
		});
		const answers = Array.from({ length: 20 }, (_, index) => ({
			match: { path: '/chats/*/members' },
			then: { status: 200, body: page(index + 1) },
		}));
		await stage.control.setFaults(answers);
		const found = await search('searchMembers', { chat_id: cast.group }, { filter: 'late' });
		expect(values(found)).toEqual(['20']);
	});
});

test('Administrators of the chosen chat are listed', async () => {
	const list = await search('searchAdministrators', { chat_id: cast.group });
	expect(values(list)).toEqual([cast.vera, String(stage.bot.user_id), cast.nina]);
});

describe('Messages of the chosen chat', () => {
	test('are listed newest first with time, sender and the beginning of the text', async () => {
		await stage.control.userWrites(cast.dialog, `A long story\nabout ${'everything '.repeat(9)}`);
		await stage.control.userWrites(cast.dialog, { attachments: [{ type: 'image', size: 10 }] });
		const list = await search('searchMessages', { chat_id: cast.dialog });
		expect(names(list)).toEqual([
			expect.stringMatching(/^\d+ \w+ \d{4}, \d\d:\d\d · Vera: \[image\]$/),
			expect.stringMatching(/ · Vera: (?=A long story about everything ).{60}…$/),
			expect.stringMatching(/ · Vera: \[video\]$/),
		]);
		expect(list.results[0]?.value).toMatch(/^mid\./);
	});

	test('are only those with an ID, which a mere forward may lack', async () => {
		const { body } = await stage.control.userWrites(cast.dialog, 'Where is my parcel?');
		await stage.control.userWrites(cast.dialog, { link: { type: 'forward', mid: body.mid } });
		await stage.control.setSettings({ null_bodies: true });
		const list = await search('searchMessages', { chat_id: cast.dialog });
		await stage.control.setSettings({ null_bodies: false });
		expect(values(list)).toEqual(Array(2).fill(expect.stringMatching(/^mid\./)));
	});

	test('are shown by their attachments or by what they forward where the service gives no text', async () => {
		const body = { mid: 'mid.1', text: '', attachments: [{ type: 'image' }] };
		const link = { type: 'forward', sender: { first_name: 'Oleg' }, message: { text: 'News' } };
		const bare = { mid: 'mid.2', text: null };
		const photo = { ...link, message: { attachments: [{ type: 'image' }] } };
		const sticker = { mid: 'mid.3', attachments: [{ type: 'sticker' }] };
		const messages = [
			{ body },
			{ body: bare, link },
			{ body: { ...bare, mid: 'mid.4' }, link: photo },
			{ body: sticker, link: { ...link, type: 'reply' } },
		].map((message, index) => ({ timestamp: 1785000183456 - index, ...message }));
		await stage.fault({ path: '/messages' }, { status: 200, body: { messages } });
		const list = await search('searchMessages', { chat_id: cast.dialog });
		expect(names(list)).toEqual([
			expect.stringMatching(/: \[image\]$/),
			expect.stringMatching(/ · Oleg: News$/),
			expect.stringMatching(/ · Oleg: \[image\]$/),
			// Not by what they reply to.
			expect.stringMatching(/^[^·]*: \[sticker\]$/),
		]);
	});

	test('are shown by time and sender where the service tells nothing of what they hold', async () => {
		const sender = { user_id: 5, first_name: 'Vera' };
		const unknown = { mid: 'mid.2', attachments: [{ payload: {} }] };
		const messages = [
			{ timestamp: 1785000183456, sender, body: { mid: 'mid.1' } },
			{ timestamp: 1785000183455, body: unknown },
		];
		await stage.fault({ path: '/messages' }, { status: 200, body: { messages } });
		const list = await search('searchMessages', { chat_id: cast.dialog });
		expect(names(list)).toEqual([
			expect.stringMatching(/^\d+ \w+ \d{4}, \d\d:\d\d · Vera$/),
			expect.stringMatching(/^\d+ \w+ \d{4}, \d\d:\d\d$/),
		]);
	});

	test('are found by words of text and sender', async () => {
		await stage.control.userWrites(cast.dialog, 'Where is my parcel?');
		await stage.control.userWrites(cast.dialog, 'Hello?');
		const filter = 'vera parcel';
		const list = await search('searchMessages', { chat_id: cast.dialog }, { filter });
		expect(names(list)).toEqual([expect.stringContaining('Where is my parcel?')]);
	});

	test('are all found at once, however old: n8n shows few without a way to get more', async () => {
		await stage.control.userWrites(cast.dialog, 'The first parcel');
		for (let number = 0; number < 110; number++) {
			await stage.control.userWrites(cast.dialog, `${number}`);
		}
		await stage.control.userWrites(cast.dialog, 'The second parcel');
		const list = await search('searchMessages', { chat_id: cast.dialog }, { filter: 'parcel' });
		expect(names(list)).toEqual([
			expect.stringContaining('The second parcel'),
			expect.stringContaining('The first parcel'),
		]);
	});

	test('are found behind short pages and full ones of one millisecond, up to the fiftieth page', async () => {
		const full = Array.from({ length: 100 }, (_, index) => ofChat(`mid.a${index}`, 2000));
		const single = (_: unknown, index: number) => [ofChat(`mid.${index}`, 1000 - index)];
		const pages = [full, full, ...Array.from({ length: 48 }, single)];
		await stage.control.setFaults(
			pages.map((messages) => ({
				match: { path: '/messages' },
				then: { status: 200, body: { messages } },
			})),
		);
		const list = await search('searchMessages', { chat_id: -1 }, { filter: 'mid.47' });
		expect(values(list)).toEqual(['mid.47']);
	});

	test('come in pages without gaps and repetitions', async () => {
		const mids: unknown[] = [];
		for (let number = 0; number < 230; number++) {
			mids.unshift((await stage.control.userWrites(cast.dialog, `${number}`)).body.mid);
		}
		const found: unknown[] = [];
		let paginationToken: string | undefined;
		do {
			const page = await search('searchMessages', { chat_id: cast.dialog }, { paginationToken });
			found.push(...values(page));
			paginationToken = page.paginationToken;
		} while (paginationToken);
		expect(found.slice(0, 230)).toEqual(mids);
		expect(new Set(found).size).toBe(found.length);
	});
});

const ofChat = (mid: string, timestamp: number) => ({ timestamp, body: { mid, text: mid } });
test.each([
	['searchMembers', { members: [{ user_id: 1 }], marker: 7 }, ['1']],
	['searchMessages', { messages: [ofChat('b', 9), ofChat('a', 1)] }, ['b', 'a']],
] as const)(
	'A service that ignores where to go on gives each once: %s',
	async (name, body, found) => {
		await stage.fault({ path: '/*' }, { status: 200, body }, { count: -1 });
		expect(values(await search(name, { chat_id: -1 }))).toEqual(found);
	},
);

test.each([
	['searchMembers', { members: [null, { first_name: 'Vera' }, { user_id: 1 }] }, ['1']],
	['searchMembers', { members: [{ user_id: 1 }, { user_id: 2 }, { user_id: 1 }] }, ['1', '2']],
	['searchAdministrators', { members: [{ first_name: 'Vera' }, { user_id: 1 }] }, ['1']],
	[
		'searchSubscriptions',
		{ subscriptions: ['odd', { time: 1 }, { url: 'https://a' }] },
		['https://a'],
	],
] as const)(
	'Each ID or address is offered once, and nothing without one, which could not be chosen: %s',
	async (name, body, offered) => {
		await stage.fault({ path: '/*' }, { status: 200, body });
		expect(values(await search(name, { chat_id: -1 }))).toEqual(offered);
	},
);

test('A message without a time is listed without it', async () => {
	const body = { mid: 'mid.1', text: 'Hello' };
	const messages = [{ body }, { body: { ...body, mid: 'mid.2' }, sender: { first_name: 'Vera' } }];
	await stage.fault({ path: '/messages' }, { status: 200, body: { messages } });
	expect(names(await search('searchMessages', { chat_id: -1 }))).toEqual(['Hello', 'Vera: Hello']);
});

test('A name with signs that turn the order of what follows is listed and found without them, and with its emoji', async () => {
	const members = [{ user_id: 1, first_name: 'Ve\u202era\u2066 \u0000👩\u200d🚀' }];
	for (const filter of [undefined, 'vera']) {
		await stage.fault({ path: '/*' }, { status: 200, body: { members } });
		const found = await search('searchMembers', { chat_id: -1 }, { filter });
		expect(names(found)).toEqual(['Vera 👩\u200d🚀 (1)']);
	}
});

test('Comments on the chosen post are listed', async () => {
	const list = await search('searchComments', { message_id: cast.post });
	expect(values(list)).toEqual([cast.comment]);
	expect(names(list)[0]).toContain(': First');
});

test('Subscriptions are listed and searched by address', async () => {
	for (const path of ['one', 'two']) await stage.subscribe(`https://bot.example/${path}`);
	expect(values(await search('searchSubscriptions', {}))).toHaveLength(2);
	const found = await search('searchSubscriptions', {}, { filter: 'TWO' });
	expect(values(found)).toEqual(['https://bot.example/two']);
});

test('A subscription whose address holds the token is listed without it, and is deleted as it is listed', async () => {
	await stage.subscribe(`https://bot.example/${stage.bot.token}/hook`);
	const found = await search('searchSubscriptions', {}, { filter: 'hook' });
	expect(values(found)).toEqual(['https://bot.example/…/hook']);
	const [subscription] = values(found);
	const { error } = await stage.run({
		resource: 'subscription',
		operation: 'delete',
		subscription: String(subscription),
	});
	expect(error).toBeUndefined();
	expect(await stage.subscriptions()).not.toContainEqual(
		expect.objectContaining({ url: expect.stringContaining('hook') }),
	);
});

describe('A list that cannot be filled says why', () => {
	test('when no chat or post is chosen yet', async () => {
		// n8n shows no descriptions of errors that do not come from the service.
		await expect(search('searchMembers', { chat_id: '' })).rejects.toThrow(
			'Chat ID is empty. Fill it in. If it is an expression, execute the nodes before this one first. If the model defines it, let it define this field, too.',
		);
		await expect(search('searchComments', {})).rejects.toThrow('Post ID is empty.');
	});

	test('when the chat is given by its name', async () => {
		await expect(search('searchMembers', { chat_id: 'Sales' })).rejects.toThrow(
			/^Chat ID is not an ID: Sales\. .*Names and links do not work/,
		);
	});

	test('when the chat does not exist', async () => {
		await expect(search('searchMessages', { chat_id: -5 })).rejects.toMatchObject({
			// n8n would leave out the minus of an ordinary hyphen.
			message: 'Chat \u20115 not found',
			description: expect.stringContaining("Check 'Chat ID'"),
		});
	});

	test('when the bot lacks the right', async () => {
		await stage.control.changeMember(cast.group, stage.bot.user_id, { permissions: null });
		await expect(search('searchMembers', { chat_id: cast.group })).rejects.toMatchObject({
			message: expect.stringContaining('not an administrator'),
			description: expect.stringContaining('Make the bot an administrator'),
		});
	});

	test('when the service is down, within seconds', async () => {
		const down = { match: { method: 'GET' }, then: { status: 503 }, count: -1 };
		await stage.control.setFaults([down]);
		await expect(search('searchSubscriptions', {})).rejects.toMatchObject({ httpCode: '503' });
		// There would be sixteen requests in a minute.
		expect((await stage.control.journal({ status: 503 })).length).toBeLessThan(8);
	});
});
