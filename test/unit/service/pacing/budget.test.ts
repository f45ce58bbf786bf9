import type { Refused } from '../../../../nodes/BotMessaging/service/types';
import { ALGORITHMS, ratio, Simulation } from './simulation';

const MINUTE = 60_000;

describe.each(ALGORITHMS)('A service that counts by %s', (algorithm) => {
	test.each([
		[0, 0],
		[100, 0],
		[300, 0],
		[100, 10],
	])(
		'refuses nothing of a broadcast at its rate, at a latency of %d ms ± %d ms',
		async (latencyMs, jitterMs) => {
			const simulation = new Simulation({ rate: 30, algorithm, latencyMs, jitterMs });
			await simulation.broadcast(1000);
			expect(simulation.refused).toBe(0);
			expect(ratio(simulation, 1000, 30)).toBeLessThan(1.03);
		},
	);

	test.each([
		[0, 5],
		[100, 5],
		[300, 5],
		[300, 40],
	])(
		'is kept busy although its limit is lower than the options say, at a latency of %d ms ± %d ms',
		async (latencyMs, jitterMs) => {
			const simulation = new Simulation({ rate: 10, algorithm, latencyMs, jitterMs });
			await simulation.broadcast(1000);
			expect(ratio(simulation, 1000, 10)).toBeLessThan(1.15);
			// A bucket reveals its limit only when it is empty; at high latency, more requests are in flight by then.
			const most = algorithm === 'bucket' && latencyMs === 300 ? 45 : 30;
			expect(simulation.refused).toBeLessThanOrEqual(most);
		},
	);

	test('is believed at once when it names its limit', async () => {
		const model = { rate: 10, algorithm, latencyMs: 100, namesLimit: true };
		const simulation = new Simulation(model);
		await simulation.broadcast(300);
		// Refused are only requests that were in flight when the first refusal arrived.
		expect(simulation.refused).toBeLessThanOrEqual(5);
		expect(ratio(simulation, 300, 10)).toBeLessThan(1.05);
	});

	test('is believed when it names a limit of the bot hardly higher than that of a chat', async () => {
		const simulation = new Simulation({ rate: 3, algorithm, latencyMs: 100, namesLimit: true });
		await simulation.broadcast(100, (index) => `chat ${index}`);
		expect(simulation.refused).toBeLessThanOrEqual(10);
		expect(ratio(simulation, 100, 3)).toBeLessThan(1.1);
	});

	test('refuses nothing in one chat, where order is kept', async () => {
		const simulation = new Simulation({ rate: 30, chatRate: 2, algorithm, latencyMs: 100 });
		const sender = simulation.sender();
		const all = async (): Promise<void> => {
			for (let index = 0; index < 60; index++) {
				await simulation.send(sender, { chat: 'a' }, String(index));
			}
		};
		await simulation.clock.run(all());
		expect(simulation.arrivals.map(({ who }) => Number(who))).toEqual([...Array(60).keys()]);
		expect(simulation.refused).toBe(0);
		expect(ratio(simulation, 60, 2)).toBeLessThan(1.05);
	});

	test('is served at fractional rates too', async () => {
		const pace = { requestsPerSecond: 0.5, messagesPerSecondPerChat: 2 };
		const simulation = new Simulation({ rate: 1, algorithm, latencyMs: 50 }, pace);
		await simulation.broadcast(10);
		expect(simulation.refused).toBe(0);
		expect(simulation.clock.now()).toBeGreaterThanOrEqual(18_000);
		expect(simulation.clock.now()).toBeLessThan(19_500);
	});
});

test('A service that cannot be reached is asked as often as one that answers, so that a broadcast fails no later', async () => {
	const simulation = new Simulation({});
	const { budget, clock } = simulation;
	const sender = simulation.sender();
	const fail = async (): Promise<void> => {
		const turn = await budget.acquire(sender);
		if ('denied' in turn) throw new Error(turn.denied);
		await clock.sleep(1);
		turn.lost();
	};
	await clock.run(Promise.all(Array.from({ length: 300 }, fail)));
	expect(clock.now()).toBeLessThan(11_000);
});

test('One chat gets no more messages than the options say, even if that is one in ten seconds', async () => {
	const pace = { requestsPerSecond: 30, messagesPerSecondPerChat: 0.1 };
	const simulation = new Simulation({ latencyMs: 100 }, pace);
	await simulation.broadcast(4, () => 'a');
	expect(simulation.clock.now()).toBeGreaterThanOrEqual(30_000);
	expect(simulation.clock.now()).toBeLessThan(31_000);
});

describe('A quiet budget', () => {
	test('lets the first messages of a burst go at once', async () => {
		const simulation = new Simulation({ rate: 30, algorithm: 'sliding' });
		await simulation.broadcast(10);
		expect(simulation.clock.now()).toBeLessThan(20);
	});

	test('is kept for a while, so that its next burst goes at once as well, whatever other bots send meanwhile', async () => {
		const simulation = new Simulation({ rate: 30, algorithm: 'sliding', latencyMs: 100 });
		const { budget, clock } = simulation;
		await simulation.broadcast(10);
		await clock.run(clock.sleep(MINUTE / 2));
		expect(budget.isIdle()).toBe(false);
		const before = clock.now();
		await simulation.broadcast(10);
		expect(clock.now() - before).toBeLessThan(120);
	});

	test('lets two messages into a chat at once, and the third after a second', async () => {
		const simulation = new Simulation({ chatRate: 2, algorithm: 'sliding' });
		const sent = simulation.sendAll(simulation.sender(), 3, () => 'a');
		await simulation.clock.run(sent);
		const [first, second, third] = simulation.arrivals.map(({ at }) => at);
		expect([first, second]).toEqual([0, 0]);
		expect(third).toBeGreaterThanOrEqual(1000);
		expect(third).toBeLessThan(1050);
	});

	test('remembers a chat for as long as the service counts what it got', async () => {
		const simulation = new Simulation({ chatRate: 2, algorithm: 'sliding' });
		const { clock } = simulation;
		const sender = simulation.sender();
		await clock.run(simulation.send(sender, { chat: 'a' }));
		await clock.run(clock.sleep(600));
		await clock.run(simulation.sendAll(sender, 2, () => 'a'));
		expect(simulation.refused).toBe(0);
	});

	test('forgets hundreds of chats once they are quiet', async () => {
		const simulation = new Simulation({ rate: 30 });
		const sender = simulation.sender();
		await simulation.clock.run(simulation.sendAll(sender, 300, (index) => `chat ${index}`));
		expect(simulation.budget.chatCount).toBeLessThan(100);
		expect(simulation.clock.pending).toBeLessThanOrEqual(2);
		expect(simulation.budget.isIdle()).toBe(false);
		await simulation.clock.run(simulation.clock.sleep(2 * MINUTE));
		expect(simulation.budget.isIdle()).toBe(true);
	});
});

test.each<[string, Refused, number]>([
	['before a pause of the bot is over', { retryAfterMs: 20 * MINUTE }, 19],
	['before a pause of one chat is over', { aboutChat: true, retryAfterMs: 20 * MINUTE }, 19],
	['while it knows that a chat takes less than others', { aboutChat: true, limit: 0.5 }, 4],
])('A budget is not dropped %s', async (_, refused, minutes) => {
	const simulation = new Simulation({});
	const { budget, clock } = simulation;
	const turn = await simulation.turn(simulation.sender(), { chat: 'a' });
	turn.refused(refused);
	await clock.run(clock.sleep(minutes * MINUTE));
	expect(budget.isIdle()).toBe(false);
	await clock.run(clock.sleep(2 * MINUTE));
	expect(budget.isIdle()).toBe(true);
});
