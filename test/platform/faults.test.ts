import type { FaultAction } from './faults';
import { type BotClient, Scene } from './scene';
import type { ControlId } from './control-types';

const scene = Scene.forAllTests();
let bot: BotClient;
let chatId: ControlId;

beforeAll(async () => {
	bot = await scene.bot();
	({ chatId } = await scene.dialog(bot));
});

beforeEach(() => scene.control.setFaults([]));

const SEND = { origin: 'api', method: 'POST', path: '/messages' } as const;

const fault = (then: FaultAction, more: object = {}) =>
	scene.control.setFaults([{ match: SEND, ...more, then }]);

const send = () => bot.say(chatId, 'a');

const sentCount = async () => (await scene.control.messages(chatId)).length;

it('answer a status and a body without doing the work', async () => {
	const before = await sentCount();
	await fault({ status: 503, body: { code: 'service.unavailable', message: 'Later' } });
	expect(await send()).toMatchObject({
		status: 503,
		body: { code: 'service.unavailable', message: 'Later' },
	});
	expect(await sentCount()).toBe(before);
});

it('answer text that is not JSON, with headers', async () => {
	const headers = { 'content-type': 'text/html', 'retry-after': '2' };
	await fault({ status: 502, body: '<html>Bad Gateway</html>', headers });
	const answer = await send();
	expect(answer).toMatchObject({ status: 502, text: '<html>Bad Gateway</html>' });
	expect(answer.headers.get('retry-after')).toBe('2');
});

it('answer a status after the work was done', async () => {
	const before = await sentCount();
	await fault({ status: 504, done: true });
	expect((await send()).status).toBe(504);
	expect(await sentCount()).toBe(before + 1);
});

it.each([
	['before', 0],
	['after', 1],
] as const)('cut the connection %s the work', async (cut, done) => {
	const before = await sentCount();
	await fault({ cut });
	await expect(send()).rejects.toThrow('fetch failed');
	expect(await sentCount()).toBe(before + done);
	expect((await scene.control.journal({ path: '/messages' })).at(-1)).toMatchObject({ status: 0 });
	expect((await send()).status).toBe(200);
});

it('delay an answer by the clock', async () => {
	await fault({ delay_ms: 3_600_000 });
	let done = false;
	const sent = send().then((answer) => {
		done = true;
		return answer;
	});
	while (((await scene.control.faults())[0]?.count ?? 0) > 0) await bot.get('/me');
	expect(done).toBe(false);
	await scene.control.advance(3_600_000);
	expect((await sent).status).toBe(200);
});

it('send a body slowly', async () => {
	await fault({ slow_body_ms: 300 });
	const start = Date.now();
	expect((await send()).body.message.body.text).toBe('a');
	expect(Date.now() - start).toBeGreaterThanOrEqual(250);
});

it('occur as often as they say, after letting some requests pass', async () => {
	await fault({ status: 500 }, { count: 2, after: 1 });
	const statuses: number[] = [];
	for (let count = 0; count < 5; count += 1) statuses.push((await send()).status);
	expect(statuses).toEqual([200, 500, 500, 200, 200]);
	expect(await scene.control.faults()).toMatchObject([{ count: 0, after: 0 }]);
});

it('occur without end with a count of -1, until they are removed', async () => {
	await fault({ status: 500 }, { count: -1 });
	for (let count = 0; count < 3; count += 1) expect((await send()).status).toBe(500);
	await scene.control.setFaults([]);
	expect((await send()).status).toBe(200);
});

it('match by method, path with wildcards and origin', async () => {
	await scene.control.setFaults([
		{ match: { path: '/chats/*/members' }, count: -1, then: { status: 500 } },
		{ match: { method: 'DELETE' }, count: -1, then: { status: 501 } },
		{ match: { origin: 'upload' }, count: -1, then: { status: 502 } },
	]);
	expect((await bot.get('/chats/-7/members')).status).toBe(500);
	expect((await bot.get('/chats/-7/members/me')).status).toBe(404);
	expect((await bot.delete('/messages')).status).toBe(501);
	expect((await bot.get('/me')).status).toBe(200);
	const { url } = (await bot.post('/uploads?type=file')).body;
	expect((await fetch(url, { method: 'POST', body: 'a' })).status).toBe(502);
});

it.each([
	['no action', [{ match: SEND }]],
	['an unknown origin', [{ match: { origin: 'moon' }, then: {} }]],
	['an unknown cut', [{ then: { cut: 'sideways' } }]],
	['a text', 'fault'],
])('are refused with %s', async (_what, rules) => {
	await expect(scene.control.call('PUT', '/faults', rules)).rejects.toThrow('400');
});
