import type { Update } from '../../../../nodes/BotMessaging/events/update';
import type { Fate } from '../../../../nodes/BotMessaging/trigger/dispatch/chatLine';
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
		deliveries = new Deliveries({ handOver }, { error }, () => isStopped);
	});
	afterEach(() => jest.useRealTimers());

	const triesOf = (payload: string) => tries.filter((each) => each === payload).length;
	const wait = async (ms: number) => await jest.advanceTimersByTimeAsync(ms);

	it('are handed over once each, however often they are polled, until they are forgotten', async () => {
		fates.set('late', 'late');
		for (let polls = 0; polls < 3; polls++) {
			for (const payload of ['late', 'done']) deliveries.begin(event(payload));
			await wait(0);
		}
		expect(tries).toEqual(['late', 'done']);
		deliveries.forget();
		for (const payload of ['late', 'done']) deliveries.begin(event(payload));
		expect(tries).toEqual(['late', 'done', 'done']);
	});

	it('are not passed over because others succeeded before the clock was set back', async () => {
		deliveries.begin(event('before'));
		await wait(0);
		jest.setSystemTime(Date.now() - 3 * 3_600_000);
		fates.set('a', 'failed');
		deliveries.begin(event('a'));
		await wait(LONG_MS);
		expect(logged).toEqual([]);
		expect(deliveries.areDone).toBe(false);
	});

	it.each<Fate>(['ignored', 'known'])('are done if they are %s', async (fate) => {
		fates.set('a', fate);
		deliveries.begin(event('a'));
		await wait(LONG_MS);
		expect(triesOf('a')).toBe(1);
		expect(deliveries.areDone).toBe(true);
	});

	it.each(['late', 'full', 'failed', new Error('no connection')] as const)(
		'are tried again, with longer and longer pauses, as long as all fail: %s',
		async (fate) => {
			fates.set('a', fate);
			deliveries.begin(event('a'));
			await wait(1000 + 2000 + 4000 + 8000 - 1);
			expect(triesOf('a')).toBe(4);
			await wait(LONG_MS);
			expect(triesOf('a')).toBeGreaterThan(10);
			expect(deliveries.areDone).toBe(false);
			fates.clear();
			await wait(60_000);
			expect(deliveries.areDone).toBe(true);
			expect(logged).toEqual([]);
		},
	);

	it('are passed over after four tries if others succeed meanwhile, and that is logged', async () => {
		fates.set('bad', 'failed');
		deliveries.begin(event('good before'));
		await wait(1);
		deliveries.begin(event('bad'));
		await wait(10_000);
		expect(triesOf('bad')).toBe(4);
		deliveries.begin(event('good'));
		await wait(LONG_MS);
		expect(triesOf('bad')).toBe(5);
		expect(deliveries.areDone).toBe(true);
		expect(logged).toEqual([
			expect.stringMatching(/^An event was passed over: .+: n8n could not start its execution$/),
		]);
	});

	it('are tried four times at least, however many others succeed', async () => {
		fates.set('bad', 'failed');
		deliveries.begin(event('bad'));
		await wait(1);
		deliveries.begin(event('good'));
		await wait(LONG_MS);
		expect(triesOf('bad')).toBe(4);
	});

	it('are waited for as long as it takes, but no longer than wanted', async () => {
		const settled = jest.fn();
		fates.set('a', 'late');
		deliveries.begin(event('a'));
		void deliveries.settled(1500).then(settled);
		await wait(1400);
		expect(settled).not.toHaveBeenCalled();
		await wait(100);
		expect(settled).toHaveBeenCalledTimes(1);
		void deliveries.settled(Infinity).then(settled);
		await wait(1000);
		expect(settled).toHaveBeenCalledTimes(1);
		fates.clear();
		await wait(4000);
		expect(settled).toHaveBeenCalledTimes(2);
		expect(jest.getTimerCount()).toBe(0);
	});

	it('are left alone once the trigger has stopped, without a word', async () => {
		fates.set('a', 'late');
		deliveries.begin(event('a'));
		const settled = jest.fn();
		void deliveries.settled(Infinity).then(settled);
		await wait(100);
		isStopped = true;
		await wait(LONG_MS);
		expect(settled).toHaveBeenCalled();
		expect(triesOf('a')).toBe(1);
		expect(logged).toEqual([]);
		expect(jest.getTimerCount()).toBe(0);
	});
});
