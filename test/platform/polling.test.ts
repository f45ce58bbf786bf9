import { type BotClient, isBad, refuses, Scene } from './scene';
import type { ControlId } from './control-types';
import { waitFor } from '../support/wait';

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

it('gives everything that was not committed, again and again without a marker', async () => {
	await write('1');
	await write('2');
	expect(texts(await poll())).toEqual(['1', '2']);
	expect(texts(await poll())).toEqual(['1', '2']);
});

it('commits what is before the marker', async () => {
	await write('1');
	const { marker } = await poll();
	await write('2');
	expect(texts(await poll(`&marker=${marker}`))).toEqual(['2']);
	expect(texts(await poll())).toEqual(['2']);
});

it('keeps the marker when nothing comes', async () => {
	const { marker } = await poll();
	expect(await poll(`&marker=${marker}`)).toEqual({ updates: [], marker });
});

it('gives only the latest update, if the platform is set to', async () => {
	await scene.control.setSettings({ polling_without_marker: 'latest' });
	await write('1');
	await write('2');
	const latest = await poll();
	await scene.control.setSettings({ polling_without_marker: 'uncommitted' });
	expect(texts(latest)).toEqual(['2']);
	expect(await poll(`&marker=${latest.marker}`)).toEqual({ updates: [], marker: latest.marker });
});

it('gives at most as many as asked for, and continues there', async () => {
	for (const text of ['1', '2', '3']) await write(text);
	const first = await poll('&limit=2');
	expect(texts(first)).toEqual(['1', '2']);
	expect(texts(await poll(`&limit=2&marker=${first.marker}`))).toEqual(['3']);
});

it('filters by type, and skips the others for good', async () => {
	await write('1');
	await scene.control.treatDialog(chatId, 'mute');
	const muted = await poll('&types=dialog_muted,dialog_unmuted');
	expect(muted.updates.map((update) => update.update_type)).toEqual(['dialog_muted']);
	expect((await poll(`&marker=${muted.marker}`)).updates).toEqual([]);
});

it('holds until something fitting comes', async () => {
	const { marker } = await poll();
	const held = bot.get(`/updates?timeout=30&marker=${marker}&types=message_created`);
	await scene.control.treatDialog(chatId, 'mute');
	await write('now');
	const { body } = await held;
	expect(texts(body)).toEqual(['now']);
});

it('answers with nothing when the time is up', async () => {
	const { marker } = await poll();
	const before = Date.now();
	const held = bot.get(`/updates?timeout=90&marker=${marker}`);
	let done = false;
	void held.then(() => (done = true));
	await waitFor(
		async () => {
			await scene.control.advance(30_000);
			return done;
		},
		{ what: 'the end of the hold' },
	);
	expect((await held).body).toEqual({ updates: [], marker });
	expect(Date.now() - before).toBeLessThan(20_000);
});

it('really waits, with the clock left alone', async () => {
	const before = Date.now();
	await bot.get('/updates?timeout=1');
	expect(Date.now() - before).toBeGreaterThanOrEqual(990);
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

it('can be limited in pace, hold and size', async () => {
	await scene.control.setLimits({ polls_per_second: 2, poll_updates: 1, poll_hold_seconds: 0 });
	await write('1');
	await write('2');
	expect(texts((await bot.get('/updates?timeout=90')).body)).toEqual(['1']);
	await bot.get('/updates');
	await refuses(bot.get('/updates'), 'too.many.requests');
	await scene.control.setLimits({ polls_per_second: 0, poll_updates: 1000, poll_hold_seconds: 90 });
});
