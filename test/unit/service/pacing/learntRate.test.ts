import { LearntRate } from '../../../../nodes/BotMessaging/service/pacing/learntRate';

/** When a search of a bot may begin, and that of a chat, are multiples of these times of the clock, in ms. */
const UNNAMED_MS = 33_000;
const NAMED_MS = 36_000;
const CHAT_MS = 16_000;

/** A whole number of all periods, in ms. */
const BEGIN = UNNAMED_MS * NAMED_MS * CHAT_MS;

describe('The rate that is learned from refusals', () => {
	/** A rate with this ceiling, and what happens to it, at times in ms since the beginning. */
	const learning = (ceiling: number) => {
		const learnt = new LearntRate(() => ceiling);
		return {
			refused: (at: number, seen: number, limit?: number) => {
				const isFirst = learnt.learn(limit, seen, BEGIN + at);
				return [isFirst, learnt.rate];
			},
			rateAt: (at: number) => {
				learnt.lookForMore(BEGIN + at);
				return learnt.rate;
			},
			isInForceAt: (at: number) => learnt.isInForce(BEGIN + at),
		};
	};

	it('is the wanted one until something is refused', () => {
		const { rateAt, isInForceAt } = learning(30);
		expect([rateAt(0), rateAt(NAMED_MS), isInForceAt(0)]).toEqual([30, 30, false]);
	});

	it('is in force for five minutes after the last refusal; then all is learned anew', () => {
		const { refused, isInForceAt } = learning(30);
		refused(0, 20);
		refused(1000, 20);
		expect([isInForceAt(300_999), isInForceAt(301_000)]).toEqual([true, false]);
		expect(refused(300_999, 6)[0]).toBe(false);
		expect(refused(700_000, 6)[0]).toBe(true);
	});

	it.each<[string, number, number, number | undefined, number]>([
		['a part of what was accepted, if no limit is named', 30, 20, undefined, 6],
		['the same if the limit that is named is 0', 30, 20, 0, 6],
		['two at least', 30, 3, undefined, 2],
		['what was accepted, if that is a small part of the limit', 50, 3, 40, 3],
		['a quarter of the limit, if a larger part was accepted', 50, 20, 40, 10],
		['the limit itself, if most of it was accepted', 30, 8, 10, 10],
		['less than the limit, if this process kept to it', 10, 10, 10, 9],
		['half of the limit of a chat', 2, 2, undefined, 1],
		['what was accepted of the limit of a chat', 2, 0.75, undefined, 0.75],
		['one request in two seconds, if nothing was accepted', 2, 0, undefined, 0.5],
	])('begins with %s', (_, ceiling, seen, limit, rate) => {
		expect(learning(ceiling).refused(0, seen, limit)).toEqual([true, rate]);
	});

	it('rises step by step until something is refused, and returns to what was accepted', () => {
		const { refused, rateAt } = learning(30);
		refused(0, 15, 24);
		expect([rateAt(999), rateAt(1000), rateAt(1499), rateAt(1500)]).toEqual([6, 7, 7, 8]);
		expect(refused(1600, 8)).toEqual([false, 7]);
		expect([rateAt(3000), rateAt(NAMED_MS - 1)]).toEqual([7, 7]);
	});

	it('rises more quickly where few processes are left if no limit is named, up to a part of what was accepted before', () => {
		const { refused, rateAt } = learning(30);
		refused(0, 25);
		const steps = [749, 750, 1500, 2250, 3000, 3750, 4500, 5250];
		expect(steps.map(rateAt)).toEqual([7, 8, 9, 10, 13, 17, 22, 23]);
		expect(refused(5300, 22)).toEqual([false, 22]);
	});

	it('rises more quickly in a search that finds much more room than there was before', () => {
		const { refused, rateAt } = learning(30);
		refused(0, 10);
		rateAt(1000);
		refused(1100, 5);
		const seconds = [0, 1, 2, 3, 4, 5, 6].map((second) => UNNAMED_MS + 1000 * second);
		expect(seconds.map(rateAt)).toEqual([3, 4, 5, 6, 7, 9, 12]);
	});

	it('falls a little with every refusal outside of a search', () => {
		const { refused } = learning(30);
		expect([0, 1, 2, 3].map((at) => refused(at, 30, 30)[1])).toEqual([27, 24, 22, 20]);
	});

	it('falls by half if it is low, down to one request in two seconds', () => {
		const { refused } = learning(2);
		expect([0, 1, 2].map((at) => refused(at, 2)[1])).toEqual([1, 0.5, 0.5]);
	});

	it('rises from the lowest rate to begin with as well', () => {
		const { refused, rateAt } = learning(30);
		refused(0, 3);
		expect([rateAt(999), rateAt(1000)]).toEqual([2, 3]);
	});

	it('falls further if even a step back is refused', () => {
		const { refused, rateAt } = learning(30);
		refused(0, 30, 30);
		expect([rateAt(NAMED_MS), refused(NAMED_MS + 100, 18)[1]]).toEqual([18, 15]);
	});

	it.each([
		['a lower one if no limit is named, so that all step back alike', undefined, UNNAMED_MS, 1],
		['no lower one if the limit is named', 30, NAMED_MS, 2],
	])('steps back from a low rate to %s', (_, limit, searchAt, rate) => {
		const { refused, rateAt } = learning(30);
		refused(0, 2, limit);
		expect([rateAt(1000), refused(1100, 2)[1]]).toEqual([3, 2]);
		expect(rateAt(searchAt)).toBe(rate);
	});

	it('is searched for anew from a step back, at the same times for all processes', () => {
		const { refused, rateAt } = learning(30);
		refused(0, 30, 30);
		expect([rateAt(NAMED_MS - 1), rateAt(NAMED_MS), rateAt(NAMED_MS + 749)]).toEqual([27, 18, 18]);
		expect(rateAt(NAMED_MS + 750)).toBe(19);
	});

	it('is searched for anew even while it still rises, or else it would take what the others leave', () => {
		const { refused, rateAt } = learning(30);
		refused(NAMED_MS - 3500, 20, 30);
		const times = [-3000, -2250, -1500, -750, 0].map((ms) => NAMED_MS + ms);
		expect(times.map(rateAt)).toEqual([8, 9, 10, 11, 7]);
	});

	it('meets an even part of a named limit, and then takes one refusal for that of another process', () => {
		const { refused, rateAt } = learning(30);
		refused(0, 10, 10);
		refused(1, 10);
		expect([rateAt(NAMED_MS), rateAt(NAMED_MS + 1000)]).toEqual([6, 7]);
		expect([1100, 1200, 1300].map((at) => refused(NAMED_MS + at, 6)[1])).toEqual([5, 5, 4]);
	});

	it('stays at the named limit once it has reached it', () => {
		const { refused, rateAt } = learning(30);
		refused(0, 8, 10);
		for (let at = 0; at < 4 * NAMED_MS; at += 700) expect(rateAt(at)).toBe(10);
	});

	it('is searched for above the named limit as well, once the last refusal was five minutes ago', () => {
		const { refused, rateAt } = learning(30);
		refused(0, 8, 10);
		const times = [8, 9].map((count) => count * NAMED_MS);
		expect(times.map(rateAt)).toEqual([10, 7]);
		const steps = [750, 1500, 2250, 3000].map((ms) => 9 * NAMED_MS + ms);
		expect(steps.map(rateAt)).toEqual([8, 9, 10, 11]);
	});

	it('of a chat is searched for less and less often while that fails, until all is learned anew', () => {
		const { refused, rateAt } = learning(2);
		const foundFrom = (begin: number): number[] => {
			const found: number[] = [];
			refused(begin, 2);
			for (let at = begin + 1000; at <= begin + 40 * CHAT_MS; at += 1000) {
				if (rateAt(at) <= 1) continue;
				found.push(Math.floor((at - begin) / CHAT_MS));
				refused(at, 1);
			}
			return found;
		};
		expect(foundFrom(0)).toEqual([1, 2, 4, 8, 16, 32]);
		// Found, and then refused after a long time.
		expect(rateAt(64 * CHAT_MS)).toBe(1);
		expect(rateAt(64 * CHAT_MS + 1000)).toBe(2);
		expect(foundFrom(160 * CHAT_MS)).toEqual([1, 2, 4, 8, 16, 32]);
	});
});
