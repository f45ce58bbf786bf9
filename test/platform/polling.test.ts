import { type BotClient, isBad, refuses, Scene } from './scene';
import type { ControlId } from './control-types';

const scene = Scene.forAllTests();
let bot: BotClient;
let chatId: ControlId;

beforeEach(async () => {
	bot = await scene.bot();
	({ chatId } = await scene.dialog(bot));
	// Commits the updates from the setup.
	await bot.updates();
});

interface Answer {
	updates: { update_type: string; message: { body: { text: string } } }[];
	marker: number;
}

const poll = async (query = ''): Promise<Answer> =>
	(await bot.get(`/updates?timeout=0${query}`)).body;

const write = (text: string) => scene.control.userWrites(chatId, text);

const texts = ({ updates }: Answer) => updates.map(({ message }) => message.body.text);

it('filters by type, and skips the others for good', async () => {
	await write('1');
	await scene.control.treatDialog(chatId, 'mute');
	const muted = await poll('&types=dialog_muted,dialog_unmuted');
	expect(muted.updates.map((update) => update.update_type)).toEqual(['dialog_muted']);
	expect((await poll(`&marker=${muted.marker}`)).updates).toEqual([]);
});

it('gives the same events to two pollers', async () => {
	const held = [bot.get('/updates?timeout=30'), bot.get('/updates?timeout=30')];
	await write('both');
	const answers = await Promise.all(held);
	expect(answers.map(({ body }) => texts(body))).toEqual([['both'], ['both']]);
});

it('drops a poll that the client has given up, and loses nothing', async () => {
	const controller = new AbortController();
	const given = fetch(`${scene.platform.baseUrl}/updates?timeout=90`, {
		headers: { authorization: bot.shown.token },
		signal: controller.signal,
	});
	const abandoned = expect(given).rejects.toThrow();
	setImmediate(() => controller.abort());
	await abandoned;
	await write('later');
	expect(texts(await poll())).toEqual(['later']);
});

it('keeps events for 24 hours', async () => {
	await write('old');
	await scene.control.advance(23 * 60 * 60 * 1000);
	await write('young');
	expect(texts(await poll())).toEqual(['old', 'young']);
	await scene.control.advance(2 * 60 * 60 * 1000);
	expect(texts(await poll())).toEqual(['young']);
});

it('is silent while a webhook is active', async () => {
	await write('before');
	await bot.post('/subscriptions', { url: 'https://unreachable.invalid/hook' });
	await write('during');
	expect(await poll()).toMatchObject({ updates: [] });
	await bot.delete('/subscriptions?url=https%3A%2F%2Funreachable.invalid%2Fhook');
	expect(texts(await poll())).toEqual(['before']);
});

it.each([
	['limit=0', "Field 'limit' value (0) must be at least 1"],
	['limit=1001', "Field 'limit' value (1001) must be at most 1000"],
	['timeout=-1', "Field 'timeout' value (-1) must be at least 0"],
	['timeout=1500', "Field 'timeout' value (1500) must be at most 90"],
	['marker=a', "Field 'marker' value (a) must be an integer"],
	['types=nothing', 'Unknown update type: nothing'],
])('refuses %s', async (query, message) => {
	await isBad(bot.get(`/updates?${query}`), message);
});

it('can be limited in pace and size', async () => {
	await scene.control.setLimits({ polls_per_second: 2, poll_updates: 1 });
	await write('1');
	await write('2');
	const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
	expect(texts((await bot.get('/updates?timeout=90')).body)).toEqual(['1']);
	await bot.get('/updates');
	await refuses(bot.get('/updates'), 'too.many.requests');
	clock.mockRestore();
	await scene.control.setLimits({ polls_per_second: 0, poll_updates: 1000 });
});
