import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { inLanes, type Lanes } from '../../../nodes/BotMessaging/actions/lanes';

interface Item {
	index: number;
	lane?: string;
	replaces?: string;
}

type Run = (item: Item, backlog: () => number) => Promise<number>;

const lanesOf = (
	lanes: Array<string | undefined>,
	run: Run,
	over: Partial<Lanes<Item, number>> = {},
): Lanes<Item, number> => ({
	count: lanes.length,
	stopped: () => false,
	atATime: Infinity,
	prepare: (index) => ({ index, lane: lanes[index] }),
	run,
	skip: ({ index }) => -index,
	...over,
});

const turn = async (): Promise<void> => await new Promise((resolve) => setImmediate(resolve));

/** How much memory is in use, in bytes, once what is no longer needed is gone. */
function bytesInUse(): number {
	setFlagsFromString('--expose-gc');
	runInNewContext('gc()');
	return process.memoryUsage().heapUsed;
}

/** Work that ends when the test says so. */
class Desk {
	readonly begun: number[] = [];

	private readonly open = new Map<number, () => void>();

	readonly run: Run = async ({ index }) => {
		this.begun.push(index);
		await new Promise<void>((resolve) => this.open.set(index, resolve));
		return index;
	};

	async end(...indexes: number[]): Promise<void> {
		for (const index of indexes) this.open.get(index)?.();
		await turn();
	}

	async endAll(): Promise<void> {
		for (let known = -1; known < this.begun.length;) {
			known = this.begun.length;
			await this.end(...this.begun);
		}
	}
}

test('Items of one lane run in order, one at a time', async () => {
	const desk = new Desk();
	const done = inLanes(lanesOf(['a', 'a', 'a'], desk.run));
	await turn();
	expect(desk.begun).toEqual([0]);
	await desk.end(0);
	expect(desk.begun).toEqual([0, 1]);
	await desk.endAll();
	expect(await done).toEqual([0, 1, 2]);
});

test('A blocked lane delays neither other lanes nor items without a lane', async () => {
	const desk = new Desk();
	const done = inLanes(lanesOf(['a', 'a', 'b', undefined, 'a', 'b'], desk.run));
	await turn();
	expect([...desk.begun].sort()).toEqual([0, 2, 3]);
	await desk.end(2);
	expect([...desk.begun].sort()).toEqual([0, 2, 3, 5]);
	await desk.endAll();
	expect(await done).toEqual([0, 1, 2, 3, 4, 5]);
});

test('The longest lane starts first', async () => {
	const desk = new Desk();
	const lanes = ['a', 'b', 'c', 'b', 'c', 'c'];
	const done = inLanes(lanesOf(lanes, desk.run, { atATime: 1 }));
	await turn();
	expect(desk.begun).toEqual([2]);
	await desk.endAll();
	expect(await done).toEqual([0, 1, 2, 3, 4, 5]);
});

test('An item knows how many wait behind it', async () => {
	const backlogs: number[] = [];
	const run: Run = async (_, backlog) => backlogs.push(backlog());
	await inLanes(lanesOf(['a', 'a', 'a'], run));
	expect(backlogs).toEqual([2, 1, 0]);
});

test('No more items than allowed run at a time', async () => {
	const desk = new Desk();
	const done = inLanes(lanesOf(Array<undefined>(5).fill(undefined), desk.run, { atATime: 2 }));
	expect(desk.begun).toEqual([0, 1]);
	await desk.end(1);
	expect(desk.begun).toEqual([0, 1, 2]);
	await desk.endAll();
	expect(await done).toEqual([0, 1, 2, 3, 4]);
});

test('After a stop, no item starts; running items finish, and the others have no result', async () => {
	const desk = new Desk();
	let stopped = false;
	const lanes = lanesOf(['a', 'a', 'b'], desk.run, { stopped: () => stopped });
	const done = inLanes(lanes);
	stopped = true;
	await desk.endAll();
	expect(await done).toEqual([0, undefined, 2]);
});

test('An unexpected error is thrown after all running items have ended', async () => {
	const ended: number[] = [];
	const run: Run = async ({ index }) => {
		if (index === 0) throw new Error('defect');
		await turn();
		return ended.push(index);
	};
	await expect(inLanes(lanesOf(['a', 'b', 'a'], run))).rejects.toThrow('defect');
	expect(ended).toEqual([1]);
});

test('An unexpected error is thrown although another item ends at the same moment', async () => {
	const moment = turn();
	const run: Run = async ({ index }) => {
		await moment;
		if (index === 1) throw new Error('defect');
		return index;
	};
	await expect(inLanes(lanesOf(['a', 'b', 'c'], run))).rejects.toThrow('defect');
});

test('Without items nothing happens', async () => {
	expect(await inLanes(lanesOf([], async () => 1))).toEqual([]);
});

test('At most a thousand items are read ahead while a lane is blocked, and those of other lanes run', async () => {
	const desk = new Desk();
	let read = 0;
	const lanes = lanesOf([], desk.run, {
		count: 100_000,
		prepare: (index) => {
			read++;
			return { index, lane: index === 900 ? 'b' : 'a' };
		},
	});
	const done = inLanes(lanes);
	done.catch(() => {});
	await turn();
	expect(read).toBeLessThanOrEqual(1002);
	expect(desk.begun).toEqual([0, 900]);
	// The other items never start: the first one fails.
	const failing = inLanes({ ...lanes, run: async () => await Promise.reject(new Error('end')) });
	await expect(failing).rejects.toThrow('end');
});

test('A hundred thousand items all run', async () => {
	const lanes = Array.from({ length: 100_000 }, (_, index) => `chat ${index % 1000}`);
	const run: Run = async ({ index }) => index;
	const results = await inLanes(lanesOf(lanes, run, { atATime: 50 }));
	expect(results[99_999]).toBe(99_999);
	expect(new Set(results).size).toBe(100_000);
});

test('Items that run on keep nothing of the many that end meanwhile', async () => {
	const desk = new Desk();
	const atATime = 300;
	const run: Run = async (item, backlog) => {
		if (item.index < atATime - 1) return await desk.run(item, backlog);
		await turn();
		return item.index;
	};
	const count = 12_000;
	let before = 0;
	let kept = 0;
	const prepare = (index: number): Item => {
		if (index === 2000) before = bytesInUse();
		if (index === count - 1) {
			kept = bytesInUse() - before;
			void desk.endAll();
		}
		return { index };
	};
	const results = await inLanes(lanesOf([], run, { atATime, count, prepare }));
	expect(new Set(results).size).toBe(count);
	// The results take 100 kB. A piece in each of those that run on, for each one that ended, would be 400 MB.
	expect(kept).toBeLessThan(40_000_000);
});

describe('Items that replace each other', () => {
	const replacing = (names: Array<string | undefined>, desk: Desk) =>
		inLanes(
			lanesOf(
				names.map(() => 'chat'),
				desk.run,
				{ prepare: (index) => ({ index, lane: 'chat', replaces: names[index] }) },
			),
		);

	test('collapse to the newest while they wait, and each has a result', async () => {
		const desk = new Desk();
		const done = replacing(Array(1500).fill('mid.1'), desk);
		await turn();
		expect(desk.begun).toHaveLength(1);
		await desk.endAll();
		const [first = 0, last] = desk.begun;
		expect(desk.begun).toHaveLength(2);
		expect(last).toBe(1499);
		expect(await done).toEqual(
			Array.from({ length: 1500 }, (_, index) => ([first, last].includes(index) ? index : -index)),
		);
	});

	test('are kept apart from other items of their lane, which stay in order', async () => {
		const desk = new Desk();
		const done = replacing([undefined, 'a', 'b', undefined, 'a', 'b', 'c'], desk);
		await desk.endAll();
		expect(await done).toEqual([0, -1, -2, 3, 4, 5, 6]);
		expect(desk.begun).toEqual([0, 3, 4, 5, 6]);
	});
});
