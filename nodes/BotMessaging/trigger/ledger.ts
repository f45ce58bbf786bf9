import { sleep, type IExecuteFunctions } from 'n8n-workflow';

type Recorder = Pick<IExecuteFunctions['helpers'], 'checkProcessedAndRecord'>;

/** What it takes to hand the events of an execution over. */
interface HandOver {
	recorder: Recorder;
	/** Tells the service that they arrived. */
	answer(): Promise<void>;
	/** Whether another process may write at the same moment. */
	shared: boolean;
}

/** Keys that n8n's database keeps per trigger, newest last. It writes all of them for each record, so not too many. */
const STORED_KEYS = 2_000;

/** Keys that this process remembers per trigger, to refuse a repetition without starting an execution. */
const REMEMBERED_KEYS = 10_000;

/** A busy database gets time: about 3 s in all, each pause twice the last. */
const ATTEMPTS = 7;
const PAUSE_MS = 50;

/**
 * Where several processes write, the last one wins, and keys of the others are gone. So a key is looked for again,
 * with the next records or after a while, until it is found that long after it was written, in ms: longer than a busy
 * process takes from reading to writing.
 */
const SAFE_AFTER_MS = 3000;

/** Executions that one write records at most: those that n8n loses between the write and their answers are lost. */
const MOST_AT_ONCE = 10;

/** Executions that are recorded together. */
interface Batch {
	keys: Set<string>;
	executions: number;
	/** Resolves to those keys that the database had not; each is taken out by the one that hands it over. */
	isNew: Promise<Set<unknown>>;
}

/**
 * The events that a trigger has handed to its workflow. n8n's database holds them for all processes and over crashes. It
 * is read and then written as a whole, so the records of one process go one after the other here.
 *
 * In the only process that records, whoever waits for the write before goes together into the next one, and all are
 * answered when it is done: that costs n8n little, and what is lost before it comes again. A worker answers first, so
 * that the main process knows of everything that is recorded, and each execution for itself.
 */
export class Ledger {
	private readonly remembered = new Set<string>();

	/** Keys that another process may just have overwritten, with the time when they were written, in ms. */
	private readonly unsure = new Map<string, number>();

	private last: Promise<unknown> = Promise.resolve();

	/** Takes executions until its turn comes. */
	private batch?: Batch;

	private isChecking = false;

	/** Whether this process knows that the event was handed over: its execution exists and its steps have begun. */
	has(key: string): boolean {
		return this.remembered.has(key);
	}

	/** Notes that an event was handed over, by this process or another. The oldest are forgotten. */
	add(key: string): void {
		this.remembered.add(key);
		const [oldest = key] = this.remembered;
		if (this.remembered.size > REMEMBERED_KEYS) this.remembered.delete(oldest);
	}

	/**
	 * Answers and records the events of one execution, when its turn comes. Resolves to those keys that are new: each is
	 * so for exactly one of all who record it.
	 */
	async record(keys: string[], handOver: HandOver): Promise<Set<string>> {
		return handOver.shared
			? await this.inTurn(async () => await this.answerFirst(keys, handOver))
			: await this.recordFirst(keys, handOver);
	}

	private inTurn<T>(act: () => Promise<T>): Promise<T> {
		const turn = this.last.then(act);
		this.last = turn.catch(() => {});
		return turn;
	}

	private async recordFirst(keys: string[], { recorder, answer }: HandOver): Promise<Set<string>> {
		const unknown = keys.filter((key) => !this.has(key));
		const batch = unknown.length > 0 ? this.join(unknown, recorder) : undefined;
		const isNew = await batch?.isNew;
		await answer();
		return new Set(unknown.filter((key) => isNew?.delete(key)));
	}

	/** Adds keys to the next write. */
	private join(keys: string[], recorder: Recorder): Batch {
		const batch = this.batch ?? this.open(recorder);
		for (const key of keys) batch.keys.add(key);
		batch.executions++;
		this.batch = batch.executions < MOST_AT_ONCE ? batch : undefined;
		return batch;
	}

	private open(recorder: Recorder): Batch {
		const keys = new Set<string>();
		const write = async (): Promise<Set<unknown>> => {
			if (this.batch === batch) this.batch = undefined;
			const isNew = new Set(await store([...keys], recorder));
			for (const key of keys) this.add(key);
			return isNew;
		};
		const batch: Batch = { keys, executions: 0, isNew: this.inTurn(write) };
		return batch;
	}

	private async answerFirst(keys: string[], { recorder, answer }: HandOver): Promise<Set<string>> {
		// Before the answer: what it sets off calls the events known.
		const unknown = new Set(keys.filter((key) => !this.has(key)));
		await answer();
		if (unknown.size === 0) return unknown;
		const isNew = await this.store([...unknown], recorder);
		for (const key of unknown) this.add(key);
		return new Set([...unknown].filter((key) => isNew.has(key)));
	}

	/** Writes keys, and those that may be gone. Returns all that were not there. */
	private async store(keys: string[], recorder: Recorder): Promise<Set<unknown>> {
		const all = [...this.unsure.keys(), ...keys];
		const isNew = new Set(all.length > 0 ? await store(all, recorder) : []);
		const now = Date.now();
		for (const key of all) {
			const isSafe = !isNew.has(key) && now - (this.unsure.get(key) ?? now) > SAFE_AFTER_MS;
			if (isSafe) this.unsure.delete(key);
			else if (isNew.has(key)) this.unsure.set(key, now);
		}
		if (!this.isChecking) void this.check(recorder);
		return isNew;
	}

	/** Looks until all keys are safe. Never rejects. */
	private async check(recorder: Recorder): Promise<void> {
		this.isChecking = true;
		while (this.unsure.size > 0) {
			// Never in step with other processes that do the same.
			await sleep(SAFE_AFTER_MS * (1.2 + 2 * Math.random()));
			await this.inTurn(async () => await this.store([], recorder)).catch(() => {
				this.unsure.clear();
			});
		}
		this.isChecking = false;
	}
}

/** Writes keys into n8n's database and returns those that were not there. */
async function store(keys: string[], recorder: Recorder): Promise<unknown[]> {
	const write = async (): Promise<unknown[]> => {
		const options = { mode: 'entries', maxEntries: STORED_KEYS } as const;
		return (await recorder.checkProcessedAndRecord(keys, 'node', options)).new;
	};
	for (let attempt = 1; attempt < ATTEMPTS; attempt++) {
		try {
			return await write();
		} catch {
			await sleep(PAUSE_MS * 2 ** (attempt - 1));
		}
	}
	return await write();
}

/** Time after which the ledger of a trigger that nothing happens to is left to the database, in ms. */
const IDLE_MS = 600_000;

const ledgers = new Map<string, { ledger: Ledger; usedAt: number }>();

/** The ledger that this process has of a trigger. Those of triggers that were removed are forgotten. */
export function ledgerOf(trigger: string): Ledger {
	const now = Date.now();
	const ledger = ledgers.get(trigger)?.ledger ?? new Ledger();
	// Those used longest ago stand first.
	ledgers.delete(trigger);
	ledgers.set(trigger, { ledger, usedAt: now });
	for (const [other, { usedAt }] of ledgers) {
		if (now - usedAt < IDLE_MS) break;
		ledgers.delete(other);
	}
	return ledger;
}
