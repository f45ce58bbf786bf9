import fc from 'fast-check';
import type { Queued } from '../../../../nodes/BotMessaging/trigger/dispatch/chatQueue';
import type { Policy } from '../../../../nodes/BotMessaging/trigger/settings/dispatcherOptions';
import { scaled } from '../../../support/scale';
import { IN_ORDER, quick, run, World, type Course } from './queueWorld';

/**
 * How long random plays go on, in ms. A busy machine plays fewer, and a flaw is told with its seed, however long the search
 * for a smaller one would take.
 */
const PLAYED_MS = 120_000;

const LIMIT_MS = 300_000;

const CHATS = ['a', 'b', 'c'];
const PEOPLE = ['Vera', 'Igor'];

describe('the queue of a dispatcher, whatever happens', () => {
	const arrivals = fc.array(
		fc.record({
			at: fc.nat(20_000),
			chat: fc.constantFrom(...CHATS),
			person: fc.constantFrom(...PEOPLE),
			collects: fc.boolean(),
			repeatsAfter: fc.option(fc.nat(40_000), { nil: undefined }),
		}),
		{ maxLength: 40, size: 'max' },
	);
	const policies = fc.record({
		inOrder: fc.boolean(),
		longestWaitMs: fc.constantFrom(10_000, 300_000),
		settleMs: fc.constantFrom(0, 50),
		quietMs: fc.constantFrom(0, 3000),
		together: fc.boolean(),
		loadsFiles: fc.boolean(),
	});
	const courses = fc.infiniteStream(
		fc.record({
			begins: fc.nat(3000),
			ends: fc.nat(40_000),
			fails: fc.nat(9).map((number) => number === 0),
		}),
	);
	type Arrival = (typeof arrivals extends fc.Arbitrary<infer A> ? A : never)[number];

	const play = async (
		policy: Policy,
		given: Arrival[],
		stream: Iterator<Course>,
		asks: boolean,
	) => {
		const world = new World(policy, () => ({ ...(stream.next().value ?? quick) }), asks);
		const events: Array<Queued<string>> = [];
		await run(world, async () => {
			const deliveries = given
				.toSorted((one, other) => one.at - other.at)
				.map(async ({ at, chat, person, collects, repeatsAfter }, index) => {
					const event = world.event(chat, { key: `${index}`, time: index, person, collects });
					events.push(event);
					await world.clock.sleep(at);
					const again = async () => {
						await world.clock.sleep(repeatsAfter ?? 0);
						await world.deliver(event);
					};
					await Promise.all([world.deliver(event), again()]);
				});
			await Promise.all(deliveries);
			// Lets running executions end.
			await world.clock.sleep(100_000);
		});
		return { world, events };
	};

	/** Events of each chat start in order, or those of each person in it whose messages are collected. */
	const expectOrder = (world: World, events: Array<Queued<string>>) => {
		const place = (event: Queued<string>) => world.started.indexOf(event.key);
		// Events arrive in the order in which they happened, so no late one can overtake others.
		for (const chat of CHATS) {
			for (const person of world.policy.quietMs > 0 ? PEOPLE : [undefined]) {
				const own = events.filter(
					(event) => event.chat === chat && (!person || event.person === person),
				);
				expect(own.map(place)).toEqual(own.map(place).toSorted((a, b) => a - b));
			}
		}
	};

	/** One execution of a chat runs at a time, as none takes longer than the longest wait. */
	const expectOneAtATime = (world: World, events: Array<Queued<string>>) => {
		const chatOf = new Map(events.map(({ key, chat }) => [key, chat]));
		for (const chat of CHATS) {
			const own = world.good.filter(({ contents: [id = ''] }) => chatOf.get(id) === chat);
			own.slice(1).forEach(({ beganAt }, index) => {
				const before = own[index];
				if (before) expect(beganAt).toBeGreaterThanOrEqual((before.beganAt ?? 0) + before.ends);
			});
		}
	};

	it(
		'loses nothing, starts nothing twice, keeps the order that it is to keep, and nothing in memory',
		async () => {
			const inOrder = policies.map((policy) => ({ ...policy, inOrder: true }));
			const any = fc.oneof(policies, inOrder, fc.constant(IN_ORDER));
			await fc.assert(
				fc.asyncProperty(any, arrivals, courses, fc.boolean(), async (policy, ...given) => {
					const { world, events } = await play(policy, ...given);
					expect(world.started.toSorted()).toEqual(events.map(({ key }) => key).toSorted());
					expect(world.queue.size).toEqual({ events: 0, chats: 0 });
					if (policy.inOrder) expectOrder(world, events);
					if (policy === IN_ORDER) expectOneAtATime(world, events);
				}),
				{ numRuns: scaled(300, 150), interruptAfterTimeLimit: PLAYED_MS },
			);
		},
		LIMIT_MS,
	);

	it(
		'lets no chat wait for another',
		async () => {
			await fc.assert(
				fc.asyncProperty(arrivals, courses, async (list, stream) => {
					const slow = stream.map((course) => ({ ...course, fails: false }));
					const world = new World(IN_ORDER, ([id]) =>
						id === 'mine' ? quick : (slow.next().value ?? quick),
					);
					await run(world, async () => {
						const others = list.map(async ({ at, chat }, index) => {
							await world.clock.sleep(at);
							await world.deliver(world.event(chat, { key: `${index}` }));
						});
						await world.clock.sleep(10_000);
						const mine = await world.queue.offer(world.event('mine', { key: 'mine' }), 1000);
						expect(mine).toBe('begun');
						await Promise.all(others);
					});
					expect(world.executions.find(({ contents }) => contents[0] === 'mine')?.at).toBe(10_000);
				}),
				{ numRuns: scaled(50, 25), interruptAfterTimeLimit: PLAYED_MS },
			);
		},
		LIMIT_MS,
	);
});
