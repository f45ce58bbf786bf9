import { sleep, type IExecuteFunctions } from 'n8n-workflow';

type Recorder = Pick<IExecuteFunctions['helpers'], 'checkProcessedAndRecord'>;

interface Entry {
	key: string;
	recorder: Recorder;
	settle(isNew: boolean): void;
	fail(error: unknown): void;
}

/** Keys that n8n's database keeps per trigger, newest last. It writes all of them for each record, so not too many. */
const STORED_KEYS = 2_000;

/** Keys that this process remembers per trigger, to refuse a repetition without starting an execution. */
const REMEMBERED_KEYS = 10_000;

/** Another process may have written at the same moment; n8n then reports a conflict, and a repetition helps. */
const ATTEMPTS = 4;
const PAUSE_MS = 50;

/**
 * The events that a trigger has handed to its workflow. n8n's database holds them for all processes and over
 * crashes. It is read and then written as a whole, so records of one process go one after the other here, those
 * that wait together as one.
 */
export class Ledger {
	private readonly remembered = new Set<string>();

	private waiting: Entry[] = [];

	private writing = false;

	/** Whether this process has recorded the event: its execution exists and its steps have begun. */
	has(key: string): boolean {
		return this.remembered.has(key);
	}

	/** Records an event. Resolves to whether it is new: exactly one of all who record the same key gets `true`. */
	async record(key: string, recorder: Recorder): Promise<boolean> {
		return await new Promise((settle, fail) => {
			this.waiting.push({ key, recorder, settle, fail });
			if (!this.writing) void this.write();
		});
	}

	private async write(): Promise<void> {
		this.writing = true;
		while (this.waiting.length > 0) {
			const entries = this.waiting;
			this.waiting = [];
			try {
				await this.writeTogether(entries);
			} catch (error) {
				for (const { fail } of entries) fail(error);
			}
		}
		this.writing = false;
	}

	private async writeTogether(entries: Entry[]): Promise<void> {
		const [first] = entries;
		const keys = [...new Set(entries.map(({ key }) => key))].filter((key) => !this.has(key));
		const isNew = new Set(first && keys.length > 0 ? await store(keys, first.recorder) : []);
		for (const { key, settle } of entries) {
			this.remember(key);
			settle(isNew.delete(key));
		}
	}

	private remember(key: string): void {
		this.remembered.add(key);
		const [oldest] = this.remembered;
		if (oldest !== undefined && this.remembered.size > REMEMBERED_KEYS) {
			this.remembered.delete(oldest);
		}
	}
}

/** Writes keys into n8n's database and returns those that were not there. */
async function store(
	keys: string[],
	recorder: Recorder,
	attemptsLeft = ATTEMPTS,
): Promise<unknown[]> {
	const written = recorder.checkProcessedAndRecord(keys, 'node', {
		mode: 'entries',
		maxEntries: STORED_KEYS,
	});
	if (attemptsLeft === 1) return (await written).new;
	try {
		return (await written).new;
	} catch {
		await sleep(PAUSE_MS);
		return await store(keys, recorder, attemptsLeft - 1);
	}
}

const ledgers = new Map<string, Ledger>();

/** The ledger of a trigger in this process. */
export function ledgerOf(trigger: string): Ledger {
	const ledger = ledgers.get(trigger) ?? new Ledger();
	ledgers.set(trigger, ledger);
	return ledger;
}
