import fc from 'fast-check';
import type { Queued } from '../../../../nodes/BotMessaging/trigger/dispatch/chatLine';
import type { Policy } from '../../../../nodes/BotMessaging/trigger/settings/dispatcherOptions';
import { IN_ORDER, quick, run, World, type Course } from './queueWorld';

/** How long hundreds of random plays may take on a busy machine, in ms. */
const PLAYED_MS = 300_000;

describe('the queue of a dispatcher, whatever happens', () => {
	const arrivals = fc.array(
		fc.record({
			at: fc.nat(20_000),
			chat: fc.constantFrom('a', 'b', 'c'),
			person: fc.constantFrom('Vera', 'Igor'),
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

	it(
		'loses nothing, starts nothing twice, and keeps nothing in memory',
		async () => {
			await fc.assert(
				fc.asyncProperty(policies, arrivals, courses, fc.boolean(), async (policy, ...given) => {
					const { world, events } = await play(policy, ...given);
					expect(world.started.toSorted()).toEqual(events.map(({ key }) => key).toSorted());
					expect(world.queue.size).toEqual({ events: 0, chats: 0 });
				}),
				{ numRuns: 150 },
			);
		},
		PLAYED_MS,
	);

	it(
		'keeps the order of each chat, and of each person whose messages are collected',
		async () => {
			await fc.assert(
				fc.asyncProperty(policies, arrivals, courses, fc.boolean(), async (any, ...given) => {
					const policy = { ...any, inOrder: true };
					// Events arrive in the order in which they happened, so no late one can overtake others.
					const { world, events } = await play(policy, ...given);
					const place = (event: Queued<string>) => world.started.indexOf(event.key);
					for (const chat of ['a', 'b', 'c']) {
						for (const person of policy.quietMs > 0 ? ['Vera', 'Igor'] : [undefined]) {
							const own = events.filter(
								(event) => event.chat === chat && (!person || event.person === person),
							);
							expect(own.map(place)).toEqual(own.map(place).toSorted((a, b) => a - b));
						}
					}
				}),
				{ numRuns: 150 },
			);
		},
		PLAYED_MS,
	);

	it(
		'runs one execution of a chat at a time, unless one takes longer than the longest wait',
		async () => {
			await fc.assert(
				fc.asyncProperty(arrivals, courses, fc.boolean(), async (...given) => {
					const { world, events } = await play(IN_ORDER, ...given);
					const chatOf = new Map(events.map(({ key, chat }) => [key, chat]));
					for (const chat of ['a', 'b', 'c']) {
						const own = world.good.filter(({ contents: [id = ''] }) => chatOf.get(id) === chat);
						own.slice(1).forEach(({ beganAt }, index) => {
							const before = own[index];
							if (!before) return;
							expect(beganAt).toBeGreaterThanOrEqual((before.beganAt ?? 0) + before.ends);
						});
					}
				}),
				{ numRuns: 100 },
			);
		},
		PLAYED_MS,
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
				{ numRuns: 50 },
			);
		},
		PLAYED_MS,
	);
});
