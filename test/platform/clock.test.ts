import { Clock } from './clock';

let clock: Clock;

beforeEach(() => {
	clock = new Clock();
});

afterEach(() => clock.stop());

it('moves forward by an advance and keeps going', async () => {
	const before = clock.now();
	await clock.advance(3_600_000);
	expect(clock.now() - before).toBeGreaterThanOrEqual(3_600_000);
	expect(clock.now() - before).toBeLessThan(3_605_000);
});

it('runs what becomes due in order, each at its own time', async () => {
	const start = clock.now();
	const ran: [string, number][] = [];
	const note = (name: string) => () => ran.push([name, Math.round((clock.now() - start) / 1000)]);
	clock.after(30_000, note('late'));
	clock.after(10_000, note('early'));
	clock.after(10_000, note('second'));
	clock.after(90_000, note('never'));
	await clock.advance(60_000);
	expect(ran).toEqual([
		['early', 10],
		['second', 10],
		['late', 30],
	]);
});

it('waits for what it started, and for what that planned on the way', async () => {
	const ran: string[] = [];
	clock.after(1_000, async () => {
		await new Promise((resolve) => setImmediate(resolve));
		ran.push('first');
		clock.after(1_000, () => ran.push('second'));
	});
	await clock.advance(5_000);
	expect(ran).toEqual(['first', 'second']);
});

it('goes on when something that is due itself waits for the clock', async () => {
	const ran: string[] = [];
	clock.after(1_000, async () => {
		await clock.sleep(1_000);
		ran.push('awake');
	});
	await clock.advance(5_000);
	expect(ran).toEqual(['awake']);
});

it('runs by real time, too', async () => {
	const start = Date.now();
	await clock.sleep(50);
	expect(Date.now() - start).toBeGreaterThanOrEqual(49);
});

it('does not run what was cancelled', async () => {
	const ran: string[] = [];
	const timers = ['a', 'b', 'c'].map((name) => clock.after(1_000, () => ran.push(name)));
	timers[1]?.cancel();
	await clock.advance(2_000);
	expect(ran).toEqual(['a', 'c']);
});

it('takes advances one after the other', async () => {
	const start = clock.now();
	await Promise.all([clock.advance(1_000), clock.advance(1_000)]);
	expect(clock.now() - start).toBeGreaterThanOrEqual(2_000);
});
