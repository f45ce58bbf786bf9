import { Control, startPlatform } from '.';
import { type BotClient, keyboard, refuses, Scene } from './scene';
import type { ControlId } from './control-types';

const scene = Scene.forAllTests();
let bot: BotClient;
let chatId: ControlId;

/** The time of the limits, in ms: it stands still, so that no machine is too slow for a burst. */
let now: number;

beforeEach(async () => {
	now = Math.round(performance.now());
	jest.spyOn(performance, 'now').mockImplementation(() => now);
	await scene.control.setLimits({
		requests_per_second: 0,
		messages_per_second_per_chat: 0,
		algorithm: 'bucket',
		chat_overflow: 'refuse',
	});
	bot = await scene.bot();
	({ chatId } = await scene.dialog(bot));
});

afterEach(() => jest.restoreAllMocks());

const statuses = async (requests: Promise<{ status: number }>[]) => {
	const all = (await Promise.all(requests)).map(({ status }) => status);
	const count = (status: number) => all.filter((each) => each === status).length;
	return { fine: count(200), late: count(429) };
};

const burst = (count: number, send: () => Promise<{ status: number }>) =>
	statuses(Array.from({ length: count }, send));

it('are 30 requests per second and 2 messages per second and chat unless set otherwise', async () => {
	const platform = await startPlatform();
	const { limits } = await new Control(platform.controlUrl).state();
	await platform.stop();
	expect(limits).toMatchObject({
		requests_per_second: 30,
		messages_per_second_per_chat: 2,
		algorithm: 'bucket',
	});
});

it('let one second of requests through at once and refuse the rest', async () => {
	await scene.control.setLimits({ requests_per_second: 10 });
	expect(await burst(80, () => bot.get('/me'))).toEqual({ fine: 10, late: 70 });
	now += 500;
	expect(await burst(80, () => bot.get('/me'))).toEqual({ fine: 5, late: 75 });
});

it('say so as the real service does, without Retry-After', async () => {
	await scene.control.setLimits({ requests_per_second: 1 });
	await bot.get('/me');
	const answer = await bot.get('/me');
	const message = 'Too many requests. Limit is: 1 calls per second.';
	await refuses(answer, 'too.many.requests', message);
	expect(answer.headers.get('retry-after')).toBeNull();
});

it('count every bot for itself', async () => {
	await scene.control.setLimits({ requests_per_second: 1 });
	const other = await scene.bot();
	await bot.get('/me');
	expect((await bot.get('/me')).status).toBe(429);
	expect((await other.get('/me')).status).toBe(200);
});

it('never let more than the rate into any one second when they slide', async () => {
	await scene.control.setLimits({ requests_per_second: 5, algorithm: 'sliding' });
	const times: number[] = [];
	for (const end = now + 2_500; now < end; now += 30) {
		if ((await bot.get('/me')).status === 200) times.push(now);
	}
	expect(times.length).toBeGreaterThan(10);
	for (const [index, time] of times.slice(5).entries()) {
		expect(time - (times[index] ?? 0)).toBeGreaterThanOrEqual(1_000);
	}
});

describe('of a chat', () => {
	beforeEach(() => scene.control.setLimits({ messages_per_second_per_chat: 2 }));

	it('refuse the third message in a second, into this chat only', async () => {
		const { fine, late } = await burst(5, () => bot.say(chatId, 'a'));
		expect({ fine, late }).toEqual({ fine: 2, late: 3 });
		const { chatId: other } = await scene.dialog(bot);
		expect((await bot.say(other, 'a')).status).toBe(200);
	});

	it('count edits and answers, too', async () => {
		const { mid } = (await bot.say(chatId, 'a', { attachments: [keyboard] })).body.message.body;
		const { callback_id } = await scene.control.press(mid);
		const path = `/answers?callback_id=${callback_id}`;
		await bot.put(`/messages?message_id=${mid}`, { text: 'b' });
		await bot.post(path, { notification: 'c' });
		await refuses(bot.post(path, { message: { text: 'd' } }), 'too.many.requests');
	});

	it('count comments and their edits as messages of the channel', async () => {
		const { chatId: channel } = await scene.group(bot, { type: 'channel' });
		const { mid } = (await bot.say(channel, 'News')).body.message.body;
		const comments = `/messages/${mid}/comments`;
		const { body } = await bot.post(comments, { text: 'a' });
		await refuses(bot.post(comments, { text: 'b' }), 'too.many.requests');
		const edited = `${comments}?comment_id=${body.message.body.mid}`;
		await refuses(bot.put(edited, { text: 'c' }), 'too.many.requests');
	});

	it('do not count what is refused for another reason', async () => {
		for (let count = 0; count < 3; count += 1) {
			expect((await bot.say(chatId, '')).status).toBe(400);
		}
		expect((await bot.say(chatId, 'a')).status).toBe(200);
	});

	it('can delay instead of refusing, in order', async () => {
		await scene.control.setLimits({ chat_overflow: 'delay' });
		const start = Date.now();
		const answers: Promise<{ status: number }>[] = [];
		for (const text of ['1', '2', '3', '4']) answers.push(bot.say(chatId, text));
		expect(await statuses(answers)).toEqual({ fine: 4, late: 0 });
		expect(Date.now() - start).toBeGreaterThanOrEqual(900);
	});
});
