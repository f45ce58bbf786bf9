import type { IDataObject } from 'n8n-workflow';

/** The own value at a path of keys in an answer or event; `undefined` where any part is missing or null. */
export function at(source: unknown, ...keys: string[]): unknown {
	let value = source;
	for (const key of keys) {
		if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
		value = Reflect.get(value, key);
	}
	return value ?? undefined;
}

/** Like `at`, for strings and numbers, returned as text: identifiers come in either form. */
export function textAt(source: unknown, ...keys: string[]): string | undefined {
	const value = at(source, ...keys);
	return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** Like `at`, for lists; empty where there is none. */
export function listAt(source: unknown, ...keys: string[]): unknown[] {
	const value = at(source, ...keys);
	return Array.isArray(value) ? value : [];
}

/** Looks up a name from outside in a table, ignoring what every object inherits. */
export const entryOf = <T>(table: Readonly<Record<string, T>>, name = ''): T | undefined =>
	Object.hasOwn(table, name) ? table[name] : undefined;

/** Whether a value is a JSON object. */
export const isObject = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value of an answer as the JSON of an item; empty if it is not an object. */
export const asObject = (value: unknown): IDataObject => (isObject(value) ? { ...value } : {});

/** First and last name of a user, or the legacy display name (wire 3.1). */
export function nameOf(user: unknown): string | undefined {
	const name = [textAt(user, 'first_name'), textAt(user, 'last_name')].filter(Boolean).join(' ');
	return name || textAt(user, 'name') || undefined;
}

/** Characters that show nothing, turn the order of others or begin a line, except those that join letters and emoji. */
export const UNSEEN = /(?![\ufe0f\n\u200c\u200d])[\p{C}\p{DI}\p{Zl}\p{Zp}]/gu;

/** Whether an attachment is the keyboard below its message. */
export const isKeyboard = (attachment: unknown): boolean =>
	textAt(attachment, 'type') === 'inline_keyboard';
