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

/**
 * The events that a trigger has handed to its workflow. n8n's database holds them for all processes and over
 * crashes. It is read and then written as a whole, so records of one process go one after the other here. Who waits
 * is not answered yet, and each execution is answered for itself: a crash loses what was answered and has not begun.
 */
export class Ledger {
	private readonly remembered = new Set<string>();

	/** Keys that another process may just have overwritten, with the time when they were written, in ms. */
	private readonly unsure = new Map<string, number>();

	private last: Promise<unknown> = Promise.resolve();

	private isChecking = false;

	/** Whether this process knows that the event was handed over: its execution exists and its steps have begun. */
	has(key: string): boolean {
		return this.remembered.has(key);
	}

	/** Notes that an event was handed over, by this process or another. The oldest are forgotten. */
	remember(key: string): void {
		this.remembered.add(key);
		const [oldest] = this.remembered;
		if (oldest !== undefined && this.remembered.size > REMEMBERED_KEYS) {
			this.remembered.delete(oldest);
		}
	}

	/**
	 * Answers and then records the events of one execution, when its turn comes. Resolves to those keys that are new:
	 * each is so for exactly one of all who record it.
	 */
	async record(keys: string[], handOver: HandOver): Promise<Set<string>> {
		const turn = this.last.then(async () => await this.write(keys, handOver));
		this.last = turn.catch(() => {});
		return await turn;
	}

	private async write(
		keys: string[],
		{ recorder, answer, shared }: HandOver,
	): Promise<Set<string>> {
		// Before the answer: what it sets off calls the events known.
		const unknown = new Set(keys.filter((key) => !this.has(key)));
		await answer();
		if (unknown.size === 0) return unknown;
		const isNew = await this.store([...unknown], recorder, shared);
		for (const key of unknown) this.remember(key);
		return new Set([...unknown].filter((key) => isNew.has(key)));
	}

	/** Writes keys, and those that may be gone. Returns all that were not there. */
	private async store(keys: string[], recorder: Recorder, shared: boolean): Promise<Set<unknown>> {
		const all = [...this.unsure.keys(), ...keys];
		const isNew = new Set(all.length > 0 ? await store(all, recorder) : []);
		if (!shared) return isNew;
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
			const turn = this.last.then(async () => await this.store([], recorder, true));
			this.last = turn.catch(() => {
				this.unsure.clear();
			});
			await this.last;
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
