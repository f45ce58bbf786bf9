import type { Fate, Queued } from '../../../../nodes/BotMessaging/trigger/dispatch/chatQueue';
import {
	MOST_OF_CHAT,
	MOST_WAITING,
} from '../../../../nodes/BotMessaging/trigger/dispatch/chatQueues';
import {
	FIRST_PAUSE_MS,
	RETRIES,
} from '../../../../nodes/BotMessaging/trigger/dispatch/dispatcherQueue';
import {
	LONGEST_COLLECTION_MS,
	type Policy,
} from '../../../../nodes/BotMessaging/trigger/settings/dispatcherOptions';
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

	/** After how long an event of one chat arrives, and when it happened, in ms. */
	type Overtaking = [after: number, time: number];

	const deliverOvertaking = async (world: World, events: Overtaking[]) =>
		await world.deliverAll(
			...events.map(([after, time]) => ({ chat: 'a', key: `at ${time}`, after, time })),
		);

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

	describe('that collects messages', () => {
		const collecting: Policy = { ...IN_ORDER, quietMs: 3000 };
		const written = (person: string | undefined, after?: number) => ({
			chat: 'chat',
			person,
			collects: true,
			after,
		});

		it('starts one execution with them, in order, once the person stops writing', async () => {
			const world = new World(collecting, () => quick);
			const messages = [1, 3, 2].map((time, index) => ({ ...written('Vera', index * 1000), time }));
			await run(world, async () => await world.deliverAll(...messages));
			expect(world.executions).toMatchObject([
				{ at: 5000, contents: ['chat 1', 'chat 3', 'chat 2'] },
			]);
		});

		it('holds up no event whose author is unknown, not even behind what others write', async () => {
			const world = new World(collecting, () => quick);
			await run(world, async () => await world.deliverAll(written('Vera'), written(undefined)));
			expect(world.executions).toMatchObject([
				{ at: 0, contents: ['chat 2'] },
				{ at: 3000, contents: ['chat 1'] },
			]);
		});

		it('lets others go first while a person may write more', async () => {
			const world = new World(collecting, () => quick, true);
			const press = { chat: 'chat', person: 'Igor', after: 500 };
			await run(world, async () => {
				await world.deliver(world.event('first'));
				await world.deliverAll(written('Vera'), press);
			});
			expect(world.executions.map(({ at }) => at)).toEqual([0, 530, 3030]);
		});

		it('keeps people apart', async () => {
			const world = new World(collecting, () => quick);
			const messages = ['Vera', 'Igor', 'Vera', 'Igor'].map((person) => written(person));
			await run(world, async () => await world.deliverAll(...messages));
			expect(world.executions.map(({ contents }) => contents)).toEqual([
				['chat 1', 'chat 3'],
				['chat 2', 'chat 4'],
			]);
		});

		it('waits no longer than 20 s for somebody who never stops', async () => {
			const world = new World(collecting, () => quick);
			const messages = Array.from({ length: 30 }, (_, second) => written('Vera', second * 1000));
			await run(world, async () => await world.deliverAll(...messages));
			expect(world.executions[0]?.at).toBe(LONGEST_COLLECTION_MS);
			expect(world.started).toHaveLength(30);
		});

		it('starts another execution for more than a hundred messages', async () => {
			const world = new World({ ...collecting, together: true }, () => quick);
			const messages = Array.from({ length: 150 }, () => written('Vera'));
			await run(world, async () => await world.deliverAll(...messages));
			expect(world.executions.map(({ contents }) => contents.length)).toEqual([100, 50]);
		});

		it('collects nothing more in an execution that gave back its place, since the person may have done something else', async () => {
			const world = new World(
				collecting,
				([key]) => ({ begins: 100, ends: key === 'Igor writes' ? 15_000 : 100, fails: false }),
				true,
			);
			const events = [
				{ key: 'Igor writes', ...written('Igor', 0) },
				{ key: 'Vera writes', ...written('Vera', 1) },
				{ key: 'Igor writes more', ...written('Igor', 2) },
				{ key: 'Vera presses', ...written('Vera', 3050), collects: false },
				{ key: 'Vera writes again', ...written('Vera', 9000) },
			];
			await run(world, async () => {
				await world.deliver(world.event('first'));
				await world.deliverAll(...events.map((event) => ({ ...event, time: event.after })));
			});
			expect(world.good.slice(1).map(({ contents }) => contents)).toEqual([
				['Igor writes', 'Igor writes more'],
				['Vera writes'],
				['Vera presses'],
				['Vera writes again'],
			]);
		});

		it('stops collecting when the person does something else, which starts afterwards', async () => {
			const world = new World(collecting, () => quick);
			const press = { chat: 'chat', person: 'Vera', after: 500 };
			await run(world, async () => await world.deliverAll(written('Vera'), press));
			expect(world.executions).toMatchObject([
				{ at: 500, contents: ['chat 1'] },
				{ at: 630, contents: ['chat 2'] },
			]);
		});
	});

	it('lets an execution of several that n8n does not begin hold up the next one for half a minute only', async () => {
		const courses: Course[] = [{ ...quick, begins: 900_000 }];
		const world = new World({ ...AT_ONCE, together: true }, () => courses.shift() ?? quick);
		await run(world, async () => {
			void world.queue.offer(world.event('a'), Infinity);
			await world.deliver(world.event('b'));
		});
		expect(world.executions).toMatchObject([{ contents: ['a 1'] }, { contents: ['b 2'] }]);
		expect(world.executions[1]?.at).toBeLessThan(31_000);
	});

	it('groups events that wait while an execution is being stored, at most a hundred per execution', async () => {
		const world = new World({ ...AT_ONCE, together: true }, () => ({ ...quick, begins: 100 }));
		const events = Array.from({ length: 151 }, (_, index) => ({
			after: Math.min(index, 50),
			chat: `chat ${index % 2}`,
		}));
		await run(world, async () => await world.deliverAll(...events));
		expect(world.executions.map(({ contents }) => contents.length)).toEqual([1, 100, 50]);
	});

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
