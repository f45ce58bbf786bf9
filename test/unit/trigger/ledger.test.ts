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

const record = async (ledger: Ledger, database: Database, keys: string[]) =>
	await Promise.all(keys.map(async (key) => await ledger.record(key, database)));

describe('the ledger of events', () => {
	let database: Database;
	let ledger: Ledger;
	beforeEach(() => {
		database = new Database();
		ledger = new Ledger();
	});

	it('calls an event new once', async () => {
		expect(await ledger.record('a', database)).toBe(true);
		expect(await ledger.record('a', database)).toBe(false);
		expect(await ledger.record('b', database)).toBe(true);
	});

	it('calls it new for one of several that come at the same moment', async () => {
		expect((await record(ledger, database, ['a', 'a', 'a', 'b'])).filter(Boolean)).toHaveLength(2);
	});

	it('loses none of many that are recorded at the same time, in few accesses', async () => {
		const keys = Array.from({ length: 200 }, (_, index) => `key ${index}`);
		expect(await record(ledger, database, keys)).toEqual(keys.map(() => true));
		expect(database.keys).toHaveLength(200);
		expect(database.calls).toBeLessThanOrEqual(3);
	});

	it('knows what another process has recorded', async () => {
		database.keys = ['a'];
		expect(await ledger.record('a', database)).toBe(false);
	});

	it('remembers only what the database has taken', async () => {
		database.failures = 99;
		await expect(ledger.record('a', database)).rejects.toThrow('database is locked');
		expect(ledger.has('a')).toBe(false);
		database.failures = 0;
		expect(await ledger.record('a', database)).toBe(true);
		expect(ledger.has('a')).toBe(true);
	});

	it('tries again when another process wrote at the same moment', async () => {
		database.failures = 2;
		expect(await ledger.record('a', database)).toBe(true);
	});

	it('forgets the oldest, not the newest', async () => {
		const keys = Array.from({ length: 12_000 }, (_, index) => `key ${index}`);
		await record(ledger, database, keys);
		expect(ledger.has('key 0')).toBe(false);
		expect(ledger.has('key 11999')).toBe(true);
	});
});
