import { Ledger, ledgerOf } from '../../../../nodes/BotMessaging/trigger/dispatch/ledger';

/** n8n's database: read and written as a whole, so that overlapping writers overwrite each other. */
class Database {
	keys: string[] = [];

	calls = 0;

	failures = 0;

	/** Whether the next call never ends, and whether it records its keys nevertheless. */
	unending?: 'recorded' | 'lost';

	/** Like n8n's: a key that occurs twice in one call is new both times. */
	readonly checkProcessedAndRecord = async (items: unknown[]) => {
		this.calls++;
		const read = [...this.keys];
		await new Promise((resolve) => setImmediate(resolve));
		if (this.failures > 0) {
			this.failures--;
			throw new Error('database is locked');
		}
		const { unending } = this;
		this.unending = undefined;
		const known = new Set(read);
		const added = items.map(String).filter((item) => !known.has(item));
		if (unending !== 'lost') this.keys = [...read, ...added];
		if (unending) await new Promise(() => {});
		return { new: added, processed: [] };
	};
}

const answered = { answer: async () => {}, shared: false };

const record = async (ledger: Ledger, database: Database, key: string, shared = false) =>
	(await ledger.record([key], { recorder: database, answer: async () => {}, shared })).has(key);

const recordAll = async (ledger: Ledger, database: Database, keys: string[]) =>
	await Promise.all(keys.map(async (key) => await record(ledger, database, key)));

describe('the ledger of events', () => {
	let database: Database;
	let ledger: Ledger;
	beforeEach(() => {
		database = new Database();
		ledger = new Ledger();
	});

	it.each([false, true])(
		'calls an event new only once, and asks the database only once, in a worker: %s',
		async (shared) => {
			expect(await record(ledger, database, 'a', shared)).toBe(true);
			expect(await record(ledger, database, 'a', shared)).toBe(false);
			expect(database.calls).toBe(1);
			expect(await record(ledger, database, 'b', shared)).toBe(true);
		},
	);

	it('calls it new for only one of several concurrent callers', async () => {
		expect((await recordAll(ledger, database, ['a', 'a', 'a', 'b'])).filter(Boolean)).toHaveLength(
			2,
		);
	});

	it('loses none of many that are recorded at the same time', async () => {
		const keys = Array.from({ length: 200 }, (_, index) => `key ${index}`);
		expect(await recordAll(ledger, database, keys)).toEqual(keys.map(() => true));
		expect(database.keys).toHaveLength(200);
	});

	it('records all events of one execution with one call', async () => {
		await record(ledger, database, 'b');
		const isNew = await ledger.record(['a', 'b', 'c', 'a'], { recorder: database, ...answered });
		expect([...isNew]).toEqual(['a', 'c']);
		expect(database.calls).toBe(2);
	});

	describe('beside another process that writes at the same time', () => {
		beforeEach(() => {
			jest.useFakeTimers();
		});
		afterEach(() => {
			jest.useRealTimers();
		});

		it('rewrites what the other one has overwritten', async () => {
			const others = Array.from({ length: 4 }, () => new Ledger());
			const keys = Array.from({ length: 40 }, (_, index) => `key ${index}`);
			const all = keys.map(async (key, index) => {
				const one = others[index % others.length] ?? ledger;
				await new Promise((resolve) => setTimeout(resolve, Math.floor(index / 4) * 2));
				return await record(one, database, key, true);
			});
			await jest.advanceTimersByTimeAsync(100);
			expect(await Promise.all(all)).toEqual(keys.map(() => true));
			await jest.advanceTimersByTimeAsync(60_000);
			expect(keys.filter((key) => !database.keys.includes(key))).toEqual([]);
		});

		it('rewrites it with an event soon after where each takes itself for the only one, as main processes during a rolling update', async () => {
			const other = new Ledger();
			const isNew = [ledger, other].map(async (one, index) => {
				const keys = [`first ${index}`, `second ${index}`, `third ${index}`];
				for (const key of keys) expect(await record(one, database, key)).toBe(true);
			});
			await jest.advanceTimersByTimeAsync(100);
			await Promise.all(isNew);
			await jest.advanceTimersByTimeAsync(1000);
			void record(ledger, database, 'next');
			await jest.advanceTimersByTimeAsync(100);
			void record(other, database, 'last');
			await jest.advanceTimersByTimeAsync(100);
			expect(database.keys).toHaveLength(8);
			expect(database.calls).toBe(8);
		});

		it('notices when a slow one overwrites its events much later', async () => {
			const isNew = record(ledger, database, 'a', true);
			await jest.advanceTimersByTimeAsync(2000);
			expect(await isNew).toBe(true);
			database.keys = ['b'];
			await jest.advanceTimersByTimeAsync(60_000);
			expect(database.keys.toSorted()).toEqual(['a', 'b']);
			const isNewToo = record(ledger, database, 'c', true);
			await jest.advanceTimersByTimeAsync(2000);
			expect(await isNewToo).toBe(true);
			database.keys = ['d'];
			await jest.advanceTimersByTimeAsync(60_000);
			expect(database.keys.toSorted()).toEqual(['c', 'd']);
		});

		it.each([
			['', 0],
			[', and as soon where the clock of the machine is set back by an hour', 3_600_000],
		])('asks the database once more for all, and no more%s', async (_, backMs) => {
			for (const key of ['a', 'b']) void record(ledger, database, key, true);
			await jest.advanceTimersByTimeAsync(100);
			jest.setSystemTime(Date.now() - backMs);
			await jest.advanceTimersByTimeAsync(60_000);
			expect(database.calls).toBe(3);
			expect(jest.getTimerCount()).toBe(0);
		});

		it('stops asking also when the database fails for minutes, as for a deleted workflow, until there is more to record', async () => {
			void record(ledger, database, 'a', true);
			await jest.advanceTimersByTimeAsync(100);
			database.failures = Infinity;
			await jest.advanceTimersByTimeAsync(180_000);
			const { calls } = database;
			await jest.advanceTimersByTimeAsync(180_000);
			expect(database.calls).toBe(calls);
			database.failures = 0;
			void record(ledger, database, 'b', true);
			await jest.advanceTimersByTimeAsync(100);
			database.keys = ['c'];
			await jest.advanceTimersByTimeAsync(60_000);
			expect(database.keys).toEqual(['c', 'b']);
		});
	});

	it.each([false, true])(
		'knows what another process has recorded, in a worker: %s',
		async (shared) => {
			database.keys = ['a'];
			expect(await record(ledger, database, 'a', shared)).toBe(false);
		},
	);

	describe('while another process locks the database', () => {
		/** A little more than all pauses together, in ms. */
		const PATIENCE_MS = 50 + 100 + 200 + 400 + 800 + 1600 + 20;
		const outcome = jest.fn();
		beforeEach(() => {
			jest.useFakeTimers();
			outcome.mockClear();
		});
		afterEach(() => jest.useRealTimers());

		it('retries for about three seconds, less and less often', async () => {
			database.failures = 6;
			void record(ledger, database, 'a').then(outcome);
			await jest.advanceTimersByTimeAsync(PATIENCE_MS - 100);
			expect(database.calls).toBe(6);
			expect(outcome).not.toHaveBeenCalled();
			await jest.advanceTimersByTimeAsync(100);
			expect(outcome).toHaveBeenCalledWith(true);
		});

		it('in a worker retries for two minutes: the event has been answered and does not come again', async () => {
			database.failures = 29;
			void record(ledger, database, 'a', true).then(outcome);
			await jest.advanceTimersByTimeAsync(115_000);
			expect(outcome).not.toHaveBeenCalled();
			await jest.advanceTimersByTimeAsync(10_000);
			expect(outcome).toHaveBeenCalledWith(true);
		});

		it.each([true, false])(
			'takes an event that is there after a call that failed for its own only where it does not come again, in a worker: %s',
			async (shared) => {
				database.failures = 1;
				database.keys = ['a'];
				void record(ledger, database, 'a', shared).then(outcome);
				await jest.advanceTimersByTimeAsync(100);
				expect(outcome).toHaveBeenCalledWith(shared);
			},
		);

		it('remembers only what the database has accepted', async () => {
			database.failures = 7;
			record(ledger, database, 'a').catch(outcome);
			await jest.advanceTimersByTimeAsync(PATIENCE_MS);
			expect(outcome).toHaveBeenCalledWith(new Error('database is locked'));
			expect(ledger.has('a')).toBe(false);
			void record(ledger, database, 'a').then(outcome);
			await jest.advanceTimersByTimeAsync(1);
			expect(outcome).toHaveBeenLastCalledWith(true);
			expect(ledger.has('a')).toBe(true);
		});

		it('answers no event, so that the service delivers it again', async () => {
			database.failures = 7;
			const answered: string[] = [];
			const handOver = async (key: string) => {
				const answer = async () => void answered.push(key);
				await ledger.record([key], { recorder: database, answer, shared: false });
			};
			void Promise.allSettled(['a', 'b'].map(handOver)).then(outcome);
			await jest.advanceTimersByTimeAsync(PATIENCE_MS);
			expect(outcome).toHaveBeenCalledWith([
				expect.objectContaining({ status: 'rejected' }),
				expect.objectContaining({ status: 'rejected' }),
			]);
			expect(answered).toEqual([]);
			void Promise.all(['a', 'b'].map(handOver));
			await jest.advanceTimersByTimeAsync(1);
			expect(answered.toSorted()).toEqual(['a', 'b']);
		});
	});

	describe('while n8n never ends a call, as when its database has hung', () => {
		/** A little more than such a call and the pause after it get, in ms. */
		const PATIENCE_MS = 30_000 + 50 + 20;
		beforeEach(() => {
			jest.useFakeTimers();
		});
		afterEach(() => jest.useRealTimers());

		it.each([
			['recorded', false],
			['recorded', true],
			['lost', false],
			['lost', true],
		] as const)(
			'makes another one for an event that was %s by it, and holds up no other event for longer, in a worker: %s',
			async (unending, shared) => {
				database.unending = unending;
				const outcomes = ['a', 'b'].map(async (key) => await record(ledger, database, key, shared));
				const all = jest.fn();
				void Promise.all(outcomes).then(all);
				await jest.advanceTimersByTimeAsync(PATIENCE_MS);
				expect(all).toHaveBeenCalledWith([true, true]);
				expect(database.keys.toSorted()).toEqual(['a', 'b']);
				expect(await record(ledger, database, 'a', shared)).toBe(false);
			},
		);

		it('runs an event that such a call has recorded although the next one fails', async () => {
			database.unending = 'recorded';
			const outcome = jest.fn();
			void record(ledger, database, 'a').then(outcome);
			await jest.advanceTimersByTimeAsync(100);
			database.failures = 1;
			await jest.advanceTimersByTimeAsync(PATIENCE_MS + 100);
			expect(outcome).toHaveBeenCalledWith(true);
		});

		it('gives up after a few, so that the execution fails and tells why', async () => {
			const never = { checkProcessedAndRecord: async () => await new Promise<never>(() => {}) };
			const outcome = jest.fn();
			ledger.record(['a'], { recorder: never, ...answered }).catch(outcome);
			await jest.advanceTimersByTimeAsync(8 * PATIENCE_MS);
			expect(outcome).toHaveBeenCalledWith(new Error("n8n's database did not answer"));
			expect(ledger.has('a')).toBe(false);
		});
	});

	describe('step by step', () => {
		let seen: string[];
		const recorder = {
			checkProcessedAndRecord: async (items: unknown[]) => {
				seen.push(`record ${items.join()}`);
				const result = await database.checkProcessedAndRecord(items);
				seen.push(`recorded ${items.join()}`);
				return result;
			},
		};
		const handOverAll = async (keys: string[], shared: boolean) => {
			seen = [];
			const handOver = async (key: string) => {
				const answer = async () => void seen.push(`answer ${key}`);
				await ledger.record([key], { recorder, answer, shared });
				seen.push(`begin ${key}`);
			};
			await Promise.all(keys.map(handOver));
			return seen;
		};

		it('records waiting events together, and answers none of them before that', async () => {
			const order = await handOverAll(['a', 'b', 'c'], false);
			expect(order.slice(0, 2)).toEqual(['record a,b,c', 'recorded a,b,c']);
			expect(order.toSorted()).toEqual([
				'answer a',
				'answer b',
				'answer c',
				'begin a',
				'begin b',
				'begin c',
				'record a,b,c',
				'recorded a,b,c',
			]);
		});

		it('records events that arrive during a write with the next ones, a few at a time', async () => {
			const first = handOverAll(['a'], false);
			await new Promise((resolve) => process.nextTick(resolve));
			const keys = Array.from({ length: 25 }, (_, index) => `key ${index}`);
			await Promise.all([
				first,
				...keys.map(async (key) => await ledger.record([key], { recorder, ...answered })),
			]);
			const writes = seen.filter((what) => what.startsWith('record '));
			expect(writes.map((write) => write.split(',').length)).toEqual([1, 10, 10, 5]);
		});

		it('in a worker answers and records one execution after another, so that waiting ones are not answered yet', async () => {
			const order = await handOverAll(['a', 'b', 'c'], true);
			// Each write repeats the events that another process may have overwritten.
			expect(order.filter((what) => /^(answer|record) /.test(what))).toEqual([
				'answer a',
				'record a',
				'answer b',
				'record a,b',
				'answer c',
				'record a,b,c',
			]);
			expect(order.indexOf('begin a')).toBeLessThan(order.indexOf('record a,b'));
		});
	});

	it('in a worker calls an event new even if its answer has added it to the ledger', async () => {
		const answer = async () => ledger.add('a');
		const isNew = await ledger.record(['a'], { recorder: database, answer, shared: true });
		expect([...isNew]).toEqual(['a']);
	});

	it('in a worker does not record an event that could not be answered, and records the others', async () => {
		const answer = async (key: string) => {
			if (key === 'b') throw new Error('no way to the service');
		};
		const outcomes = await Promise.allSettled(
			['a', 'b', 'c', 'd'].map(
				async (key) =>
					await ledger.record([key], {
						recorder: database,
						answer: async () => await answer(key),
						shared: true,
					}),
			),
		);
		expect(outcomes.map(({ status }) => status)).toEqual([
			'fulfilled',
			'rejected',
			'fulfilled',
			'fulfilled',
		]);
		expect(database.keys).toEqual(['a', 'c', 'd']);
	});

	it('forgets the oldest, not the newest', async () => {
		const keys = Array.from({ length: 12_000 }, (_, index) => `key ${index}`);
		await recordAll(ledger, database, keys);
		expect(ledger.has('key 0')).toBe(false);
		expect(ledger.has('key 11999')).toBe(true);
	});
});

it('The ledger of a trigger stays the same until it has not been used for ten minutes', () => {
	jest.useFakeTimers();
	const first = ledgerOf('a');
	const other = ledgerOf('b');
	for (let minutes = 0; minutes < 3; minutes++) {
		jest.advanceTimersByTime(599_999);
		expect(ledgerOf('a')).toBe(first);
	}
	expect(ledgerOf('b')).not.toBe(other);
	jest.advanceTimersByTime(600_000);
	ledgerOf('b');
	expect(ledgerOf('a')).not.toBe(first);
	jest.useRealTimers();
});
