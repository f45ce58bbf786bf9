import type { IDataObject } from 'n8n-workflow';
import { at } from '../service/read';

/** One event as the service delivers it (wire 4.1), with identifiers beyond 2^53 as strings. */
export interface Update extends IDataObject {
	update_type: string;
	/** Unix time in ms. */
	timestamp: number;
}

/** Deepest nesting accepted; real events have about ten levels. Far deeper ones would overflow the stack later. */
const DEEPEST = 64;

/** Whether a parsed value is one event: an object with a type and a time. */
export const isUpdate = (value: unknown): value is Update =>
	typeof at(value, 'update_type') === 'string' &&
	Number.isSafeInteger(at(value, 'timestamp')) &&
	!isDeeper(value, DEEPEST);

const isDeeper = (value: unknown, levels: number): boolean =>
	typeof value === 'object' &&
	value !== null &&
	(levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1)));
