import { ChatLimits } from '../../../../nodes/BotMessaging/service/pacing/chatLimits';
import type { Sender } from '../../../../nodes/BotMessaging/service/pacing/fairQueue';
import { Latency } from '../../../../nodes/BotMessaging/service/pacing/latency';
import { POLLS, type Refused } from '../../../../nodes/BotMessaging/service/types';
import { Simulation, type Algorithm } from './simulation';

const ALGORITHMS: Algorithm[] = ['bucket', 'sliding', 'fixed'];
const MINUTE = 60_000;

/** The time that a simulation took, as a multiple of what the limit requires. */
const ratio = (simulation: Simulation, count: number, rate: number): number =>
	simulation.clock.now() / ((count / rate) * 1000);

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

	test('is believed when it names a limit of the bot as low as that of a chat', async () => {
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

interface Situation {
	/** The highest wanted rate into a chat. */
	rate?: number;
	/** How many messages the chat just got. */
	sent?: number;
	botWasFree?: number;
	/** Whether the chat was refused before. */
	isLimited?: boolean;
	/** The last refusal: its chat, and when it came. */
	last?: [chat: string, at: number];
}

test.each<[string, 'chat' | 'bot', Refused, Situation]>([
	['whose message is about a chat', 'chat', { aboutChat: true }, { sent: 0 }],
	['that names the limit of a chat', 'chat', { limit: 2 }, { sent: 0 }],
	[
		'that names the limit of a chat, whatever the options say,',
		'chat',
		{ limit: 2 },
		{ rate: 0.5 },
	],
	['that names a higher limit', 'bot', { limit: 10 }, {}],
	[
		'that names a low limit, in a chat that got one message, after one in another chat,',
		'bot',
		{ limit: 3 },
		{ sent: 1, last: ['b', 0] },
	],
	[
		'that names a low limit, in a chat that just got two messages, after one in another chat,',
		'chat',
		{ limit: 1 },
		{ last: ['b', 0] },
	],
	[
		'that names a low limit, in a chat that is known to be limited, after one in another chat,',
		'chat',
		{ limit: 1 },
		{ sent: 0, isLimited: true, last: ['b', 0] },
	],
	['without details, in a chat that just got two messages,', 'chat', {}, {}],
	['without details, in a chat that got one message,', 'bot', {}, { sent: 1 }],
	['without details, when the bot had used up its limit,', 'bot', {}, { botWasFree: 900 }],
	[
		'without details, in a chat that is known to be limited,',
		'chat',
		{},
		{ sent: 0, isLimited: true },
	],
	['without details, after one in another chat,', 'bot', {}, { last: ['b', 0] }],
	['without details, long after one in another chat,', 'chat', {}, { last: ['b', -900] }],
	['without details, after one in the same chat,', 'chat', {}, { last: ['a', 0] }],
])('A refusal %s is attributed to the limit of the %s', (_, blamed, refused, situation) => {
	const { rate = 2, sent = 2, botWasFree = Infinity, isLimited, last } = situation;
	const chats = new ChatLimits(new Latency(), () => rate);
	const limit = chats.of('a');
	for (let count = 0; count < sent; count++) limit?.take(0, false);
	if (isLimited) limit?.refuse(limit.take(0, false), {}, 0);
	if (last) chats.refusingLimit(last[0], {}, { botWasFree, now: last[1] });
	const found = chats.refusingLimit('a', refused, { botWasFree, now: 100 });
	expect(found).toBe(blamed === 'chat' ? limit : undefined);
});

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

test('Ten thousand waiting requests in blocked chats cost little each', async () => {
	const simulation = new Simulation(
		{},
		{ requestsPerSecond: 1000, messagesPerSecondPerChat: 0.01 },
	);
	const sender = simulation.sender();
	let stopped = false;
	const other = simulation.sender({ stopped: () => stopped });
	for (let index = 0; index < 10_000; index++) {
		simulation.send(other, { chat: `chat ${index % 50}` }).catch(() => {});
	}
	const before = process.cpuUsage();
	await simulation.clock.run(simulation.sendAll(sender, 2000));
	const { user } = process.cpuUsage(before);
	// Scanning all of them for each of the others would take many seconds.
	expect(user / 1000).toBeLessThan(2000);
	stopped = true;
	await simulation.clock.run(simulation.clock.sleep(1000));
});
