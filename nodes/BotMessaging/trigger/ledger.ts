import { sleep, type IExecuteFunctions } from 'n8n-workflow';

type Recorder = Pick<IExecuteFunctions['helpers'], 'checkProcessedAndRecord'>;

/** What it takes to hand an event over. */
interface HandOver {
	recorder: Recorder;
	/** Tells the service that the event arrived. */
	answer(): Promise<void>;
}

interface Entry extends HandOver {
	key: string;
	settle(isNew: boolean): void;
	fail(error: unknown): void;
}

/** Keys that n8n's database keeps per trigger, newest last. It writes all of them for each record, so not too many. */
const STORED_KEYS = 2_000;

/** Keys that this process remembers per trigger, to refuse a repetition without starting an execution. */
const REMEMBERED_KEYS = 10_000;

/**
 * Another process may have written at the same moment; n8n then reports a conflict, and a repetition helps. The
 * service has its answer, so there is time for a database that is busy: about 3 s in all, each pause twice the last.
 */
const ATTEMPTS = 7;
const PAUSE_MS = 50;

/**
 * The events that a trigger has handed to its workflow. n8n's database holds them for all processes and over
 * crashes. It is read and then written as a whole, so records of one process go one after the other here, those
 * that wait together as one. Who waits is not answered yet: a crash loses what was answered and has not begun, so
 * that is kept short.
 */
export class Ledger {
	private readonly remembered = new Set<string>();

	private waiting: Entry[] = [];

	private writing = false;

	/** Whether this process has recorded the event: its execution exists and its steps have begun. */
	has(key: string): boolean {
		return this.remembered.has(key);
	}

	/**
	 * Answers and then records an event, when its turn comes. Resolves to whether it is new: exactly one of all who
	 * record the same key gets `true`.
	 */
	async record(key: string, handOver: HandOver): Promise<boolean> {
		return await new Promise((settle, fail) => {
			this.waiting.push({ key, ...handOver, settle, fail });
			if (!this.writing) void this.write();
		});
	}

	private async write(): Promise<void> {
		this.writing = true;
		while (this.waiting.length > 0) {
			const turn = this.waiting;
			this.waiting = [];
			const entries = await answered(turn);
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

/** Answers for all of them and returns those for which that was possible; the others fail, each for itself. */
async function answered(entries: Entry[]): Promise<Entry[]> {
	const outcomes = await Promise.all(
		entries.map(async (entry) => await entry.answer().then(() => [entry], entry.fail)),
	);
	return outcomes.flatMap((outcome) => outcome ?? []);
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

const ledgers = new Map<string, Ledger>();

/** The ledger of a trigger in this process. */
export function ledgerOf(trigger: string): Ledger {
	const ledger = ledgers.get(trigger) ?? new Ledger();
	ledgers.set(trigger, ledger);
	return ledger;
}
