import { setImmediate } from 'node:timers/promises';
import { sleep } from 'n8n-workflow';
import type { Update } from '../../../../nodes/BotMessaging/events/events';
import { MissedEvents } from '../../../../nodes/BotMessaging/trigger/polling/missedEvents';

const BATCH = 100;
const FIRST = 1785000120000;
const SILENT = { info: () => {}, warn: () => {}, error: () => {} };

interface Poll {
	query?: { marker?: unknown };
}

/** A service that keeps so many events for polling, the times of which follow each other by one ms. */
function keeping(count: number) {
	const events = Array.from({ length: count }, (_, index) => ({
		update_type: 'bot_started',
		timestamp: FIRST + index,
		payload: `${index}`,
	}));
	let committed = 0;
	return async ({ query = {} }: Poll = {}) => {
		committed = Number(query.marker ?? committed);
		const updates = events.slice(committed, committed + BATCH);
		return await Promise.resolve({ updates, marker: committed + updates.length });
	};
}

/** Such a service, but a poll without marker gets only the latest event. */
function keepingLatestFirst(count: number, latest = 1) {
	const request = keeping(count);
	return async ({ query = {} }: Poll) => {
		const { updates } = await request({ query: { marker: query.marker ?? count - 1 } });
		if (query.marker !== undefined) return await request({ query });
		return { updates: updates.slice(0, latest), marker: count };
	};
}

let bots = 0;

/** The bot of a test that has not asked for anything. */
const anotherBot = () => ({ botKey: `bot ${++bots}` });

/** Only a test's own code moves the clock: how long a machine takes for many events says nothing. */
function holdTime() {
	beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] }));
	afterEach(() => void jest.useRealTimers());
}

interface Search {
	since?: number;
	isMeant?: (event: Update) => boolean;
	/** Whether a round goes on where the last one was; by default, each begins anew, as after a restart of n8n. */
	goesOn?: boolean;
}

/** Hands over what a service keeps, in at most ten rounds. Events that are handed over again are known. */
async function search(
	request: (poll: Poll) => Promise<{ updates: Update[]; marker: number }>,
	{ since = 0, isMeant = () => true, goesOn = false }: Search = {},
) {
	const handed = new Set<unknown>();
	const handOver = async (event: Update) => {
		if (!isMeant(event)) return await Promise.resolve('ignored' as const);
		if (handed.has(event.payload)) return 'known';
		handed.add(event.payload);
		return 'begun';
	};
	const begin = () => new MissedEvents({ handOver }, SILENT, () => false);
	const connection = anotherBot();
	let missed = begin();
	let rounds = 0;
	for (let isAll = false; !isAll && rounds < 10; rounds++) {
		if (!goesOn) missed = begin();
		isAll = await missed.handOver({ request, connection }, since);
	}
	return { handed: [...handed], rounds };
}

describe('events that were missed', () => {
	it('are handed over in as many rounds as it takes', async () => {
		const { handed, rounds } = await search(keeping(12_345));
		expect([handed.length, rounds]).toEqual([12_345, 7]);
	});

	it('are also found behind thousands that start nothing, as with a filter in busy chats', async () => {
		const isMeant = ({ payload }: Update) => payload === '4999';
		expect((await search(keeping(5000), { isMeant })).handed).toEqual(['4999']);
	});

	it.each([0, 1])(
		'are all found although a poll without marker gets only the latest event, or none if it is of another type: %i',
		async (latest) => {
			const { handed, rounds } = await search(keepingLatestFirst(250, latest));
			expect([handed.length, rounds]).toEqual([250, 1]);
		},
	);

	it('are also found behind thousands of old ones that the service gives again after any marker', async () => {
		const since = FIRST + 60_000 + 4000;
		const { handed, rounds } = await search(keepingLatestFirst(5000), { since, goesOn: true });
		expect([handed.length, rounds]).toEqual([1000, 3]);
	});

	it('are no longer requested if the service repeats the same ones forever', async () => {
		const request = keeping(10);
		let marker = 0;
		const forgetful = async () => ({ ...(await request()), marker: ++marker });
		expect((await search(forgetful)).rounds).toBe(2);
	});

	it('come to a trigger that joins the others while the request for the next ones fails', async () => {
		const connection = anotherBot();
		const poll = keeping(2);
		let refuse: ((reason: Error) => void) | undefined;
		const request = async ({ query = {} }: Poll = {}) =>
			query.marker === undefined
				? await poll()
				: await new Promise<never>((_, reject) => (refuse = reject));
		const round = async (handed: unknown[]) => {
			const handOver = async ({ payload }: Update) => {
				handed.push(payload);
				return await Promise.resolve('begun' as const);
			};
			const missed = new MissedEvents({ handOver }, SILENT, () => false);
			return await missed.handOver({ request, connection }, 0);
		};
		const [early, late]: [unknown[], unknown[]] = [[], []];
		const rounds = [round(early)];
		while (!refuse) await setImmediate();
		rounds.push(round(late));
		refuse(new Error('Not now'));
		expect(await Promise.all(rounds)).toEqual([true, true]);
		expect([early, late]).toEqual([
			['0', '1'],
			['0', '1'],
		]);
	});

	describe('of a service that gives each event only once', () => {
		holdTime();

		/** Two batches. */
		const EVENTS = 120;

		/** The numbers of events that triggers of one bot get which ask at the same moment and begin an event each in its way. */
		async function shared(begins: Array<() => Promise<void>>, moment: () => Promise<unknown>) {
			const poll = keeping(EVENTS);
			let given = 0;
			const request = async () => {
				const { updates, marker } = await poll({ query: { marker: given } });
				given += updates.length;
				await setImmediate();
				return { updates, marker };
			};
			const connection = anotherBot();
			let left = begins.length;
			const counts = begins.map(async (begin) => {
				const handed = new Set<unknown>();
				const handOver = async ({ payload }: Update) => {
					if (handed.has(payload)) return 'known' as const;
					await begin();
					handed.add(payload);
					return 'begun' as const;
				};
				const missed = new MissedEvents({ handOver }, SILENT, () => false);
				while (!(await missed.handOver({ request, connection }, 0)));
				left--;
				return handed.size;
			});
			while (left > 0) await moment();
			return await Promise.all(counts);
		}

		it('come to all triggers of a bot, also to those that ask too late for any of their own', async () => {
			// So many that the batches of those who come too late, which are empty, outnumber what is shared.
			const turns = [0, 1, 2, ...Array<number>(120).fill(3)];
			const begins = turns.map((count) => async () => {
				for (let turn = 0; turn < count; turn++) await setImmediate();
			});
			expect(await shared(begins, setImmediate)).toEqual(begins.map(() => EVENTS));
		});

		it('come to all triggers of a bot although n8n takes longer for a batch than until it is asked for again', async () => {
			const slowly = async () => await sleep(3000);
			const moment = async () => await jest.advanceTimersByTimeAsync(1000);
			expect(await shared([slowly, slowly, slowly], moment)).toEqual([EVENTS, EVENTS, EVENTS]);
		});

		it('are all found if another one comes while the second request is under way', async () => {
			const events = keeping(2);
			let given = 0;
			const request = async () => {
				const { updates, marker } = await events({ query: { marker: given } });
				const batch = updates.slice(0, 1);
				given += batch.length;
				return { updates: batch, marker };
			};
			expect((await search(request)).handed).toEqual(['0', '1']);
		});
	});

	describe('of a bot with several triggers', () => {
		holdTime();

		/** Triggers that hand over each event in its way, of a service that notes the markers that it gets. */
		function triggers(...ways: Array<() => Promise<'begun' | 'late'>>) {
			const connection = anotherBot();
			const keep = keeping(250);
			const asked: unknown[] = [];
			const request = async (poll: Poll) => {
				asked.push(poll.query?.marker);
				return await keep(poll);
			};
			const all = ways.map((handOver) => {
				const trigger = { isStopped: false };
				const missed = new MissedEvents({ handOver }, SILENT, () => trigger.isStopped);
				const round = async () => await missed.handOver({ request, connection }, 0);
				return Object.assign(trigger, { round });
			});
			return { all, asked, connection };
		}

		const atOnce = async () => await Promise.resolve('begun' as const);
		const never = async () => await Promise.resolve('late' as const);

		it('are followed by no others as long as one has not begun in one of these, since the service would forget it', async () => {
			const { all, asked } = triggers(atOnce, never);
			const rounds = Promise.all(all.map(async ({ round }) => await round()));
			await jest.advanceTimersByTimeAsync(5000);
			expect([await rounds, asked]).toEqual([[false, false], [undefined]]);
			for (const trigger of all) trigger.isStopped = true;
		});

		it('wait for none that was switched off', async () => {
			const { all, asked } = triggers(atOnce, never);
			const [fast, slow] = all;
			void slow?.round();
			if (slow) slow.isStopped = true;
			const end = (async () => {
				while (!(await fast?.round()));
				return asked;
			})();
			await jest.advanceTimersByTimeAsync(5000);
			expect(await end).toEqual([undefined, '100', '200', '250']);
		});

		it('are done for all at the same moment, so that none is subscribed while others still miss what comes', async () => {
			const slowly = async () => {
				await sleep(1500);
				return 'begun' as const;
			};
			const { all } = triggers(atOnce, slowly);
			const ends = all.map(async ({ round }) => {
				while (!(await round()));
				return Date.now();
			});
			await jest.advanceTimersByTimeAsync(60_000);
			expect(new Set(await Promise.all(ends)).size).toBe(1);
		});

		it('are not done for all if the one that asks for them is switched off', async () => {
			const { all, connection } = triggers(atOnce, atOnce);
			const [, other] = all;
			let isStopped = false;
			const request = async () => {
				isStopped = true;
				return await Promise.reject(new Error('Stopped'));
			};
			const first = new MissedEvents({ handOver: atOnce }, SILENT, () => isStopped);
			const rounds = [first.handOver({ request, connection }, 0), other?.round()];
			expect(await Promise.all(rounds)).toEqual([false, false]);
			expect(await other?.round()).toBe(true);
		});
	});

	describe('one after another', () => {
		let logged: string[];
		const note = (message: string) => void logged.push(message);
		const logger = { info: note, warn: note, error: note };
		let asked: unknown[];
		beforeEach(() => {
			logged = [];
			asked = [];
		});

		/** A service with one event in each of its batches, the times of which follow each other by one ms. */
		const oneByOne = (count: number) => ({
			connection: anotherBot(),
			request: async ({ query = {} }: { query?: { marker?: unknown } }) => {
				const at = Number(query.marker ?? 0);
				asked.push(query.marker);
				const event = { update_type: 'bot_started', timestamp: FIRST + at, payload: at };
				return await Promise.resolve({
					updates: at < count ? [event] : [],
					marker: Math.min(at + 1, count),
				});
			},
		});

		/** Hands over, with these fates by payload; the fate of all others is that they begin. */
		const handOver = async (
			service: ReturnType<typeof oneByOne>,
			since: number,
			fates = {},
			rounds = 1,
		) => {
			const known = new Map<unknown, unknown>(Object.entries(fates));
			const handed: unknown[] = [];
			const dispatcher = {
				handOver: async ({ payload }: Update) => {
					handed.push(payload);
					const fate = await Promise.resolve(known.get(String(payload)));
					if (fate instanceof Error) throw fate;
					return fate === 'late' || fate === 'failed' ? fate : 'begun';
				},
			};
			let isStopped = false;
			const missed = new MissedEvents(dispatcher, logger, () => isStopped);
			let isAll = false;
			for (let round = 0; round < rounds && !isAll; round++) {
				isAll = await missed.handOver(service, since);
			}
			isStopped = true;
			return { isAll, handed: [...new Set(handed)] };
		};

		it('are those of a certain time or later, or a minute before by another clock, and their number is logged', async () => {
			expect(await handOver(oneByOne(4), FIRST + 60_001)).toEqual({
				isAll: true,
				handed: [1, 2, 3],
			});
			expect(asked).toEqual([undefined, '0', '1', '2', '3', '4']);
			expect(logged).toEqual(['Events that came without a subscription: 3']);
		});

		it('are not mentioned if there are none', async () => {
			expect(await handOver(oneByOne(4), FIRST + 60_004)).toEqual({ isAll: true, handed: [] });
			expect(logged).toEqual([]);
		});

		it.each([['failed'], [new Error('n8n could not start its execution')]])(
			'are passed over if they cannot be handed over after some tries, and the next ones follow: %s',
			async (fate) => {
				jest.useFakeTimers();
				const search = handOver(oneByOne(3), FIRST, { 1: fate }, 10);
				await jest.advanceTimersByTimeAsync(60_000);
				jest.useRealTimers();
				const { isAll, handed } = await search;
				expect([isAll, handed]).toEqual([true, [0, 1, 2]]);
				expect(logged).toEqual([
					'Events that came without a subscription: 1',
					expect.stringMatching(/^An event was passed over: .+: n8n could not start its/),
					'Events that came without a subscription: 1',
				]);
			},
		);

		it('are there for triggers that come later, however many another bot has missed meanwhile', async () => {
			const service = oneByOne(1);
			await handOver(service, FIRST);
			await handOver(oneByOne(101), FIRST, {}, 6);
			const request = async () => await Promise.resolve({ updates: [], marker: 1 });
			expect((await handOver({ ...service, request }, FIRST)).handed).toEqual([0]);
		});

		it('are also found behind what is no event, which the log names', async () => {
			const events = oneByOne(2);
			const request = async (poll: Poll) => {
				const { updates, marker } = await events.request(poll);
				const odd = { update_type: 'poll_closed', timestamp: 0.5, payload: 0 };
				return { updates: marker === 1 ? [odd] : updates, marker };
			};
			expect(await handOver({ ...events, request }, FIRST)).toEqual({ isAll: true, handed: [1] });
			expect(logged).toContainEqual(
				expect.stringMatching(/^Events were passed over: .* unlike "poll_closed"$/),
			);
		});

		it('are done without if the service does not answer', async () => {
			const request = async () => await Promise.reject(new Error('No answer'));
			expect(await handOver({ request, connection: anotherBot() }, FIRST)).toEqual({
				isAll: true,
				handed: [],
			});
			expect(logged).toEqual(['Missed events could not be asked for: No answer']);
		});

		it('are at least the latest one if the service gives no others', async () => {
			const latest = oneByOne(1);
			const request = async ({ query = {} }: { query?: { marker?: unknown } }) => {
				if (query.marker === '0') throw new Error('No answer');
				return await latest.request({ query });
			};
			expect(await handOver({ ...latest, request }, FIRST)).toEqual({ isAll: true, handed: [0] });
		});
	});
});
