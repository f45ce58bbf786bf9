import { Limit, Path } from '../../../../nodes/BotMessaging/service/pacing/limit';
import { limiter, seeded, type Algorithm } from './simulation';

interface Setting {
	/** Limit of the service, per second. */
	rate: number;
	algorithm: Algorithm;
	latencyMs: number;
	jitterMs: number;
	namesLimit?: boolean;
}

interface Result {
	/** Time × the minimum. */
	ratio: number;
	/** Part of the messages. */
	refused: number;
	/** Slowest / fastest process. */
	unevenness: number;
}

/** Several processes that do not know of each other send `each` messages as fast as they can, in virtual time. */
function broadcasts(setting: Setting, processes: number, each: number, seed: number): Result {
	const { rate, algorithm, latencyMs, jitterMs, namesLimit } = setting;
	const events: Array<{ at: number; happen: () => void }> = [];
	let now = 0;
	const after = (ms: number, happen: () => void): void => {
		const at = now + ms;
		const place = events.findLastIndex((event) => event.at >= at) + 1;
		events.splice(place, 0, { at, happen });
	};
	const random = seeded(seed * 1000);
	const admits = limiter(algorithm, rate);
	const durations: number[] = [];
	let refused = 0;

	const begin = (): void => {
		const startedAt = now;
		const path = new Path();
		const limit = new Limit(path, () => 30, 1 / 3);
		let [left, done, wakeAt] = [each, 0, Infinity];
		const work = (): void => {
			for (; left > 0; left--) {
				const at = limit.freeAt(now);
				if (at > now) {
					if (at >= wakeAt) return;
					wakeAt = Math.min(at, now + 250);
					// Timers are late.
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
						path.note(grant.delayMs);
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
	for (let process = 0; process < processes; process++) after(300 * random(), begin);
	for (let event = events.pop(); event; event = events.pop()) {
		now = event.at;
		event.happen();
	}
	const count = processes * each;
	return {
		ratio: now / ((count / rate) * 1000),
		refused: refused / count,
		unevenness: Math.max(...durations) / Math.min(...durations),
	};
}

const SEEDS = Array.from({ length: 2 }, (_, index) => index + 1);

function mean(results: Result[], key: keyof Result): number {
	return results.reduce((sum, result) => sum + result[key], 0) / results.length;
}

const FAR = { latencyMs: 100, jitterMs: 10 };
const NEAR = { latencyMs: 5, jitterMs: 3 };

describe.each<Algorithm>(['bucket', 'sliding', 'fixed'])(
	'Three processes of a bot whose requests are counted by %s',
	(algorithm) => {
		test.each([
			['a known limit of 30', { rate: 30, ...NEAR }],
			['a known limit of 30, far away', { rate: 30, ...FAR }],
			['a limit of 10 that nobody tells', { rate: 10, ...NEAR }],
			['a limit of 10 that nobody tells, far away', { rate: 10, ...FAR }],
			['a limit of 10 that refusals name', { rate: 10, ...FAR, namesLimit: true }],
		])('find their shares of %s', (_, setting) => {
			const results = SEEDS.map((seed) => broadcasts({ ...setting, algorithm }, 3, 1000, seed));
			expect(mean(results, 'ratio')).toBeLessThan(1.2);
			expect(mean(results, 'refused')).toBeLessThan(0.045);
			expect(mean(results, 'unevenness')).toBeLessThan(1.5);
		});

		test('are refused nothing when there is but one of them, and its limit is known', () => {
			for (const seed of SEEDS) {
				const { ratio, refused } = broadcasts({ rate: 30, algorithm, ...FAR }, 1, 1000, seed);
				expect(refused).toBe(0);
				expect(ratio).toBeLessThan(1.03);
			}
		});
	},
);
