import type { IDataObject } from 'n8n-workflow';

/** One event as the service delivers it (wire 4.1), identifiers beyond 2^53 as strings. */
export interface Update extends IDataObject {
	update_type: string;
	/** Unix time in ms. */
	timestamp: number;
}

/** Whether a parsed body is one event: an object with a type and a time. */
export function isUpdate(value: unknown): value is Update {
	return (
		typeof value === 'object' &&
		value !== null &&
		!Array.isArray(value) &&
		'update_type' in value &&
		typeof value.update_type === 'string' &&
		'timestamp' in value &&
		Number.isSafeInteger(value.timestamp)
	);
}
