import type { Policy } from '../../../../nodes/BotMessaging/trigger/settings/dispatcherOptions';
import { Overtaking } from '../../../../nodes/BotMessaging/trigger/dispatch/estimates';

const POLICY: Policy = {
	inOrder: true,
	longestWaitMs: 300_000,
	settleMs: 20,
	quietMs: 0,
	together: false,
	loadsFiles: false,
};

const NOW = 1_000_000;

describe('How long an event waits for earlier ones that it may have overtaken', () => {
	let overtaking: Overtaking;
	beforeEach(() => {
		overtaking = new Overtaking();
	});

	const settleMs = (policy: Partial<Policy> = {}, now = NOW) =>
		overtaking.settleMs({ ...POLICY, ...policy }, now);

	it.each([
		['in an idle n8n', [], 20],
		['with lags that are usual', [3, 15], 20],
		['with larger lags, of which the largest counts', [16, 25, 17], 120],
		['with very large ones', [5000], 1020],
	])('grows with the lag of n8n: %s', (_, lags, expected) => {
		for (const ms of lags) overtaking.noteLag(ms, NOW);
		expect(settleMs()).toBe(expected);
	});

	it('forgets a lag after a second', () => {
		overtaking.noteLag(25, NOW);
		expect(settleMs({}, NOW + 999)).toBe(120);
		expect(settleMs({}, NOW + 1000)).toBe(20);
		overtaking.noteLag(20, NOW + 900);
		overtaking.noteLag(1, NOW + 1000);
		expect(settleMs({}, NOW + 1000)).toBe(70);
	});

	it.each([
		['one', [80], 80],
		['several, of which three quarters were quicker', [80, 30, 40, 60], 80],
		[
			'the last eight',
			[190, 190, 190, 190, 190, 190, 190, 190, 30, 30, 30, 30, 30, 30, 50, 60],
			50,
		],
		['slow ones', [5000], 200],
		['quick ones', [1, 2], 20],
	])('is at least as long as executions usually take to begin: %s', (_, journeys, expected) => {
		for (const ms of journeys) overtaking.noteStartDelay(ms);
		expect(settleMs()).toBe(expected);
	});

	it('is nothing if order does not matter, or events arrive in order', () => {
		overtaking.noteLag(500, NOW);
		overtaking.noteStartDelay(100);
		expect([settleMs({ inOrder: false }), settleMs({ settleMs: 0 })]).toEqual([0, 0]);
	});

	it('passes while n8n stores its execution, if executions ask for their turn', () => {
		const waitMs = (policy: Partial<Policy> = {}) =>
			overtaking.waitMs({ ...POLICY, ...policy }, NOW);
		expect(waitMs()).toBe(20);
		overtaking.isAsked = true;
		expect(waitMs()).toBe(0);
		expect(waitMs({ together: true })).toBe(20);
	});
});
