import { type BotClient, fails, isBad, refuses, Scene, succeeds } from './scene';

const scene = Scene.forAllTests();
let bot: BotClient;

beforeEach(async () => {
	bot = await scene.bot();
});

const HOOK = 'https://bot.example/hook?a=1&b=%20';

const subscribe = (body: object) => bot.post('/subscriptions', body);

const list = async () => (await bot.get('/subscriptions')).body.subscriptions;

it('are made, shown without the secret, and removed', async () => {
	const wanted = { url: HOOK, update_types: ['message_created'], secret: 'secret-1' };
	await succeeds(subscribe(wanted));
	expect(await list()).toEqual([
		{ url: HOOK, time: expect.any(Number), update_types: ['message_created'] },
	]);
	const removed = await bot.delete(`/subscriptions?url=${encodeURIComponent(HOOK)}`);
	expect(removed.body).toEqual({ success: true });
	expect(await list()).toEqual([]);
});

it('are replaced if the url is the same, otherwise added', async () => {
	await subscribe({ url: HOOK, update_types: ['message_created'], secret: 'secret-1' });
	await subscribe({ url: HOOK });
	expect(await list()).toEqual([{ url: HOOK, time: expect.any(Number) }]);
	await subscribe({ url: 'https://bot.example/other' });
	expect(await list()).toHaveLength(2);
});

it('lose their url to another bot that takes it', async () => {
	const other = await scene.bot();
	await subscribe({ url: 'https://bot.example/shared' });
	await other.post('/subscriptions', { url: 'https://bot.example/shared' });
	expect(await list()).toEqual([]);
	expect((await other.get('/subscriptions')).body.subscriptions).toHaveLength(1);
	const path = `/subscriptions?url=${encodeURIComponent('https://bot.example/shared')}`;
	await fails(bot.delete(path));
});

it('that do not exist are removed without success', async () => {
	await fails(bot.delete('/subscriptions?url=https%3A%2F%2Fa.org'));
	await isBad(bot.delete('/subscriptions'), 'Missing required parameter: url');
});

it.each(['http://bot.example/hook', 'https://бот.example/hook'])('do not take %s', async (url) => {
	await fails(subscribe({ url }));
	expect(await list()).toEqual([]);
});

it('take a url with a port', async () => {
	expect((await subscribe({ url: 'https://bot.example:8443/hook' })).body.success).toBe(true);
});

it.each([
	['no url', {}, 'Missing required parameter: url'],
	['a null url', { url: null }, "Field 'url' cannot be null"],
	['no url at all', { url: 'nonsense' }, "Field 'url' does not match required pattern"],
	[
		'a short secret',
		{ url: HOOK, secret: 'four' },
		"Field 'secret' does not match required pattern",
	],
	[
		'a long secret',
		{ url: HOOK, secret: 'a'.repeat(257) },
		"Field 'secret' does not match required pattern",
	],
	[
		'a secret with a space',
		{ url: HOOK, secret: 'a b c d' },
		"Field 'secret' does not match required pattern",
	],
	['an unknown type', { url: HOOK, update_types: ['a'] }, 'Unknown update type: a'],
	[
		'types that are no list',
		{ url: HOOK, update_types: 'message_created' },
		"Can't deserialize body",
	],
])('are refused with %s', async (_what, body, message) => {
	await isBad(subscribe(body), message);
	expect(await list()).toEqual([]);
});

it('take secrets of 5 and of 256 characters', async () => {
	for (const secret of ['A-_09', 'a'.repeat(256)]) {
		await succeeds(subscribe({ url: HOOK, secret }));
	}
});

it('need a token', async () => {
	await scene.control.revokeToken(bot.id);
	await refuses(bot.get('/subscriptions'), 'verify.token');
});
