import { Ledger, ledgerOf } from '../../../../nodes/BotMessaging/trigger/dispatch/ledger';
import { Database, answered, record, recordAll } from './ledgerDatabase';

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

	it.each([false, true])(
		'knows what another process has recorded, in a worker: %s',
		async (shared) => {
			database.keys = ['a'];
			expect(await record(ledger, database, 'a', shared)).toBe(false);
		},
	);

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
