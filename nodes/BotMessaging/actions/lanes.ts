interface Prepared {
	/** Items of the same lane run one after the other; the order of items without a lane does not matter. */
	lane?: string;
	/** Names what the item overwrites completely: of a lane's waiting items with the same value, only the last runs. */
	replaces?: string;
}

export interface Lanes<P extends Prepared, R> {
	count: number;
	atATime: number;
	/** Asked before each item: once it returns true, no further item is started. */
	stopped(): boolean;
	/** Reads an item. Called a little ahead of `run`, in item order. */
	prepare(index: number): P;
	/** Runs an item; `backlog` returns how many items known so far wait behind it in its lane. */
	run(prepared: P, backlog: () => number): Promise<R>;
	/** The result of an item that does not run because a later one replaces it. */
	skip(prepared: P): R;
}

/** Most items read ahead: bounds memory, yet finds long lanes early. */
const LOOK_AHEAD = 1000;

/** Items read for each one started, so that reading ahead delays nothing. */
const STEP = 8;

interface Lane<P> {
	key: string | number;
	waiting: Array<Work<P>>;
	isBusy: boolean;
}

interface Work<P> {
	index: number;
	prepared: P;
	lane: Lane<P>;
}

/** Reads items ahead and chooses the next one: the first item of the longest free lane. */
class Schedule<P extends Prepared, R> {
	/** Lanes with items that wait or run, by name; an item without a lane gets one of its own. */
	private readonly lanes = new Map<string | number, Lane<P>>();

	/** Results by item; `undefined` for an item that did not run. */
	readonly results: Array<R | undefined> = [];

	private next = 0;

	/** Number of items read but not started. */
	private ahead = 0;

	constructor(private readonly items: Lanes<P, R>) {}

	/** The item to start next; `undefined` if all have started or wait for their lanes. */
	take(): Work<P> | undefined {
		for (let step = 0; step < STEP; step++) this.readOne();
		let lane = this.longest();
		while (!lane && this.readOne()) lane = this.longest();
		if (!lane) return undefined;
		lane.isBusy = true;
		this.ahead--;
		return lane.waiting.shift();
	}

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

	private dropReplaced({ waiting }: Lane<P>, { replaces }: P): void {
		if (replaces === undefined) return;
		const at = waiting.findIndex(({ prepared }) => prepared.replaces === replaces);
		const [replaced] = at < 0 ? [] : waiting.splice(at, 1);
		if (!replaced) return;
		this.ahead--;
		this.results[replaced.index] = this.items.skip(replaced.prepared);
	}

	/** The free lane with the most waiting items. A plain loop will do: reading ahead bounds the number of lanes. */
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
 * Runs all items: those of one lane in order, all others concurrently. Returns the results in item order, `undefined`
 * for items that were not started because the run was stopped. Throws what `run` throws, once everything in flight has
 * ended.
 */
export async function inLanes<P extends Prepared, R>(
	lanes: Lanes<P, R>,
): Promise<Array<R | undefined>> {
	const schedule = new Schedule(lanes);
	const failures: unknown[] = [];
	let underWay = 0;
	let wake: (() => void) | undefined;

	const begin = async (work: Work<P>): Promise<void> => {
		try {
			const backlog = (): number => work.lane.waiting.length;
			schedule.results[work.index] = await lanes.run(work.prepared, backlog);
		} catch (error) {
			failures.push(error);
		}
		underWay--;
		schedule.release(work);
		wake?.();
	};

	for (;;) {
		while (underWay < lanes.atATime && failures.length === 0 && !lanes.stopped()) {
			const work = schedule.take();
			if (!work) break;
			underWay++;
			void begin(work);
		}
		if (underWay === 0) break;
		// A race of the items would leave something behind in each one that runs on, for every one that ends.
		await new Promise<void>((resolve) => (wake = resolve));
	}
	if (failures.length > 0) throw failures[0];
	return schedule.results;
}
