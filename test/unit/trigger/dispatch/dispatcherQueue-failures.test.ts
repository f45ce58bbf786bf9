import {
	FIRST_PAUSE_MS,
	RETRIES,
} from '../../../../nodes/BotMessaging/trigger/dispatch/dispatcherQueue';
import type { Policy } from '../../../../nodes/BotMessaging/trigger/settings/dispatcherOptions';
import { AT_ONCE, IN_ORDER, quick, run, World, type Course } from './queueWorld';

describe('the queue of a dispatcher', () => {
	describe('when executions cannot be started', () => {
		it('tries again with growing pauses and keeps the order of the chat', async () => {
			let failures = 3;
			const world = new World(IN_ORDER, () => ({ ...quick, fails: failures-- > 0 }));
			await run(world, async () => await world.deliverTo('a', 'a'));
			expect(world.executions.map(({ at }) => at)).toEqual([0, 1030, 3060, 7090, 7220]);
			expect(world.started).toEqual(['a 1', 'a 2']);
		});

		it('does not let others of its chat wait if their order does not matter', async () => {
			const world = new World(AT_ONCE, ([id]) => ({ ...quick, fails: id === 'bad' }));
			await run(world, async () => {
				const bad = world.queue.offer(world.event('a', { key: 'bad' }), Infinity);
				await world.deliverAll({ chat: 'a', after: 50 });
				await bad;
			});
			expect(world.good).toMatchObject([{ at: 50 }]);
		});

		it('gives up an event that can never start, and goes on with later ones of its chat', async () => {
			const world = new World(IN_ORDER, ([id]) => ({ ...quick, fails: id === 'bad' }));
			const bad = world.event('a', { key: 'bad' });
			const fates = await run(world, async () => {
				const good = world.deliver(world.event('a'));
				const other = world.deliver(world.event('b'));
				const fate = await world.queue.offer({ ...bad, time: -1 }, Infinity);
				await Promise.all([good, other]);
				return fate;
			});
			expect(fates).toBe('failed');
			expect(world.started).toEqual(['a 1', 'b 2'].sort());
			expect(world.executions.filter(({ fails }) => fails)).toHaveLength(RETRIES + 1);
			expect(world.clock.now()).toBeGreaterThan(FIRST_PAUSE_MS * 2 ** (RETRIES - 1));
		});

		it('retries the events of a failed execution one by one, so that a bad one harms no other', async () => {
			const world = new World({ ...AT_ONCE, together: true }, (contents) => ({
				...quick,
				fails: contents.includes('bad'),
			}));
			await run(world, async () => {
				const events = ['first', 'good', 'bad', 'fine'].map((key) => world.event(key, { key }));
				await Promise.all(events.map(async (event) => await world.queue.offer(event, Infinity)));
			});
			expect(world.started.toSorted()).toEqual(['fine', 'first', 'good']);
		});

		it('retries one of an execution of several after those of its chat that happened before and wait no longer', async () => {
			let failures = 0;
			const slow = { ...quick, begins: 4000 };
			const policy = { ...IN_ORDER, together: true, quietMs: 3000 };
			const course = ([first]: string[]): Course => {
				if (first === 'other chat') return slow;
				return { ...quick, fails: first === 'pressed' && failures++ === 0 };
			};
			const world = new World(policy, course, true);
			await run(world, async () => {
				await world.deliverAll(
					{ chat: 'a', key: 'written', time: 0, person: 'Vera', collects: true },
					{ chat: 'a', key: 'pressed', time: 1, person: 'Igor' },
					{ chat: 'b', key: 'other chat', time: 2, after: 500 },
				);
			});
			expect(world.executions.map(({ contents }) => contents.join())).toEqual([
				'pressed',
				'other chat',
				'written',
				'pressed',
			]);
		});

		it('keeps the order of a chat also for events of the same moment', async () => {
			const world = new World({ ...IN_ORDER, together: true }, ({ length }) => ({
				...quick,
				fails: length > 1,
			}));
			await run(world, async () => await world.deliverTo('first', 'a', 'a', 'a'));
			expect(world.started).toEqual(['first 1', 'a 2', 'a 3', 'a 4']);
		});
	});

	describe('when n8n loses an execution', () => {
		const NEVER = 3_600_000;

		/** Delivers two events of a chat, the first execution of which is lost, and one of other chats at each of these times. */
		const playLoss = async (policy: Policy, times: number[], begins = 30) => {
			let losses = 1;
			const world = new World(policy, () => ({
				...quick,
				begins: losses-- > 0 ? NEVER : begins,
			}));
			const own = ['lost', 'next'].map((key, time) => ({ chat: 'a', key, time }));
			const others = times.map((after, index) => ({ chat: `b ${index}`, after }));
			await run(world, async () => await world.deliverAll(...own, ...others));
			const startsOf = (key: string) =>
				world.executions.filter(({ contents }) => contents.includes(key)).map(({ at }) => at);
			expect(world.queue.size.events).toBe(0);
			return { world, lost: startsOf('lost'), next: startsOf('next') };
		};
		const every10s = Array.from({ length: 14 }, (_, index) => index * 10_000);

		it.each([
			['once one that was started two minutes later has begun', every10s, 130_000],
			['after two minutes in which none begins', [], 120_000],
		])('asks for it again %s, and keeps the order of the chat', async (_, others, ms) => {
			const { lost, next } = await playLoss(IN_ORDER, others);
			expect(lost).toEqual([0, expect.any(Number)]);
			expect(lost[1]).toBeGreaterThan(ms);
			expect(lost[1]).toBeLessThan(ms + 100);
			expect(next).toEqual([(lost[1] ?? 0) + 130]);
		});

		it('lets the next event of the chat wait for the one that begins first, not for the other', async () => {
			const courses = [
				{ ...quick, begins: 125_000 },
				{ ...quick, ends: 20_000 },
			];
			const world = new World(IN_ORDER, () => courses.shift() ?? quick);
			await run(world, async () => await world.deliverTo('a', 'a'));
			expect(world.started).toEqual(['a 1', 'a 1', 'a 2']);
			expect(world.executions[2]?.at).toBeGreaterThan(140_000);
		});

		it('asks for no other one again while n8n may just be full', async () => {
			const { world } = await playLoss(AT_ONCE, every10s, 300_000);
			const { length } = new Set(world.started).size === 16 ? world.started : [];
			// The oldest, after two minutes and after four.
			expect(length).toBe(16 + 2);
		});

		it('asks for no third one while one of two that wait for their turn is being recorded', async () => {
			const two: Course = { begins: 125_000, records: 4000, ends: 100, fails: false };
			const courses: Record<string, Course[]> = {
				two: [two, { ...two, begins: 4900 }],
				one: [{ ...quick, begins: 124_000, ends: 4000 }],
			};
			const world = new World(IN_ORDER, ([key = '']) => courses[key]?.shift() ?? quick, true);
			await run(world, async () => {
				await world.deliver(world.event('first'));
				await world.deliverAll(
					{ chat: 'a', key: 'two', time: 2 },
					{ chat: 'a', key: 'one', time: 1 },
				);
				await world.clock.sleep(60_000);
			});
			expect(world.executions.filter(({ contents: [key] }) => key === 'two')).toHaveLength(2);
		});

		it('leaves one alone that may still load files', async () => {
			const { lost } = await playLoss({ ...AT_ONCE, loadsFiles: true }, every10s);
			expect(lost).toEqual([0, expect.any(Number)]);
			expect(lost[1]).toBeGreaterThan(900_000);
		});
	});
});
