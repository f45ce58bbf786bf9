import { Latency } from '../../../../nodes/BotMessaging/service/pacing/latency';
import { Limit } from '../../../../nodes/BotMessaging/service/pacing/limit';
import { scaled } from '../../../support/scale';
import { limiter, seeded, type Algorithm } from './simulation';

interface Setting {
	/** Limit of the service, per second. */
	rate: number;
	algorithm: Algorithm;
	latencyMs: number;
	jitterMs: number;
	namesLimit?: boolean;
	processes: number;
	/** Messages of each process. */
	each: number;
	/** How far apart they start at most. */
	apartMs?: number;
}

interface Result {
	/** Time taken, as a multiple of the minimum. */
	ratio: number;
	/** Refusals per message. */
	refused: number;
	/** Slowest / fastest process. */
	unevenness: number;
}

/** Several independent processes send `each` messages as fast as they can, in virtual time. */
function broadcasts(setting: Setting, seed: number): Result {
	const {
		rate,
		algorithm,
		latencyMs,
		jitterMs,
		namesLimit,
		processes,
		each,
		apartMs = 20,
	} = setting;
	const events: Array<{ at: number; happen: () => void }> = [];
	const random = seeded(seed * 1000);
	// A random start, so that what processes do at fixed times of the clock does not fit it by chance.
	const firstAt = Math.floor(64_000 * random());
	let now = firstAt;
	const after = (ms: number, happen: () => void): void => {
		const at = now + ms;
		const place = events.findLastIndex((event) => event.at >= at) + 1;
		events.splice(place, 0, { at, happen });
	};
	const admits = limiter(algorithm, rate);
	const durations: number[] = [];
	let refused = 0;

	const begin = (): void => {
		const startedAt = now;
		const latency = new Latency();
		const limit = new Limit(latency, () => 30, 1 / 3);
		let [left, done, wakeAt] = [each, 0, Infinity];
		const work = (): void => {
			for (; left > 0; left--) {
				const at = limit.freeAt(now);
				if (at > now) {
					if (at >= wakeAt) return;
					wakeAt = Math.min(at, now + 250);
					// Timers fire late.
					after(Math.ceil(wakeAt - now) + 1.5 * random(), () => {
						wakeAt = Infinity;
						work();
					});
					return;
				}
				send();
			}
		};
		const send = (): void => {
			const grant = limit.take(now, now > startedAt);
			after(latencyMs / 2 + jitterMs * random(), () => {
				const isAdmitted = admits(now);
				after(latencyMs / 2 + jitterMs * random(), () => {
					grant.delayMs = now - grant.sentAt;
					if (isAdmitted) {
						latency.note(grant.delayMs);
						if (++done === each) durations.push(now - startedAt);
					} else {
						refused++;
						left++;
						limit.refuse(grant, namesLimit ? { limit: rate } : {}, now);
					}
					work();
				});
			});
		};
		work();
	};
	for (let process = 0; process < processes; process++) after(apartMs * random(), begin);
	for (let event = events.pop(); event; event = events.pop()) {
		now = event.at;
		event.happen();
	}
	const count = processes * each;
	return {
		ratio: (now - firstAt) / ((count / rate) * 1000),
		refused: refused / count,
		unevenness: Math.max(...durations) / Math.min(...durations),
	};
}

const SEEDS = Array.from({ length: scaled(10, 5) }, (_, index) => index + 1);
/** Long broadcasts differ less. */
const FEW = SEEDS.slice(0, scaled(4, 2));

/** The means of many runs; a single one depends on who happens to be refused. */
function means(setting: Setting, seeds: number[]): Result {
	const results = seeds.map((seed) => broadcasts(setting, seed));
	const mean = (key: keyof Result): number =>
		results.reduce((sum, result) => sum + result[key], 0) / results.length;
	return { ratio: mean('ratio'), refused: mean('refused'), unevenness: mean('unevenness') };
}

const KNOWN = { what: 'a known limit of 30', rate: 30, namesLimit: true };
const UNNAMED = { what: 'a known limit of 30 that refusals do not name', rate: 30 };
const UNTOLD = { what: 'an unknown limit of 10', rate: 10 };
const NAMED = { what: 'a limit of 10 that refusals name', rate: 10, namesLimit: true };

const NEAR = { latencyMs: 5, jitterMs: 3 };
const FAR = { latencyMs: 100, jitterMs: 5 };
const FARTHER = { latencyMs: 300, jitterMs: 15 };
const THREE = { processes: 3, each: 333 };

interface Case extends Omit<Setting, 'algorithm'> {
	what: string;
	most: Result;
}

const TARGET: Result = { ratio: 1.15, refused: 0.03, unevenness: 1.3 };
/** At high latency more is in flight at the first refusal, and more processes have more first refusals. */
const HARDER: Result = { ratio: 1.22, refused: 0.05, unevenness: 1.55 };
/** Shares of two per second: one request more or less is half a share. */
const SMALL_SHARES: Result = { ratio: 1.25, refused: 0.055, unevenness: 1.6 };

function expectAtMost(most: Result, setting: Setting, seeds = SEEDS): void {
	const { ratio, refused, unevenness } = means(setting, seeds);
	expect(ratio).toBeLessThan(most.ratio);
	expect(refused).toBeLessThan(most.refused);
	expect(unevenness).toBeLessThan(most.unevenness);
}

describe('With a sliding limit, independent processes find their shares', () => {
	test.each<Case>([
		{ ...KNOWN, ...NEAR, ...THREE, most: TARGET },
		{ ...KNOWN, ...FAR, ...THREE, most: TARGET },
		{ ...KNOWN, ...FARTHER, ...THREE, most: HARDER },
		{ ...KNOWN, ...FAR, processes: 2, each: 500, most: TARGET },
		{ ...KNOWN, ...FAR, processes: 5, each: 200, most: HARDER },
		{ ...UNTOLD, ...NEAR, ...THREE, most: TARGET },
		{ ...UNTOLD, ...FAR, ...THREE, most: TARGET },
		{ ...UNTOLD, ...FARTHER, ...THREE, most: { ...HARDER, unevenness: 1.8 } },
		{ ...UNTOLD, ...FAR, processes: 2, each: 500, most: TARGET },
		{ ...UNTOLD, ...FAR, processes: 5, each: 200, most: SMALL_SHARES },
		{ ...NAMED, ...FAR, ...THREE, most: HARDER },
	])(
		'of $what: $processes with $each messages each, $latencyMs ms away',
		({ most, ...setting }) => {
			expectAtMost(most, { ...setting, algorithm: 'sliding' });
		},
	);
});

test.each([
	{ when: 'a fifth of a second', apartMs: 200, most: TARGET },
	{ when: 'half a second', apartMs: 500, most: TARGET },
	{ when: 'half a second, by a fixed window', apartMs: 500, algorithm: 'fixed', most: HARDER },
	{ when: 'half a second, 300 ms away', apartMs: 500, ...FARTHER, most: HARDER },
] as const)('Processes that start within $when find their shares', ({ most, ...over }) => {
	expectAtMost(most, { ...UNNAMED, ...FAR, ...THREE, algorithm: 'sliding', ...over });
});

test('The place of a refused request is used again, so that no other process takes it', () => {
	const limit = new Limit(new Latency(), () => 30, 1 / 3);
	limit.refuse(limit.take(0, false), {}, 0);
	expect(limit.rate).toBe(2);
	limit.take(2000, false).delayMs = 0;
	const refused = limit.take(2500, false);
	refused.delayMs = 0;
	limit.refuse(refused, {}, 2600);
	expect(limit.rate).toBe(1);
	// A second after the request that was accepted, and not after the one that was refused.
	expect(limit.freeAt(2600)).toBeLessThan(3100);
});

test('A refusal that comes seconds later is judged by what the service accepted before it', () => {
	const latency = new Latency();
	for (let count = 0; count < 3; count++) latency.note(10);
	const limit = new Limit(latency, () => 30, 1);
	for (let count = 0; count < 20; count++) limit.take(0, false).delayMs = 10;
	const refused = limit.take(10, false);
	for (const later of [4000, 4100]) limit.take(later, false).delayMs = 10;
	limit.refuse(refused, {}, 4500);
	expect(limit.rate).toBe(6);
});

test('A request may have arrived as much later as its answer, up to a limit that is higher after a quiet time', () => {
	const latency = new Latency();
	for (let count = 0; count < 3; count++) latency.note(10);
	const limit = new Limit(latency, () => 1, 1);
	const freeAfter = (at: number): number => {
		limit.take(at, false).delayMs = 2000;
		return limit.freeAt(at + 900) - at;
	};
	expect([0, 2000, 10_000].map(freeAfter)).toEqual([1256, 1106, 1256]);
});

test('Requests that come one after the other get no more places at once than those that come together', () => {
	const latency = new Latency();
	for (let count = 0; count < 3; count++) latency.note(10);
	const limit = new Limit(latency, () => 30, 1 / 3);
	const sent: number[] = [];
	for (let now = 0; now < 100; now++) {
		if (limit.freeAt(now) > now) continue;
		limit.take(now, false).delayMs = 10;
		sent.push(now);
	}
	expect(sent.slice(0, 10)).toEqual([...Array(10).keys()]);
	expect(sent.length).toBeLessThan(14);
});

test('Most single broadcasts of three processes at an unknown limit meet all three targets', () => {
	const setting = { ...UNTOLD, ...FAR, ...THREE, algorithm: 'sliding' as const };
	const results = Array.from({ length: 60 }, (_, seed) => broadcasts(setting, seed + 1));
	const met = results.filter(
		({ ratio, refused, unevenness }) =>
			ratio < TARGET.ratio && refused < TARGET.refused && unevenness < TARGET.unevenness,
	);
	expect(met.length / results.length).toBeGreaterThan(0.8);
});

describe.each<Algorithm>(['bucket', 'sliding', 'fixed'])(
	'Processes of a bot whose requests are counted by %s',
	(algorithm) => {
		// A bucket shows only when it is empty that there are too many requests.
		test.each([KNOWN, UNTOLD])('find their shares of $what when there are three', (limit) => {
			const setting = { ...limit, ...FAR, processes: 3, each: 1000, algorithm };
			expectAtMost({ ratio: 1.15, refused: 0.04, unevenness: 1.5 }, setting, FEW);
		});

		test.each([
			{ ...UNNAMED, ...NEAR },
			{ ...UNNAMED, ...FAR },
			{ ...UNTOLD, ...NEAR },
			{ ...NAMED, ...FAR },
		])('find their shares of $what, $latencyMs ms away, in at most a fifth more time', (limit) => {
			const setting = { ...limit, processes: 3, each: 1000, algorithm };
			expectAtMost({ ratio: 1.2, refused: 0.045, unevenness: 1.5 }, setting, FEW);
		});

		test.each([
			{ ...NEAR, most: 1.03 },
			{ ...FAR, most: 1.03 },
			// The last answer alone takes a hundredth of the time.
			{ ...FARTHER, most: 1.042 },
		])(
			'are refused nothing when there is only one of them, which knows the limit, $latencyMs ms away',
			({ most, ...distance }) => {
				for (const seed of FEW) {
					const setting = { rate: 30, algorithm, ...distance, processes: 1, each: 1000 };
					const { ratio, refused } = broadcasts(setting, seed);
					expect(refused).toBe(0);
					expect(ratio).toBeLessThan(most);
				}
			},
		);
	},
);
