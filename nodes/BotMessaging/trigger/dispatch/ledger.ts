import { sleep, type IExecuteFunctions } from 'n8n-workflow';
import { BoundedMap } from '../../service/boundedMap';
import { backoffMs, fromDatabase, NoAnswer, realClock, type Backoff } from '../../service/clock';

type Recorder = Pick<IExecuteFunctions['helpers'], 'checkProcessedAndRecord'>;

interface HandOver {
	recorder: Recorder;
	/** Acknowledges the events to the service. */
	answer(): Promise<void>;
	/** Whether other processes may write at the same time. */
	shared: boolean;
}

/** Maximum number of keys per trigger in n8n's database, newest last: every record rewrites all of them. */
const STORED_KEYS = 2_000;

/** Maximum number of keys per trigger in memory, where a duplicate is found without starting an execution. */
const REMEMBERED_KEYS = 10_000;

/**
 * How often a write is retried: for about 3 s before the answer, as then the event is delivered again, and for about two
 * minutes after it, so that n8n has time to recover from a database that was gone for a while.
 */
const RETRIES = 6;
const RETRIES_ANSWERED = 29;

const PAUSES: Backoff = { first: 50, growth: 2, longest: 5000 };

/**
 * When several processes write at once, the last write wins and erases the keys of the others. So each key is checked
 * again, with the next record or, by workers, after a while, until it is found this long after its write, in ms: longer
 * than a busy process takes from its read to its write. Main processes write at once during a rolling update.
 */
const SAFE_AFTER_MS = 3000;

/** Shortest time between two such checks by a main process, in ms: it records many events, mostly as the only one. */
const RECHECK_MS = 500;

/** Maximum number of executions per write: if n8n dies between the write and the answers, their events are lost. */
const MOST_AT_ONCE = 10;

interface Batch {
	keys: Set<string>;
	executions: number;
	/** Resolves to the keys that were not in the database; the execution that hands one over removes it from the set. */
	isNew: Promise<Set<unknown>>;
}

/**
 * The events that a trigger has handed to its workflow. n8n's database holds them for all processes and across crashes.
 * A record reads and rewrites the whole entry, so records of one process run one after the other.
 *
 * Where only one process records, executions that arrive during a write share the next one and are answered when it is
 * done: this is cheap for n8n, and events lost before the answer are delivered again. A worker answers first, so that
 * the main process knows of everything that gets recorded, and records each execution by itself.
 */
export class Ledger {
	private readonly remembered = new BoundedMap<string, true>(REMEMBERED_KEYS);

	/** Keys that another process may have overwritten, with the time of their last write in ms. */
	private readonly unsure = new Map<string, number>();

	/** Keys that may be in the database although they could not be recorded: their steps have not begun. */
	private readonly doubtful = new BoundedMap<string, true>(REMEMBERED_KEYS);

	/** When unsure keys were last checked, in ms. */
	private checkedAt = 0;

	private last: Promise<unknown> = Promise.resolve();

	/** The next write; takes executions until its turn comes or it is full. */
	private batch?: Batch;

	private isChecking = false;

	/** Whether this process knows that the event was handed over: its execution exists and its steps have begun. */
	has(key: string): boolean {
		return this.remembered.has(key);
	}

	/** Remembers that an event was handed over, by this process or another. The oldest are evicted. */
	add(key: string): void {
		this.remembered.set(key, true);
	}

	/** Answers and records the events of one execution in turn. A key is new to one execution of this process alone. */
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
			const isNew = await this.store([...keys], recorder, false);
			for (const key of keys) this.add(key);
			return isNew;
		};
		const batch: Batch = { keys, executions: 0, isNew: this.inTurn(write) };
		return batch;
	}

	private async answerFirst(keys: string[], { recorder, answer }: HandOver): Promise<Set<string>> {
		// Check before the answer: once it is sent, the dispatcher marks these events as known.
		const unknown = new Set(keys.filter((key) => !this.has(key)));
		await answer();
		if (unknown.size === 0) return unknown;
		const isNew = await this.store([...unknown], recorder, true);
		for (const key of unknown) this.add(key);
		return new Set([...unknown].filter((key) => isNew.has(key)));
	}

	/** Writes these keys and, if it is time, the unsure ones. Returns all that were not in the database. */
	private async store(keys: string[], recorder: Recorder, shared: boolean): Promise<Set<unknown>> {
		const isTime = shared || realClock.now() - this.checkedAt > RECHECK_MS;
		const all = [...(isTime ? this.unsure.keys() : []), ...keys];
		const onDoubt = (): void => keys.forEach((key) => this.doubtful.set(key, true));
		const isNew = new Set(
			all.length > 0 ? await checkAndRecord(all, recorder, shared, onDoubt) : [],
		);
		for (const key of keys) if (this.doubtful.delete(key)) isNew.add(key);
		const now = realClock.now();
		if (isTime) this.checkedAt = now;
		for (const key of all) {
			if (isNew.has(key)) this.unsure.set(key, now);
			else if (now - (this.unsure.get(key) ?? now) > SAFE_AFTER_MS) this.unsure.delete(key);
		}
		if (shared && !this.isChecking) void this.check(recorder);
		return isNew;
	}

	/** Repeats the check until all keys are safe. Never rejects. */
	private async check(recorder: Recorder): Promise<void> {
		this.isChecking = true;
		while (this.unsure.size > 0) {
			// Random, so that processes do not check in lockstep.
			await sleep(SAFE_AFTER_MS * (1.2 + 2 * Math.random()));
			await this.inTurn(async () => await this.store([], recorder, true)).catch(() => {
				this.unsure.clear();
			});
		}
		this.isChecking = false;
	}
}

/**
 * Writes keys to n8n's database and returns those that were not there. A call may have written them although n8n gave no
 * answer, or lost it. After such a call all count as new: a repetition at that very moment is less likely than the loss of
 * an event that does not come again. `onDoubt` is told of such a call, after which the others may fail as well.
 */
async function checkAndRecord(
	keys: string[],
	recorder: Recorder,
	areAnswered: boolean,
	onDoubt: () => void,
): Promise<unknown[]> {
	let mayBeWritten = false;
	const write = async (): Promise<unknown[]> => {
		const options = { mode: 'entries', maxEntries: STORED_KEYS } as const;
		const call = fromDatabase(recorder.checkProcessedAndRecord(keys, 'node', options));
		call.catch((error: unknown) => {
			if (!areAnswered && !(error instanceof NoAnswer)) return;
			mayBeWritten = true;
			onDoubt();
		});
		const stored = await call;
		return mayBeWritten ? keys : stored.new;
	};
	const retries = areAnswered ? RETRIES_ANSWERED : RETRIES;
	for (let failures = 0; failures < retries; failures++) {
		try {
			return await write();
		} catch {
			await sleep(backoffMs(failures, PAUSES));
		}
	}
	return await write();
}

/** Time without use after which the ledger of a trigger is dropped from memory, in ms; the database keeps its keys. */
const IDLE_MS = 600_000;

const ledgers = new Map<string, { ledger: Ledger; usedAt: number }>();

/** This process's ledger of a trigger. Drops the ledgers that have been idle. */
export function ledgerOf(trigger: string): Ledger {
	const now = realClock.now();
	const ledger = ledgers.get(trigger)?.ledger ?? new Ledger();
	ledgers.set(trigger, { ledger, usedAt: now });
	for (const [other, { usedAt }] of ledgers) if (now - usedAt >= IDLE_MS) ledgers.delete(other);
	return ledger;
}
