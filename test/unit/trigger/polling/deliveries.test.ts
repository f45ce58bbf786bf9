import type { Update } from '../../../../nodes/BotMessaging/events/events';
import type { Fate } from '../../../../nodes/BotMessaging/trigger/dispatch/chatQueue';
import { Deliveries } from '../../../../nodes/BotMessaging/trigger/polling/deliveries';

const event = (payload: string): Update => ({
	update_type: 'bot_started',
	timestamp: 1785000120000,
	chat_id: 7,
	payload,
});

/** Longer than any event is tried, in ms. */
const LONG_MS = 600_000;

describe('Polled events', () => {
	let isStopped: boolean;
	/** What becomes of events, by payload. By default, their executions begin. */
	let fates: Map<unknown, Fate | Error>;
	let tries: unknown[];
	let logged: string[];
	let deliveries: Deliveries;
	beforeEach(() => {
		jest.useFakeTimers();
		isStopped = false;
		fates = new Map();
		tries = [];
		logged = [];
		const handOver = async ({ payload }: Update) => {
			tries.push(payload);
			const fate = await Promise.resolve(fates.get(payload) ?? 'begun');
			if (fate instanceof Error) throw fate;
			return fate;
		};
		const error = (message: string) => void logged.push(message);
		deliveries = new Deliveries({ handOver }, { error }, () => isStopped, true);
	});
	afterEach(() => jest.useRealTimers());

	const triesOf = (payload: string) => tries.filter((each) => each === payload).length;
	const wait = async (ms: number) => await jest.advanceTimersByTimeAsync(ms);

	/** Hands over events with these payloads; the result is noted when it is there. */
	const take = (ms: number, ...payloads: string[]) => {
		const noted: { areDone?: boolean } = {};
		void deliveries
			.take(payloads.map(event), ms)
			.then((areDone) => Object.assign(noted, { areDone }));
		return noted;
	};

	/** Whether all events are done by now. */
	const areDone = async () => {
		const noted = take(0);
		await wait(0);
		return noted.areDone;
	};

	it('are handed over once each, however often they are polled, until all are done', async () => {
		fates.set('late', 'late');
		for (let polls = 0; polls < 3; polls++) {
			take(0, 'late', 'done');
			await wait(0);
		}
		expect(tries).toEqual(['late', 'done']);
		fates.clear();
		await wait(1000);
		expect(await areDone()).toBe(true);
		take(0, 'done');
		expect(tries).toEqual(['late', 'done', 'late', 'done']);
	});

	it('are not passed over because others succeeded before the clock was set back', async () => {
		take(0, 'before');
		await wait(0);
		jest.setSystemTime(Date.now() - 3 * 3_600_000);
		fates.set('a', 'failed');
		take(0, 'a');
		await wait(LONG_MS);
		expect(logged).toEqual([]);
		expect(await areDone()).toBe(false);
	});

	it.each<Fate>(['ignored', 'known'])('are done if they are %s', async (fate) => {
		fates.set('a', fate);
		take(0, 'a');
		await wait(LONG_MS);
		expect(triesOf('a')).toBe(1);
		expect(await areDone()).toBe(true);
	});

	it.each(['late', 'full', 'failed', new Error('no connection')] as const)(
		'are tried again, with longer and longer pauses, as long as all fail: %s',
		async (fate) => {
			fates.set('a', fate);
			take(0, 'a');
			await wait(1000 + 2000 + 4000 + 8000 - 1);
			expect(triesOf('a')).toBe(4);
			await wait(LONG_MS);
			expect(triesOf('a')).toBeGreaterThan(10);
			expect(await areDone()).toBe(false);
			fates.clear();
			await wait(60_000);
			expect(await areDone()).toBe(true);
			expect(logged).toEqual([]);
		},
	);

	it('are passed over after four tries if others succeed meanwhile, and that is logged', async () => {
		fates.set('bad', 'failed');
		take(0, 'good before');
		await wait(1);
		take(0, 'bad');
		await wait(10_000);
		expect(triesOf('bad')).toBe(4);
		take(0, 'good');
		await wait(LONG_MS);
		expect(triesOf('bad')).toBe(5);
		expect(await areDone()).toBe(true);
		expect(logged).toEqual([
			expect.stringMatching(/^An event was passed over: .+: n8n could not start its execution$/),
		]);
	});

	it('are tried four times at least, however many others succeed', async () => {
		fates.set('bad', 'failed');
		take(0, 'bad');
		await wait(1);
		take(0, 'good');
		await wait(LONG_MS);
		expect(triesOf('bad')).toBe(4);
	});

	it('are waited for as long as it takes, but no longer than wanted', async () => {
		fates.set('a', 'late');
		const short = take(1500, 'a');
		await wait(1400);
		expect(short.areDone).toBeUndefined();
		await wait(100);
		expect(short.areDone).toBe(false);
		const long = take(Infinity);
		await wait(1000);
		expect(long.areDone).toBeUndefined();
		fates.clear();
		await wait(4000);
		expect(long.areDone).toBe(true);
		expect(jest.getTimerCount()).toBe(0);
	});

	it('are passed over after four tries also if none succeeds, unless it is stubborn', async () => {
		const handOver = async ({ payload }: Update) => {
			tries.push(payload);
			return await Promise.resolve('failed' as const);
		};
		const error = (message: string) => void logged.push(message);
		deliveries = new Deliveries({ handOver }, { error }, () => isStopped, false);
		take(0, 'bad');
		await wait(LONG_MS);
		expect(triesOf('bad')).toBe(4);
		expect([await areDone(), logged.length]).toEqual([true, 1]);
	});

	it('are left alone once the trigger has stopped, without a word', async () => {
		for (const payload of ['a', 'under way']) fates.set(payload, 'late');
		const taken = take(Infinity, 'a');
		await wait(100);
		take(Infinity, 'under way');
		isStopped = true;
		await wait(LONG_MS);
		expect(taken.areDone).toBe(false);
		expect(triesOf('a')).toBe(1);
		expect(logged).toEqual([]);
		expect(jest.getTimerCount()).toBe(0);
	});
});
