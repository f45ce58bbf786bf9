import { Ledger } from '../../../nodes/BotMessaging/trigger/ledger';

/** n8n's database: read and written as a whole, so that two who overlap overwrite each other. */
class Database {
	keys: string[] = [];

	calls = 0;

	failures = 0;

	/** As n8n has it: what comes twice in one call is new both times. */
	readonly checkProcessedAndRecord = async (items: unknown[]) => {
		this.calls++;
		const read = [...this.keys];
		await new Promise(setImmediate);
		if (this.failures > 0) {
			this.failures--;
			throw new Error('database is locked');
		}
		const added = items.map(String).filter((item) => !read.includes(item));
		this.keys = [...read, ...added];
		return { new: added, processed: [] };
	};
}

const record = async (ledger: Ledger, database: Database, key: string) =>
	await ledger.record(key, { recorder: database, answer: async () => {} });

const recordAll = async (ledger: Ledger, database: Database, keys: string[]) =>
	await Promise.all(keys.map(async (key) => await record(ledger, database, key)));

describe('the ledger of events', () => {
	let database: Database;
	let ledger: Ledger;
	beforeEach(() => {
		database = new Database();
		ledger = new Ledger();
	});

	it('calls an event new once', async () => {
		expect(await record(ledger, database, 'a')).toBe(true);
		expect(await record(ledger, database, 'a')).toBe(false);
		expect(await record(ledger, database, 'b')).toBe(true);
	});

	it('calls it new for one of several that come at the same moment', async () => {
		expect((await recordAll(ledger, database, ['a', 'a', 'a', 'b'])).filter(Boolean)).toHaveLength(
			2,
		);
	});

	it('loses none of many that are recorded at the same time, in few accesses', async () => {
		const keys = Array.from({ length: 200 }, (_, index) => `key ${index}`);
		expect(await recordAll(ledger, database, keys)).toEqual(keys.map(() => true));
		expect(database.keys).toHaveLength(200);
		expect(database.calls).toBeLessThanOrEqual(3);
	});

	it('knows what another process has recorded', async () => {
		database.keys = ['a'];
		expect(await record(ledger, database, 'a')).toBe(false);
	});

	it('remembers only what the database has taken', async () => {
		database.failures = 99;
		await expect(record(ledger, database, 'a')).rejects.toThrow('database is locked');
		expect(ledger.has('a')).toBe(false);
		database.failures = 0;
		expect(await record(ledger, database, 'a')).toBe(true);
		expect(ledger.has('a')).toBe(true);
	});

	it('tries again when another process wrote at the same moment', async () => {
		database.failures = 2;
		expect(await record(ledger, database, 'a')).toBe(true);
	});

	it('answers first and then records, and lets those wait unanswered whose turn has not come', async () => {
		const seen: string[] = [];
		const recorder = {
			checkProcessedAndRecord: async (items: unknown[]) => {
				seen.push(`record ${items.join()}`);
				return await database.checkProcessedAndRecord(items);
			},
		};
		const handOver = async (key: string) => {
			const answer = async () => void seen.push(`answer ${key}`);
			await ledger.record(key, { recorder, answer });
			seen.push(`begin ${key}`);
		};
		await Promise.all(['a', 'b', 'c'].map(handOver));
		expect(seen.filter((what) => !what.startsWith('begin'))).toEqual([
			...['answer a', 'record a'],
			...['answer b', 'answer c', 'record b,c'],
		]);
		expect(seen.indexOf('begin a')).toBeGreaterThan(seen.indexOf('record a'));
		expect(seen.slice(-2)).toEqual(['begin b', 'begin c']);
	});

	it('does not record what could not be answered, and records the others', async () => {
		const answer = async (key: string) => {
			if (key === 'b') throw new Error('no way to the service');
		};
		const outcomes = await Promise.allSettled(
			['a', 'b', 'c', 'd'].map(
				async (key) =>
					await ledger.record(key, { recorder: database, answer: async () => await answer(key) }),
			),
		);
		expect(outcomes.map(({ status }) => status)).toEqual([
			...['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
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
