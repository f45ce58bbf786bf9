import { Heap } from './heap';

/** Work on one item, ready to be done. */
export interface Prepared {
	/** Items of the same lane are done one after the other; without a lane order does not matter. */
	lane?: string;
	/** What the item makes anew from the bottom: of the items of its lane that wait and name the same, only the last is done. */
	replaces?: string;
}

/** What `inLanes` does for a list of items. */
export interface Lanes<P extends Prepared, R> {
	/** Number of items. */
	count: number;
	/** So many items are under way at most. */
	atATime: number;
	/** Asked before each item: no further one is begun once it says so. */
	stopped(): boolean;
	/** Reads an item. Called a little ahead of `run`, in the order of the items. */
	prepare(index: number): P;
	/** Does the work of an item; `backlog` tells how many known items wait behind it in its lane. */
	run(prepared: P, backlog: () => number): Promise<R>;
	/** The result of an item that is not done because a later one replaces it. */
	skip(prepared: P): R;
}

/** So many items are read ahead at most: it bounds memory, and lets long lanes begin early. */
const LOOK_AHEAD = 1000;

/** So many more are read each time one begins, so that looking ahead holds up nothing. */
const STEP = 8;

interface Lane<P> {
	/** Items that wait, in order. */
	items: Array<Work<P>>;
	isBusy: boolean;
}

interface Work<P> {
	index: number;
	prepared: P;
	lane?: Lane<P>;
}

/** A lane, or an item without one, that could go on; the length is that of the lane when it was noted. */
interface Candidate<P> {
	work: Work<P>;
	length: number;
}

/** Reads items ahead and tells which one is next: of those whose lane is free, the one with the longest lane. */
class Schedule<P extends Prepared> {
	private readonly lanes = new Map<string, Lane<P>>();

	private readonly candidates = new Heap<Candidate<P>>((a, b) =>
		a.length === b.length ? a.work.index < b.work.index : a.length > b.length,
	);

	private next = 0;

	/** Items that were read and not begun. */
	private ahead = 0;

	constructor(
		private readonly count: number,
		private readonly prepare: (index: number) => P,
		private readonly skip: (index: number, prepared: P) => void,
	) {}

	/** The item to begin next; `undefined` when all are begun or wait for their lanes. */
	take(): Work<P> | undefined {
		for (let step = 0; step < STEP; step++) this.readOne();
		let work = this.takeCandidate();
		while (!work && this.readOne()) work = this.takeCandidate();
		return work;
	}

	/** Lets the lane of a finished item go on. */
	release({ lane, prepared }: Work<P>): void {
		if (!lane) return;
		lane.isBusy = false;
		const [work] = lane.items;
		if (work) this.candidates.push({ work, length: lane.items.length });
		else if (prepared.lane !== undefined) this.lanes.delete(prepared.lane);
	}

	private readOne(): boolean {
		if (this.next >= this.count || this.ahead >= LOOK_AHEAD) return false;
		const index = this.next++;
		const prepared = this.prepare(index);
		this.ahead++;
		if (prepared.lane === undefined) {
			this.candidates.push({ work: { index, prepared }, length: 0 });
			return true;
		}
		const lane = this.lanes.get(prepared.lane) ?? { items: [], isBusy: false };
		this.lanes.set(prepared.lane, lane);
		this.dropReplaced(lane, prepared);
		lane.items.push({ index, prepared, lane });
		const [first] = lane.items;
		// Noted again with its new length; the older note is passed over once the lane has begun.
		if (first && !lane.isBusy) this.candidates.push({ work: first, length: lane.items.length });
		return true;
	}

	/** Takes the item out of its lane that a newer one replaces; notes of it are passed over. */
	private dropReplaced(lane: Lane<P>, { replaces }: P): void {
		if (replaces === undefined) return;
		const at = lane.items.findIndex(({ prepared }) => prepared.replaces === replaces);
		for (const { index, prepared } of at < 0 ? [] : lane.items.splice(at, 1)) {
			this.ahead--;
			this.skip(index, prepared);
		}
	}

	private takeCandidate(): Work<P> | undefined {
		for (let found = this.candidates.take(); found; found = this.candidates.take()) {
			const { work } = found;
			const { lane } = work;
			if (lane && (lane.isBusy || lane.items[0] !== work)) continue;
			if (lane) lane.isBusy = true;
			lane?.items.shift();
			this.ahead--;
			return work;
		}
		return undefined;
	}
}

/**
 * Does the work of all items: those of one lane in their order, all others concurrently. Returns the results in
 * the order of the items; `undefined` for items that were not begun because the work was stopped.
 *
 * @throws what `run` throws, after everything under way has ended
 */
export async function inLanes<P extends Prepared, R>(
	lanes: Lanes<P, R>,
): Promise<Array<R | undefined>> {
	const results = new Array<R | undefined>(lanes.count).fill(undefined);
	const schedule = new Schedule<P>(
		lanes.count,
		(index) => lanes.prepare(index),
		(index, prepared) => {
			results[index] = lanes.skip(prepared);
		},
	);
	await new Promise<void>((resolve, reject) => {
		let underWay = 0;
		let failure: { error: unknown } | undefined;

		const begin = async (work: Work<P>): Promise<void> => {
			try {
				const backlog = (): number => work.lane?.items.length ?? 0;
				results[work.index] = await lanes.run(work.prepared, backlog);
			} catch (error) {
				failure ??= { error };
			}
			underWay--;
			schedule.release(work);
			look();
		};

		const look = (): void => {
			while (underWay < lanes.atATime && !failure && !lanes.stopped()) {
				const work = schedule.take();
				if (!work) break;
				underWay++;
				void begin(work);
			}
			if (underWay > 0) return;
			if (failure) reject(failure.error);
			else resolve();
		};

		look();
	});
	return results;
}
