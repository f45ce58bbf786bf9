import type { Policy } from '../../../../nodes/BotMessaging/trigger/settings/dispatcherOptions';
import { IN_ORDER, PATIENCE_MS, quick, run, World, type Course } from './queueWorld';

/** After how long an event of one chat arrives, and when it happened, in ms. */
type Overtaking = [after: number, time: number];

const deliverOvertaking = async (world: World, events: Overtaking[]) =>
	await world.deliverAll(
		...events.map(([after, time]) => ({ chat: 'a', key: `at ${time}`, after, time })),
	);

describe('the queue of a dispatcher', () => {
	describe('when events overtake each other on the way', () => {
		/** Resolves to what started when. */
		const starts = async (events: Overtaking[], lagMs = 0) => {
			const world = new World({ ...IN_ORDER, settleMs: 50 }, () => quick);
			world.lagMs = lagMs;
			await run(world, async () => await deliverOvertaking(world, events));
			return world.executions.map(({ at, contents }) => [contents[0], at]);
		};

		it('waits a moment for earlier ones', async () => {
			expect(
				await starts([
					[10, 2],
					[20, 1],
					[300, 299],
				]),
			).toEqual([
				['at 1', 60],
				['at 2', 190],
				['at 299', 350],
			]);
		});

		it('waits longer while n8n is busy', async () => {
			const events: Overtaking[] = [
				[10, 2],
				[400, 1],
			];
			expect((await starts(events)).map(([content]) => content)).toEqual(['at 2', 'at 1']);
			expect((await starts(events, 80)).map(([content]) => content)).toEqual(['at 1', 'at 2']);
		});

		it('waits a limited time, however late n8n is', async () => {
			const [[, at] = []] = await starts([[10, 0]], 5000);
			expect(at).toBeGreaterThan(1000);
			expect(at).toBeLessThan(10_100);
		});
	});

	describe('with executions that ask before they begin', () => {
		const settling: Policy = { ...IN_ORDER, settleMs: 50 };

		/** Resolves to when each execution started and began. */
		const play = async (course: Course, events: Overtaking[]) => {
			const world = new World(settling, () => ({ ...course }), true);
			await run(world, async () => {
				await world.deliver(world.event('first'));
				await world.clock.sleep(1000 - world.clock.now());
				await deliverOvertaking(world, events);
				await world.clock.sleep(60_000);
			});
			return world.good
				.slice(1)
				.map(({ contents, at, beganAt = 0 }) => [contents[0], at - 1000, beganAt - 1000]);
		};

		it('waits for overtaken events while n8n stores the execution', async () => {
			expect(await play({ ...quick, begins: 45 }, [[0, 2]])).toEqual([['at 2', 0, 50]]);
			expect(await play({ ...quick, begins: 200 }, [[0, 2]])).toEqual([['at 2', 0, 200]]);
		});

		it('lets an overtaken event go first, and the other one after that has ended', async () => {
			const order = await play({ ...quick, begins: 60 }, [
				[0, 2],
				[40, 1],
			]);
			expect(order.map(([content]) => content)).toEqual(['at 1', 'at 2']);
			const [[, , firstBegan = 0] = [], [, , secondBegan = 0] = []] = order;
			expect(firstBegan).toBe(100);
			expect(secondBegan).toBeGreaterThanOrEqual(Number(firstBegan) + quick.ends);
			expect(secondBegan).toBeLessThan(Number(firstBegan) + quick.ends + 30);
		});

		it('takes an overtaken event into an execution of several, in front of those that happened later', async () => {
			const world = new World(
				{ ...settling, together: true },
				() => ({ ...quick, begins: 60 }),
				true,
			);
			await run(world, async () => {
				await world.deliver(world.event('first'));
				const late = world.deliver(world.event('a', { key: 'two', time: 2 }));
				const other = world.deliver(world.event('b', { key: 'other', time: 2 }));
				await world.clock.sleep(80);
				await Promise.all([late, other, world.deliver(world.event('a', { key: 'one', time: 1 }))]);
			});
			expect(world.good.map(({ contents }) => contents.toSorted())).toEqual([
				['first 1'],
				['one', 'other', 'two'],
			]);
			expect(world.started.indexOf('one')).toBeLessThan(world.started.indexOf('two'));
			expect(world.good[1]?.beganAt).toBeLessThan(1000);
		});

		it('makes an execution that was stored quickly wait as long as others took', async () => {
			let begins = 100;
			const world = new World(settling, () => ({ ...quick, begins }), true);
			await run(world, async () => {
				for (let count = 0; count < 3; count++) await world.deliver(world.event('others'));
				await world.clock.sleep(1000 - world.clock.now());
				begins = 5;
				const late = world.deliver(world.event('a', { key: 'two', time: 2 }));
				await world.clock.sleep(80);
				await Promise.all([late, world.deliver(world.event('a', { key: 'one', time: 1 }))]);
			});
			expect(world.started.slice(3)).toEqual(['one', 'two']);
		});

		it('does not wait if events arrive in order', async () => {
			let begins = 100;
			const world = new World(IN_ORDER, () => ({ ...quick, begins }), true);
			await run(world, async () => {
				for (let count = 0; count < 3; count++) await world.deliver(world.event('others'));
				begins = 5;
				await world.deliver(world.event('a', { key: 'quick' }));
			});
			const execution = world.executions.at(-1);
			expect(execution?.beganAt).toBe((execution?.at ?? 0) + 5);
		});

		it('starts no later event while an execution is being stored', async () => {
			const order = await play({ ...quick, begins: 60 }, [
				[0, 1],
				[10, 2],
			]);
			expect(order).toEqual([
				['at 1', 0, 60],
				['at 2', 160, 220],
			]);
		});

		it('gives back its place in n8n if the execution before takes long, and starts again after it', async () => {
			const world = new World(
				settling,
				([key]) => ({ ...quick, ends: key === 'one' ? 20_000 : 100 }),
				true,
			);
			await run(world, async () => {
				await world.deliver(world.event('first'));
				await world.deliverAll(
					{ chat: 'a', key: 'two', time: 2 },
					{ chat: 'a', key: 'three', time: 2 },
					{ chat: 'a', key: 'one', time: 1 },
				);
				await world.clock.sleep(1000);
			});
			expect(world.started).toEqual(['first 1', 'one', 'two', 'three']);
			const [given] = world.executions.filter(({ fails }) => fails);
			expect(given).toMatchObject({ contents: ['two'] });
			expect(world.executions).toHaveLength(5);
		});

		it('does not begin one that n8n ended while it waited for its turn', async () => {
			const world = new World(settling, () => quick, true);
			const mayBegin = await run(world, async () => {
				await world.deliver(world.event('first'));
				let end = () => {};
				const begun = new Promise<void>((_, reject) => (end = reject));
				world.queue.open(settling, () => ({ begun, ended: Promise.resolve() }));
				void world.queue.offer(world.event('a', { key: 'ended' }), PATIENCE_MS);
				const turn = world.queue.mayBegin(['ended']);
				end();
				return await turn;
			});
			expect(mayBegin).toBe(false);
		});

		it('goes on if the trigger is switched off meanwhile', async () => {
			const world = new World(settling, () => quick, true);
			await run(world, async () => {
				await world.deliver(world.event('first'));
				const late = world.deliver(world.event('a', { key: 'two', time: 2 }));
				await world.clock.sleep(1);
				world.queue.close();
				const early = world.queue.offer(world.event('a', { key: 'one', time: 1 }), 100);
				await Promise.all([late, early]);
			});
			expect(world.started).toContain('two');
		});
	});
});
