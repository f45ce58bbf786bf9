import { PACE, seeded, ServiceStub, Simulation } from './simulation';

const EACH = 333;
const PROCESSES = [0, 1, 2];
const PLAYS = 24;

/** Processes begin within this many ms of each other, at any moment of the interval in which they look for more. */
const BEGIN_MS = 30;
const ANY_MOMENT_MS = 36_000;

interface Share {
	/** The time until the last process was done, as a multiple of what the limit requires. */
	time: number;
	/** Requests refused, as a part of the messages. */
	refused: number;
	/** The time of the slowest process, as a multiple of the fastest one's. */
	uneven: number;
}

/** Processes that do not know of each other each send a broadcast at once. */
async function play(rate: number, namesLimit: boolean, seed: number): Promise<Share> {
	const random = seeded(seed * 7919);
	const model = { rate, namesLimit, latencyMs: 100, jitterMs: 10, seed };
	const service = new ServiceStub(model);
	const { clock } = service;
	await clock.run(clock.sleep(ANY_MOMENT_MS * random()));
	const begunAt = clock.now();
	const broadcast = async (): Promise<number> => {
		const simulation = new Simulation(model, PACE, service);
		await clock.sleep(BEGIN_MS * random());
		await simulation.sendAll(simulation.party(), EACH);
		return clock.now() - begunAt;
	};
	const times = await clock.run(Promise.all(PROCESSES.map(broadcast)));
	const messages = EACH * PROCESSES.length;
	return {
		time: Math.max(...times) / ((messages / rate) * 1000),
		refused: service.arrivals.length / messages - 1,
		uneven: Math.max(...times) / Math.min(...times),
	};
}

const mean = (numbers: number[]): number =>
	numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

test.each([
	['a known limit of 30', 30, true],
	['a limit of 10 that nobody tells', 10, false],
])(
	'Three processes that begin together find their share of %s: on average in time, with few refusals, evenly',
	async (_, rate, namesLimit) => {
		const shares: Share[] = [];
		for (let seed = 1; seed <= PLAYS; seed++) shares.push(await play(rate, namesLimit, seed));
		expect(mean(shares.map(({ time }) => time))).toBeLessThanOrEqual(1.15);
		expect(mean(shares.map(({ refused }) => refused))).toBeLessThanOrEqual(0.03);
		expect(mean(shares.map(({ uneven }) => uneven))).toBeLessThanOrEqual(1.3);
	},
	120_000,
);
