import { createServer, type Server } from 'node:http';
import type { INodeParameters } from 'n8n-workflow';
import { BotMessaging } from '../../../nodes/BotMessaging/BotMessaging.node';
import { runNode } from '../support/engine';
import { close, listen } from '../../support/server';
import { searchList } from '../support/listSearch';

const NOW = 1785000000000;

let guests = 0;
const guest = () => ({ user_id: ++guests, first_name: `Guest ${guests}` });
const members = Array.from({ length: 100 }, guest);
const messages = Array.from({ length: 100 }, (_, index) => ({
	timestamp: NOW - index * 1000,
	recipient: { chat_id: -5, chat_type: 'chat' },
	body: { mid: `mid.${index}`, text: `Number ${index}` },
}));

let server: Server;
let credentials: { botMessagingApi: Record<string, string> };
let asked: string[] = [];
let marker = 0;
/** What the service answers first. */
let answers: string[] = [];

/** An answer with members who were in none before. */
const page = (size: number, next: string) =>
	`{ "members": ${JSON.stringify(Array.from({ length: size }, guest))}, "marker": ${next} }`;

/** A service that ignores queries and always returns the same full page. */
beforeAll(async () => {
	server = createServer(({ url = '' }, response) => {
		asked.push(url);
		response.setHeader('Content-Type', 'application/json');
		response.end(answers.shift() ?? JSON.stringify({ members, messages, marker: ++marker }));
	});
	const baseUrl = `http://127.0.0.1:${await listen(server)}`;
	credentials = { botMessagingApi: { baseUrl, accessToken: 'token' } };
});

beforeEach(() => {
	asked = [];
	answers = [];
});

afterAll(async () => await close(server));

const run = async (parameters: INodeParameters) => {
	const node = new BotMessaging();
	const { items, error } = await runNode({ node, parameters, credentials });
	expect(error).toBeUndefined();
	return items.map(({ json }) => json);
};

const everything: Array<[string, INodeParameters, number]> = [
	['messages', { resource: 'message', chat_id: '-5' }, 2],
	['comments', { resource: 'comment', message_id: 'mid.1' }, 2],
	['members', { resource: 'member', chat_id: '-5' }, 2],
	['administrators', { resource: 'administrator', chat_id: '-5' }, 2],
];

test.each(everything)('Return All of %s ends, and returns each once', async (_what, form, most) => {
	const found = await run({ ...form, operation: 'getAll', returnAll: true });
	expect(found).toHaveLength(100);
	expect(asked.length).toBeLessThanOrEqual(most);
	expect(new Set(asked).size).toBe(asked.length);
});

test.each(everything)('A limit for %s is respected', async (_what, form) => {
	expect(await run({ ...form, operation: 'getAll', limit: 7 })).toHaveLength(7);
	expect(asked).toHaveLength(1);
});

test.each([...everything, ['subscriptions', { resource: 'subscription' }, 1] as const])(
	'A limit for %s that is none is refused before anything is sent',
	async (_what, form) => {
		const parameters = { ...form, operation: 'getAll', limit: 0 };
		const { error } = await runNode({ node: new BotMessaging(), parameters, credentials });
		expect(error?.message).toBe('Limit is not a whole number of at least 1: 0');
		expect(asked).toEqual([]);
	},
);

const allMembers: INodeParameters = {
	resource: 'member',
	operation: 'getAll',
	chat_id: '-5',
	returnAll: true,
};

test('Each page of members is requested with the exact marker of the page before', async () => {
	const big = '9223372036854775807';
	answers = [page(100, '0'), page(100, big), page(3, 'null')];
	expect(await run(allMembers)).toHaveLength(203);
	const queries = asked.map((url) => new URL(url, 'http://service').searchParams);
	expect(queries.map((query) => query.get('marker'))).toEqual([null, '0', big]);
});

test('An empty page of members is not the last one as long as it names the next one', async () => {
	answers = [page(100, '7'), page(0, '8'), page(0, '9'), page(3, 'null')];
	expect(await run(allMembers)).toHaveLength(103);
	const queries = asked.map((url) => new URL(url, 'http://service').searchParams);
	expect(queries.map((query) => query.get('marker'))).toEqual([null, '7', '8', '9']);
});

test('Administrators are requested page by page as well, if the service names a next page', async () => {
	answers = [page(2, '7'), page(1, 'null')];
	expect(await run({ ...allMembers, resource: 'administrator' })).toHaveLength(3);
	expect(asked).toEqual(['/chats/-5/members/admins', '/chats/-5/members/admins?marker=7']);
});

test('A member is found in a list to choose from behind an empty page', async () => {
	const last = page(1, 'null');
	answers = [page(0, '7'), last];
	const { results } = await searchList({
		node: new BotMessaging(),
		method: 'searchMembers',
		parameters: { chat_id: '-5' },
		credentials,
	});
	expect(results.map(({ value }) => value)).toEqual([String(guests)]);
});

test.each([
	['with the same next page', () => 7],
	['with another next page each time', (index: number) => index],
])('Empty pages of members without an end, %s, are given up', async (_what, next) => {
	answers = Array.from({ length: 1000 }, (_, index) => page(0, String(next(index))));
	expect(await run(allMembers)).toEqual([]);
	expect(asked.length).toBeLessThanOrEqual(50);
});

test('A time span is respected, and requested by from and to in milliseconds', async () => {
	const found = await run({
		resource: 'message',
		operation: 'getAll',
		chat_id: '-5',
		returnAll: true,
		options: { before: NOW - 10_000, after: new Date(NOW - 19_000).toISOString() },
	});
	expect(found.map(({ text }) => text)).toEqual(
		Array.from({ length: 10 }, (_, index) => `Number ${index + 10}`),
	);
	expect(asked).toEqual([`/messages?chat_id=-5&count=100&from=${NOW - 10_000}&to=${NOW - 19_000}`]);
});

test.each([
	['searchMembers', { chat_id: '-5' }],
	['searchAdministrators', { chat_id: '-5' }],
	['searchMessages', { chat_id: '-5' }],
	['searchComments', { message_id: 'mid.1' }],
])(
	'The list of %s ends, and a search without results looks only once',
	async (method, parameters) => {
		const form = { node: new BotMessaging(), method, parameters, credentials };
		let token: string | undefined;
		const values: unknown[] = [];
		do {
			const { results, paginationToken } = await searchList({ ...form, paginationToken: token });
			values.push(...results.map(({ value }) => value));
			token = paginationToken;
		} while (token && asked.length < 10);
		expect([values.length, new Set(values).size]).toEqual([100, 100]);
		expect(asked.length).toBeLessThanOrEqual(2);

		asked = [];
		expect((await searchList({ ...form, filter: 'nobody' })).results).toEqual([]);
		expect(asked.length).toBeLessThanOrEqual(2);
	},
);
