import { Clock } from './clock';

let clock: Clock;

beforeEach(() => {
	clock = new Clock();
});

afterEach(() => clock.stop());

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

it('goes on when something that is due itself waits for the clock', async () => {
	const ran: string[] = [];
	clock.after(1_000, async () => {
		await clock.sleep(1_000);
		ran.push('awake');
	});
	await clock.advance(5_000);
	expect(ran).toEqual(['awake']);
});

it('takes advances one after the other', async () => {
	const start = clock.now();
	await Promise.all([clock.advance(1_000), clock.advance(1_000)]);
	expect(clock.now() - start).toBeGreaterThanOrEqual(2_000);
});
