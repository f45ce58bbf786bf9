import type { IDataObject } from 'n8n-workflow';
import { at } from '../service/read';

/** One event as the service delivers it (wire 4.1), identifiers beyond 2^53 as strings. */
export interface Update extends IDataObject {
	update_type: string;
	/** Unix time in ms. */
	timestamp: number;
}

/** Whether a parsed body is one event: an object with a type and a time. */
export const isUpdate = (value: unknown): value is Update =>
	typeof at(value, 'update_type') === 'string' && Number.isSafeInteger(at(value, 'timestamp'));
