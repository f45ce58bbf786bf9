import type {
	DeduplicationItemTypes,
	DeduplicationScope,
	ICheckProcessedContextData,
	ICheckProcessedOptions,
	IDataDeduplicator,
	IDeduplicationOutput,
} from 'n8n-workflow';

/** Workflow and, for the scope "node", node: the key of a row in n8n's database. */
type Row = string;

/**
 * Remembers processed entries as n8n's database does: per workflow and node, the newest `maxEntries` of mode `entries`.
 * As in n8n, entries are checked against what was stored before the call: an entry given twice in one call is new both
 * times.
 */
export class MemoryDeduplicator implements IDataDeduplicator {
	private readonly rows = new Map<Row, string[]>();

	async checkProcessedAndRecord(
		items: DeduplicationItemTypes[],
		scope: DeduplicationScope,
		contextData: ICheckProcessedContextData,
		options: ICheckProcessedOptions,
	): Promise<IDeduplicationOutput> {
		if (options.mode !== 'entries') throw new Error(`Mode "${options.mode}" is not played here`);
		const row = rowOf(scope, contextData);
		const stored = this.rows.get(row) ?? [];
		const known = new Set(stored);
		const isNew = (item: DeduplicationItemTypes) => !known.has(String(item));
		const result = { new: items.filter(isNew), processed: items.filter((item) => !isNew(item)) };
		const all = [...stored, ...result.new.map(String)];
		this.rows.set(row, options.maxEntries ? all.slice(-options.maxEntries) : all);
		return await Promise.resolve(result);
	}

	async removeProcessed(
		items: DeduplicationItemTypes[],
		scope: DeduplicationScope,
		contextData: ICheckProcessedContextData,
	): Promise<void> {
		const row = rowOf(scope, contextData);
		const removed = new Set(items.map(String));
		const left = (this.rows.get(row) ?? []).filter((entry) => !removed.has(entry));
		await Promise.resolve(this.rows.set(row, left));
	}

	async clearAllProcessedItems(
		scope: DeduplicationScope,
		contextData: ICheckProcessedContextData,
	): Promise<void> {
		await Promise.resolve(this.rows.delete(rowOf(scope, contextData)));
	}

	async getProcessedDataCount(
		scope: DeduplicationScope,
		contextData: ICheckProcessedContextData,
	): Promise<number> {
		return await Promise.resolve(this.rows.get(rowOf(scope, contextData))?.length ?? 0);
	}
}

function rowOf(scope: DeduplicationScope, { workflow, node }: ICheckProcessedContextData): Row {
	if (scope === 'node' && !node) throw new Error('The scope "node" needs a node');
	return scope === 'node' ? `${workflow.id}/${node?.id}` : workflow.id;
}
