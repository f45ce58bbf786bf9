import { POLLS } from '../../../../nodes/BotMessaging/service/types';
import { ratio, Simulation } from './simulation';

describe('Several executions', () => {
	test('share the pace in equal parts', async () => {
		const simulation = new Simulation({ rate: 30, latencyMs: 100 });
		const share = async (who: string): Promise<void> => {
			const sender = simulation.sender();
			await Promise.all(Array.from({ length: 150 }, () => simulation.send(sender, {}, who)));
		};
		await simulation.clock.run(Promise.all([share('a'), share('b')]));
		const early = simulation.arrivals.filter(({ at }) => at < 5000);
		const ofFirst = early.filter(({ who }) => who === 'a').length;
		expect(ofFirst / early.length).toBeGreaterThan(0.45);
		expect(ofFirst / early.length).toBeLessThan(0.6);
		expect(simulation.refused).toBe(0);
	});

	test.each([
		['another chat', 'elsewhere'],
		['a chat of the broadcast', 'chat 380'],
	])('let a single reply to %s through', async (_, chat) => {
		const simulation = new Simulation({ rate: 30, latencyMs: 100 });
		const broadcast = simulation.sender();
		const sent = simulation.sendAll(broadcast, 400, (index) => `chat ${index}`);
		const waits: number[] = [];
		const replies = async (): Promise<void> => {
			for (let reply = 0; reply < 12; reply++) {
				await simulation.clock.sleep(707);
				const startedAt = simulation.clock.now();
				await simulation.send(simulation.sender(), { chat });
				waits.push(simulation.clock.now() - startedAt);
			}
		};
		await simulation.clock.run(replies());
		expect(Math.max(...waits)).toBeLessThanOrEqual(100 + 200);
		await simulation.clock.run(sent);
		expect(simulation.refused).toBe(0);
	});

	test('send at the lowest of the rates that they ask for, as long as they run', async () => {
		const simulation = new Simulation({ rate: 30 });
		const slow = simulation.sender({
			pace: { requestsPerSecond: 5, messagesPerSecondPerChat: 2 },
		});
		const fast = simulation.sendAll(simulation.sender(), 200);
		await simulation.clock.run(simulation.clock.sleep(2000));
		expect(simulation.budget.rate).toBe(30);
		const slowly = simulation.sendAll(slow, 20);
		expect(simulation.budget.rate).toBe(5);
		await simulation.clock.run(slowly);
		expect(simulation.budget.rate).toBe(30);
		await simulation.clock.run(fast);
	});

	test('poll as usual, twice a second, while one of them writes slowly', async () => {
		const simulation = new Simulation({ latencyMs: 100 });
		const pace = { requestsPerSecond: 30, messagesPerSecondPerChat: 0.1 };
		const slow = simulation.sendAll(simulation.sender({ pace }), 5, () => 'a');
		const poller = simulation.sender();
		for (let poll = 0; poll < 20; poll++) {
			await simulation.clock.run(simulation.send(poller, { chat: POLLS }));
		}
		expect(simulation.clock.now()).toBeGreaterThan(9000);
		expect(simulation.clock.now()).toBeLessThan(11_000);
		await simulation.clock.run(slow);
	});

	test('send to a chat at the lowest of the rates that they ask for', async () => {
		const simulation = new Simulation({ rate: 30 });
		const pace = { requestsPerSecond: 30, messagesPerSecondPerChat: 0.5 };
		const slow = simulation.sendAll(simulation.sender({ pace }), 3, () => 'a');
		await simulation.broadcast(3, () => 'a');
		await simulation.clock.run(slow);
		expect(simulation.clock.now()).toBeGreaterThan(4000);
	});
});

describe('Within one execution', () => {
	test('the chat with the longest backlog at the moment goes first, so that one long chat does not delay the end', async () => {
		const simulation = new Simulation({ rate: 30, chatRate: 2, latencyMs: 100 });
		const sender = simulation.sender();
		const row = async (chat: string, count: number): Promise<void> => {
			for (let left = count - 1; left >= 0; left--) {
				await simulation.send(sender, { chat, backlog: () => left });
			}
		};
		const singles = Array.from({ length: 300 }, (_, index) => row(`single ${index}`, 1));
		await simulation.clock.run(Promise.all([...singles, row('long', 20)]));
		expect(simulation.refused).toBe(0);
		expect(ratio(simulation, 320, 30)).toBeLessThan(1.05);
	});

	test('no chat starves behind longer backlogs', async () => {
		const simulation = new Simulation({ rate: 30, latencyMs: 50 });
		const sender = simulation.sender();
		const { clock } = simulation;
		let isOver = false;
		const busy = Array.from({ length: 40 }, async (_, index) => {
			while (!isOver) await simulation.send(sender, { chat: `busy ${index}`, backlog: () => 100 });
		});
		await clock.run(clock.sleep(2000));
		const startedAt = clock.now();
		await clock.run(simulation.send(sender, { chat: 'old' }));
		expect(clock.now() - startedAt).toBeLessThan(6000);
		isOver = true;
		await clock.run(Promise.all(busy));
	});

	test('20 chats of 50 messages each take hardly longer than the limits require', async () => {
		const simulation = new Simulation({ rate: 30, chatRate: 2, latencyMs: 100 });
		const sender = simulation.sender();
		const chats = Array.from({ length: 20 }, async (_, chat) => {
			for (let left = 49; left >= 0; left--) {
				await simulation.send(sender, { chat: `chat ${chat}`, backlog: () => left });
			}
		});
		await simulation.clock.run(Promise.all(chats));
		expect(simulation.refused).toBe(0);
		expect(ratio(simulation, 1000, 30)).toBeLessThan(1.1);
	});
});

describe('A request of low priority', () => {
	test('goes at once when nothing else is to be sent', async () => {
		const simulation = new Simulation({ rate: 30, latencyMs: 100 });
		await simulation.clock.run(simulation.send(simulation.sender(), { priority: 'low' }));
		expect(simulation.clock.now()).toBe(100);
	});

	test('delays nothing: it waits until most of the pace is unused', async () => {
		const simulation = new Simulation({ rate: 30, latencyMs: 100 });
		const broadcast = simulation.sendAll(simulation.sender(), 120);
		const low = simulation.send(simulation.sender(), { priority: 'low' }, 'low');
		await simulation.clock.run(Promise.all([broadcast, low]));
		expect(simulation.arrivals.at(-1)?.who).toBe('low');
		expect(simulation.refused).toBe(0);
	});

	test('is dropped when its sender cancels it', async () => {
		const simulation = new Simulation({ rate: 30, latencyMs: 100 });
		const broadcast = simulation.sendAll(simulation.sender(), 120);
		const sender = new AbortController();
		const { signal } = sender;
		const low = simulation.send(simulation.sender(), { priority: 'low', signal }, 'low');
		await simulation.clock.run(simulation.clock.sleep(1000));
		sender.abort();
		await expect(simulation.clock.run(low)).rejects.toThrow('stopped');
		expect(simulation.clock.now()).toBeLessThan(1300);
		await simulation.clock.run(broadcast);
		expect(simulation.arrivals.filter(({ who }) => who === 'low')).toEqual([]);
	});
});

test('A stopped execution has no request waiting after half a second', async () => {
	const simulation = new Simulation(
		{ rate: 1 },
		{ requestsPerSecond: 1, messagesPerSecondPerChat: 1 },
	);
	let stopped = false;
	const sender = simulation.sender({ stopped: () => stopped });
	const waiting = Array.from({ length: 500 }, (_, index) =>
		simulation.send(sender, { chat: `chat ${index % 3}` }).catch(() => simulation.clock.now()),
	);
	await simulation.clock.run(simulation.clock.sleep(1500));
	stopped = true;
	const ends = await simulation.clock.run(Promise.all(waiting));
	expect(Math.max(...ends)).toBeLessThan(2000);
	await simulation.clock.run(simulation.send(simulation.sender(), { chat: 'chat 1' }));
});

/** Processor time, in ms, of 2,000 requests while so many of another sender wait for their chats. */
async function costBeside(blocked: number): Promise<number> {
	const simulation = new Simulation(
		{},
		{ requestsPerSecond: 1000, messagesPerSecondPerChat: 0.01 },
	);
	const sender = simulation.sender();
	let stopped = false;
	const other = simulation.sender({ stopped: () => stopped });
	for (let index = 0; index < blocked; index++) {
		simulation.send(other, { chat: `chat ${index % 50}` }).catch(() => {});
	}
	const before = process.cpuUsage();
	await simulation.clock.run(simulation.sendAll(sender, 2000));
	const { user } = process.cpuUsage(before);
	stopped = true;
	await simulation.clock.run(simulation.clock.sleep(1000));
	return user / 1000;
}

test('Ten thousand waiting requests in blocked chats cost little each', async () => {
	const few = await costBeside(100);
	const many = await costBeside(10_000);
	// Scanning all of them for each of the others would take many times as long.
	expect(many / few).toBeLessThan(4);
});
