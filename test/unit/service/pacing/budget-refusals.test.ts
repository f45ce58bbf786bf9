import type { Sender } from '../../../../nodes/BotMessaging/service/pacing/fairQueue';
import type { Refused } from '../../../../nodes/BotMessaging/service/types';
import { ALGORITHMS, Simulation } from './simulation';

const MINUTE = 60_000;

describe('After a refusal', () => {
	test('nobody sends for a moment', async () => {
		const simulation = new Simulation({ rate: 10, latencyMs: 100 });
		const sent = simulation.sendAll(simulation.sender(), 100);
		while (simulation.budget.rate === 30) {
			await simulation.clock.run(simulation.clock.sleep(1));
		}
		const refusedAt = simulation.clock.now();
		await simulation.clock.run(simulation.clock.sleep(190));
		// What was in flight arrives within half a round trip.
		expect(simulation.arrivals.filter(({ at }) => at > refusedAt + 50)).toEqual([]);
		await simulation.clock.run(sent);
	});

	test.each(ALGORITHMS)(
		'in one chat with an unknown limit of 1 per second, counted by %s, few more are refused, and none elsewhere',
		async (algorithm) => {
			const simulation = new Simulation({ chatRate: 1, latencyMs: 50, algorithm });
			const { clock } = simulation;
			const one = simulation.sendAll(simulation.sender(), 60, () => 'a');
			await clock.run(one);
			expect(simulation.refused).toBeLessThanOrEqual(7);
			expect(clock.now()).toBeLessThan(60_000 * 1.1);
			expect(simulation.budget.rate).toBe(30);
		},
	);

	test('in many chats at once that names the limit of each, the bot itself is not slowed down', async () => {
		const simulation = new Simulation({ chatRate: 1, latencyMs: 50, namesLimit: true });
		const chats = simulation.sendAll(simulation.sender(), 200, (index) => `chat ${index % 20}`);
		await simulation.clock.run(chats);
		expect(simulation.budget.rate).toBe(30);
		expect(simulation.clock.now()).toBeLessThan(10_000 * 1.2);
	});

	test.each([
		['in a chat', 1, 5, 'a'],
		['in no chat', 1, 5, undefined],
		['in no chat', 1, 300, undefined],
		['in no chat', 100, 5, undefined],
		['in no chat', 100, 300, undefined],
	])(
		'of everything, as when a bot is locked out, the service gets few requests: %s, %d waiting, %d ms away',
		async (_, waiting, latencyMs, chat) => {
			const simulation = new Simulation({});
			const { budget, clock } = simulation;
			let requests = 0;
			const insist = async (sender: Sender): Promise<void> => {
				for (let again = false; clock.now() < MINUTE; again = true) {
					const turn = await budget.acquire(sender, { chat, again });
					if ('denied' in turn) return;
					requests++;
					await clock.sleep(latencyMs);
					turn.refused({});
					// Reading the answer takes a moment.
					await clock.sleep(1);
				}
			};
			const sender = simulation.sender();
			await clock.run(
				Promise.all(Array.from({ length: waiting }, async () => await insist(sender))),
			);
			expect(requests).toBeLessThan(waiting + 60);
		},
	);

	test('of everything for longer than requests may be retried, all that wait are given up together', async () => {
		const simulation = new Simulation({});
		const { budget, clock } = simulation;
		const patienceMs = 10_000;
		const sender = simulation.sender({ patienceMs });
		const insist = async (): Promise<void> => {
			for (let until = Infinity; clock.now() <= until;) {
				const turn = await budget.acquire(sender, { again: until < Infinity });
				if ('denied' in turn) return;
				until = Math.min(until, clock.now() + patienceMs);
				await clock.sleep(50);
				turn.refused({});
			}
		};
		await clock.run(Promise.all(Array.from({ length: 100 }, insist)));
		expect(clock.now()).toBeLessThan(patienceMs + 3000);
	});

	test('the refused request goes before all others of its execution', async () => {
		const simulation = new Simulation({ latencyMs: 100 });
		const sender = simulation.sender();
		const turn = await simulation.turn(sender);
		const others = simulation.sendAll(sender, 100);
		turn.refused({});
		await simulation.clock.run(simulation.send(sender, { again: true }, 'again'));
		await simulation.clock.run(others);
		const late = simulation.arrivals.filter(({ at }) => at > 100);
		expect(late[0]?.who).toBe('again');
	});

	test.each<[string, Refused, number]>([
		['was not named', {}, 0],
		['was named, some minutes later', { limit: 10 }, 5 * MINUTE],
	])('the end of a limit is noticed eventually that %s', async (_, refused, afterMs) => {
		const simulation = new Simulation({ latencyMs: 100 });
		const { clock } = simulation;
		const sender = simulation.sender();
		const turn = await simulation.turn(sender);
		turn.refused(refused);
		expect(simulation.budget.rate).toBeLessThan(15);
		await clock.run(clock.sleep(afterMs));
		await clock.run(simulation.sendAll(sender, 1500));
		expect(simulation.budget.rate).toBeGreaterThan(25);
	});

	test('everybody observes the pause that the service asks for', async () => {
		const simulation = new Simulation({});
		const sender = simulation.sender();
		const turn = await simulation.turn(sender);
		turn.refused({ retryAfterMs: 3000 });
		await simulation.clock.run(simulation.send(simulation.sender()));
		expect(simulation.arrivals[0]?.at).toBeGreaterThanOrEqual(3000);
		expect(simulation.arrivals[0]?.at).toBeLessThan(3100);
	});

	test('a request fails at once if the pause exceeds its patience', async () => {
		const simulation = new Simulation({});
		const sender = simulation.sender({ patienceMs: 10_000 });
		const turn = await simulation.turn(sender);
		turn.refused({ retryAfterMs: MINUTE });
		await expect(simulation.clock.run(simulation.send(sender))).rejects.toThrow('impatient');
		expect(simulation.clock.now()).toBeLessThan(1000);
	});

	test('a request into a chat fails at once if the pause of that chat exceeds its patience', async () => {
		const simulation = new Simulation({});
		const sender = simulation.sender({ patienceMs: 10_000 });
		const turn = await simulation.turn(sender, { chat: 'a' });
		turn.refused({ aboutChat: true, retryAfterMs: MINUTE });
		const into = async (chat: string): Promise<number> =>
			await simulation.clock.run(simulation.send(sender, { chat }));
		await expect(into('a')).rejects.toThrow('impatient');
		await into('b');
		expect(simulation.clock.now()).toBeLessThan(1000);
	});

	test.each([
		['late', 3, undefined],
		['after later messages to it', 20, 6],
	])('in one chat that comes %s, nobody waits who writes elsewhere', async (_, seconds, again) => {
		const simulation = new Simulation({});
		const sender = simulation.sender();
		const { clock, budget } = simulation;
		const turn = await simulation.turn(sender, { chat: 'a' });
		for (let second = 0; second < seconds; second++) {
			await clock.run(clock.sleep(1000));
			await clock.run(simulation.send(sender, { chat: second === again ? 'a' : 'b' }));
		}
		turn.refused({ aboutChat: true, retryAfterMs: MINUTE });
		expect(budget.rate).toBe(30);
		const elsewhere = clock.now();
		await clock.run(simulation.send(sender, { chat: 'b' }));
		expect(clock.now() - elsewhere).toBeLessThan(1000);
		await clock.run(simulation.send(sender, { chat: 'a' }));
		expect(clock.now() - elsewhere).toBeGreaterThanOrEqual(MINUTE);
	});
});
