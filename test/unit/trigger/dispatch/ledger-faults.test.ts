import { Ledger } from '../../../../nodes/BotMessaging/trigger/dispatch/ledger';
import { Database, answered, record } from './ledgerDatabase';

describe('the ledger of events', () => {
	let database: Database;
	let ledger: Ledger;
	beforeEach(() => {
		database = new Database();
		ledger = new Ledger();
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

		it.each([false, true])(
			'runs an event that such a call has recorded although all others fail, once it comes again, in a worker: %s',
			async (shared) => {
				database.unending = 'recorded';
				const outcome = jest.fn();
				record(ledger, database, 'a', shared).catch(outcome);
				await jest.advanceTimersByTimeAsync(100);
				database.failures = shared ? 29 : 6;
				await jest.advanceTimersByTimeAsync(PATIENCE_MS + 180_000);
				expect(outcome).toHaveBeenCalledWith(new Error('database is locked'));
				const again = record(ledger, database, 'a', shared);
				await jest.advanceTimersByTimeAsync(1);
				expect(await again).toBe(true);
				expect(await record(ledger, database, 'a', shared)).toBe(false);
			},
		);

		it('gives up after a few, so that the execution fails and tells why', async () => {
			const never = { checkProcessedAndRecord: async () => await new Promise<never>(() => {}) };
			const outcome = jest.fn();
			ledger.record(['a'], { recorder: never, ...answered }).catch(outcome);
			await jest.advanceTimersByTimeAsync(8 * PATIENCE_MS);
			expect(outcome).toHaveBeenCalledWith(new Error("n8n's database did not answer"));
			expect(ledger.has('a')).toBe(false);
		});
	});
});
