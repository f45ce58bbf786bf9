import type { Fate, Queued } from '../../../../nodes/BotMessaging/trigger/dispatch/chatQueue';
import {
	MOST_OF_CHAT,
	MOST_WAITING,
} from '../../../../nodes/BotMessaging/trigger/dispatch/chatQueues';
import { LONGEST_COLLECTION_MS } from '../../../../nodes/BotMessaging/trigger/settings/dispatcherOptions';
import { AT_ONCE, IN_ORDER, PATIENCE_MS, quick, run, World, type Course } from './queueWorld';

describe('the queue of a dispatcher', () => {
	it('stays idle while nothing waits, and once it is closed and has answered every caller', async () => {
		const world = new World(IN_ORDER, () => quick);
		const sleeps = jest.spyOn(world.clock, 'sleep');
		await run(world, async () => {
			world.queue.close();
			expect(await world.queue.offer(world.event('chat'), PATIENCE_MS)).toBe('late');
			await world.clock.sleep(LONGEST_COLLECTION_MS);
			sleeps.mockClear();
			await world.clock.sleep(600_000);
			expect(sleeps).toHaveBeenCalledTimes(1);
			world.open();
			await world.clock.sleep(1000);
			sleeps.mockClear();
			await world.clock.sleep(600_000);
			expect(sleeps).toHaveBeenCalledTimes(1);
		});
		expect(world.started).toHaveLength(1);
	});

	it('stays idle once it is closed although a caller waits for ever, as long polling does', async () => {
		const world = new World(IN_ORDER, () => quick);
		const sleeps = jest.spyOn(world.clock, 'sleep');
		await run(world, async () => {
			world.queue.close();
			const fate = world.queue.offer(world.event('chat'), Infinity);
			sleeps.mockClear();
			await world.clock.sleep(600_000);
			expect(sleeps).toHaveBeenCalledTimes(1);
			world.open();
			expect(await fate).toBe('begun');
		});
	});

	it('starts an event once, however often it is offered, and answers every caller', async () => {
		const world = new World(IN_ORDER, () => quick);
		const event = world.event('chat');
		const fates = await run(world, async () => {
			const first = await Promise.all(
				[0, 10, 20].map(async (ms) => {
					await world.clock.sleep(ms);
					return await world.queue.offer(event, PATIENCE_MS);
				}),
			);
			return [...first, await world.queue.offer(event, PATIENCE_MS)];
		});
		expect(fates).toEqual(['begun', 'begun', 'begun', 'known']);
		expect(world.started).toEqual([event.content]);
	});

	it.each([false, true])(
		'starts events of one chat immediately if their order does not matter, whether executions ask before they begin or not: %s',
		async (asks) => {
			const world = new World(AT_ONCE, () => quick, asks);
			await run(world, async () => {
				await world.deliver(world.event('chat'));
				await world.deliverTo('chat', 'chat');
			});
			expect(world.executions.map(({ beganAt }) => beganAt)).toEqual([30, 60, 60]);
		},
	);

	it('starts the next event of a chat after the previous execution has ended, and other events immediately', async () => {
		const world = new World(IN_ORDER, () => ({ ...quick, ends: 5000 }));
		const chats = ['a', 'a', 'b', 'a', undefined, undefined];
		const events = chats.map((chat) => ({ chat, person: 'Vera', collects: true }));
		await run(world, async () => await world.deliverAll(...events));
		expect(world.executions.map(({ at, contents }) => [contents[0], at])).toEqual([
			['a 1', 0],
			['b 3', 0],
			['none 5', 0],
			['none 6', 0],
			['a 2', 5030],
			['a 4', 10_060],
		]);
	});

	it('waits for an execution that never ends no longer than the longest wait', async () => {
		const world = new World(IN_ORDER, () => ({ ...quick, ends: 3_600_000 }));
		await run(world, async () => await world.deliverTo('a', 'a'));
		expect(world.executions.map(({ at }) => at)).toEqual([0, 300_040]);
	});

	it('loses no event when an execution ends long after the longest wait', async () => {
		const lasting: Record<string, number> = { first: 20_000, second: 8000 };
		const world = new World({ ...IN_ORDER, longestWaitMs: 10_000 }, ([key = '']) => ({
			...quick,
			ends: lasting[key] ?? quick.ends,
		}));
		await run(world, async () => {
			await world.deliverAll(
				{ chat: 'a', key: 'first' },
				{ chat: 'b', after: 11_000 },
				{ chat: 'a', key: 'second', after: 15_000 },
				{ chat: 'a', key: 'third', after: 19_000 },
			);
		});
		expect(world.started.at(-1)).toBe('third');
	});

	it.each([true, false])(
		'does not count the time that an execution waits in a full n8n, since the next one would run beside it: %s',
		async (asks) => {
			const policy = { ...IN_ORDER, loadsFiles: true };
			const full = ([id]: string[]): Course => {
				return { begins: id === 'a 1' ? 400_000 : 150_000, ends: 100_000, fails: false };
			};
			const world = new World(policy, full, asks);
			await run(world, async () => await world.deliverTo('a', 'a'));
			expect(world.good.map(({ beganAt }) => beganAt)).toEqual([400_000, 650_000]);
		},
	);

	it('puts off an event that waits long, keeps its place, and answers its redelivery', async () => {
		const world = new World(IN_ORDER, ([id]) => ({ ...quick, ends: id === 'a 1' ? 40_000 : 10 }));
		const fates: Array<[string, Fate]> = [];
		await run(world, async () => {
			const offer = async (event: Queued<string>) =>
				void fates.push([event.key, await world.queue.offer(event, PATIENCE_MS)]);
			const [first, second, third] = ['a', 'a', 'a'].map((chat) => world.event(chat));
			if (!first || !second || !third) throw new Error('three events');
			await Promise.all([offer(first), offer(second), world.clock.sleep(1)]);
			await world.clock.sleep(2000);
			await Promise.all([offer(third), offer(second)]);
		});
		expect(fates).toEqual([
			['a 1', 'begun'],
			['a 2', 'late'],
			['a 2', 'begun'],
			['a 3', 'begun'],
		]);
		expect(world.started).toEqual(['a 1', 'a 2', 'a 3']);
	});

	it('starts an earlier event first even if it arrives later', async () => {
		const world = new World(IN_ORDER, () => quick);
		const events = [0, 30, 10, 20].map((time) => ({ chat: 'a', key: `at ${time}`, time }));
		await run(world, async () => await world.deliverAll(...events));
		expect(world.started).toEqual(['at 0', 'at 10', 'at 20', 'at 30']);
	});

	it('lets an event wait that arrives when a later one of its chat has begun', async () => {
		const world = new World(IN_ORDER, () => quick);
		const events = [2, 1].map((time, index) => ({ chat: 'a', time, after: index * 50 }));
		await run(world, async () => await world.deliverAll(...events));
		expect(world.executions.map(({ at }) => at)).toEqual([0, 130]);
	});

	it('starts nothing while it is closed, and goes on in order when it is opened again', async () => {
		const world = new World(IN_ORDER, () => ({ ...quick, ends: 1000 }));
		await run(world, async () => {
			const all = world.deliverTo('a', 'a', 'a');
			await world.clock.sleep(10);
			world.queue.close();
			await world.clock.sleep(5000);
			expect(world.started).toHaveLength(1);
			world.open();
			await all;
		});
		expect(world.started).toEqual(['a 1', 'a 2', 'a 3']);
	});

	it('keeps a bounded number of events per chat and in total', async () => {
		const world = new World(IN_ORDER, () => ({ ...quick, begins: 100_000 }));
		const offer = async (chat: string) => await world.queue.offer(world.event(chat), PATIENCE_MS);
		const fates = await run(world, async () => {
			const flood = Array.from({ length: MOST_OF_CHAT + 50 }, async () => await offer('loud'));
			const quiet = offer('quiet');
			const many = Array.from({ length: 2 * MOST_WAITING }, async (_, i) => await offer(`c${i}`));
			expect(world.queue.size.events).toBe(MOST_WAITING);
			return { flood: await Promise.all(flood), quiet: await quiet, many: await Promise.all(many) };
		});
		expect(fates.flood.filter((fate) => fate === 'full')).toHaveLength(50);
		expect(fates.quiet).toBe('late');
		expect(fates.many.filter((fate) => fate === 'full')).toHaveLength(
			2 * MOST_WAITING - (MOST_WAITING - MOST_OF_CHAT - 1),
		);
	});

	it.each([10, 100, 500])(
		'keeps room for other chats while %d chats are flooded',
		async (count) => {
			const world = new World(IN_ORDER, () => ({ ...quick, begins: 100_000 }));
			const offer = async (chat: string) => await world.queue.offer(world.event(chat), PATIENCE_MS);
			const fate = await run(world, async () => {
				for (let event = 0; event < 2 * MOST_WAITING; event++)
					void offer(`flooded ${event % count}`);
				return await offer('quiet');
			});
			expect(fate).toBe('late');
		},
	);
});
