import {
	UnexpectedError,
	type DeduplicationItemTypes,
	type DeduplicationScope,
	type ICheckProcessedContextData,
	type ICheckProcessedOptions,
	type IDataDeduplicator,
	type IDeduplicationOutput,
} from 'n8n-workflow';

const notPlayed = async () =>
	await Promise.reject(new UnexpectedError('Not played by this engine'));

/**
 * Remembers processed entries as n8n's database does for the scope "node": per workflow and node, the newest
 * `maxEntries` of mode `entries`. As in n8n, entries are checked against what was stored before the call: an entry given
 * twice in one call is new both times.
 */
export class MemoryDeduplicator implements IDataDeduplicator {
	/** By workflow and node, the key of a row in n8n's database. */
	private readonly rows = new Map<string, string[]>();

	async checkProcessedAndRecord(
		items: DeduplicationItemTypes[],
		scope: DeduplicationScope,
		{ workflow, node }: ICheckProcessedContextData,
		options: ICheckProcessedOptions,
	): Promise<IDeduplicationOutput> {
		if (scope !== 'node' || options.mode !== 'entries') return await notPlayed();
		const row = `${workflow.id}/${node?.id}`;
		const stored = this.rows.get(row) ?? [];
		const known = new Set(stored);
		const isNew = (item: DeduplicationItemTypes) => !known.has(String(item));
		const result = { new: items.filter(isNew), processed: items.filter((item) => !isNew(item)) };
		const all = [...stored, ...result.new.map(String)];
		this.rows.set(row, options.maxEntries ? all.slice(-options.maxEntries) : all);
		return await Promise.resolve(result);
	}

	readonly removeProcessed = notPlayed;

	readonly clearAllProcessedItems = notPlayed;

	readonly getProcessedDataCount = notPlayed;
}
