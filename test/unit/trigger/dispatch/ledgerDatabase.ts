import type { Ledger } from '../../../../nodes/BotMessaging/trigger/dispatch/ledger';

/** n8n's database: read and written as a whole, so that overlapping writers overwrite each other. */
export class Database {
	keys: string[] = [];

	calls = 0;

	failures = 0;

	/** Whether the next call never ends, and whether it records its keys nevertheless. */
	unending?: 'recorded' | 'lost';

	/** Like n8n's: a key that occurs twice in one call is new both times. */
	readonly checkProcessedAndRecord = async (items: unknown[]) => {
		this.calls++;
		const read = [...this.keys];
		await new Promise((resolve) => setImmediate(resolve));
		if (this.failures > 0) {
			this.failures--;
			throw new Error('database is locked');
		}
		const { unending } = this;
		this.unending = undefined;
		const known = new Set(read);
		const added = items.map(String).filter((item) => !known.has(item));
		if (unending !== 'lost') this.keys = [...read, ...added];
		if (unending) await new Promise(() => {});
		return { new: added, processed: [] };
	};
}

/** A call that is answered at once, in the process that got it. */
export const answered = { answer: async () => {}, shared: false };

/** Resolves to whether the event is new. */
export const record = async (ledger: Ledger, database: Database, key: string, shared = false) =>
	(await ledger.record([key], { recorder: database, answer: async () => {}, shared })).has(key);

/** The same for events that arrive at the same time. */
export const recordAll = async (ledger: Ledger, database: Database, keys: string[]) =>
	await Promise.all(keys.map(async (key) => await record(ledger, database, key)));
