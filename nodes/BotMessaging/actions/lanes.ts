/** Work on one item, ready to be done. */
interface Prepared {
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

/** Items that are done one after the other. */
interface Lane<P> {
	key: string | number;
	/** Those that wait, in order. */
	waiting: Array<Work<P>>;
	isBusy: boolean;
}

interface Work<P> {
	index: number;
	prepared: P;
	lane: Lane<P>;
}

/** Reads items ahead and tells which one is next: of the lanes that are free, the first item of the longest. */
class Schedule<P extends Prepared, R> {
	/** Lanes with items that wait or are under way, by name; an item without one is a lane of its own. */
	private readonly lanes = new Map<string | number, Lane<P>>();

	/** By item; `undefined` for one that is not done. */
	readonly results: Array<R | undefined>;

	private next = 0;

	/** Items that were read and not begun. */
	private ahead = 0;

	constructor(private readonly items: Lanes<P, R>) {
		this.results = new Array<R | undefined>(items.count).fill(undefined);
	}

	/** The item to begin next; `undefined` when all are begun or wait for their lanes. */
	take(): Work<P> | undefined {
		for (let step = 0; step < STEP; step++) this.readOne();
		let lane = this.longest();
		while (!lane && this.readOne()) lane = this.longest();
		if (!lane) return undefined;
		lane.isBusy = true;
		this.ahead--;
		return lane.waiting.shift();
	}

	/** Lets the lane of a finished item go on. */
	release({ lane }: Work<P>): void {
		lane.isBusy = false;
		if (lane.waiting.length === 0) this.lanes.delete(lane.key);
	}

	private readOne(): boolean {
		if (this.next >= this.items.count || this.ahead >= LOOK_AHEAD) return false;
		const index = this.next++;
		const prepared = this.items.prepare(index);
		const key = prepared.lane ?? index;
		const lane = this.lanes.get(key) ?? { key, waiting: [], isBusy: false };
		this.lanes.set(key, lane);
		this.dropReplaced(lane, prepared);
		lane.waiting.push({ index, prepared, lane });
		this.ahead++;
		return true;
	}

	/** Takes the item out of its lane that a newer one replaces. */
	private dropReplaced({ waiting }: Lane<P>, { replaces }: P): void {
		if (replaces === undefined) return;
		const at = waiting.findIndex(({ prepared }) => prepared.replaces === replaces);
		const [replaced] = at < 0 ? [] : waiting.splice(at, 1);
		if (!replaced) return;
		this.ahead--;
		this.results[replaced.index] = this.items.skip(replaced.prepared);
	}

	/** The free lane in which most items wait. There are few to compare: the look ahead bounds them. */
	private longest(): Lane<P> | undefined {
		let longest: Lane<P> | undefined;
		for (const lane of this.lanes.values()) {
			const isLonger = lane.waiting.length > (longest?.waiting.length ?? 0);
			if (isLonger && !lane.isBusy) longest = lane;
		}
		return longest;
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
	const schedule = new Schedule(lanes);
	await new Promise<void>((resolve, reject) => {
		let underWay = 0;
		let failure: { error: unknown } | undefined;

		const begin = async (work: Work<P>): Promise<void> => {
			try {
				const backlog = (): number => work.lane.waiting.length;
				schedule.results[work.index] = await lanes.run(work.prepared, backlog);
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
	return schedule.results;
}
