import { parseInt64, toJson, tryParseExact, writeExact } from '../service/json';
import { isObject } from '../service/read';
import { truncate } from '../service/errorMessages';

/** The value inside a resource locator; any other value is returned as it is. */
export const unwrap = (value: unknown): unknown =>
	isObject(value) && '__rl' in value ? value.value : value;

/** The number that a field or an expression gave; `undefined` for anything else, such as a blank or `true`. */
export function asNumber(value: unknown): number | undefined {
	// Number() would turn a blank or an empty list into 0, and true into 1.
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** Whether a calculation failed: nobody wants its result, such as NaN, as a text. */
export const isNoNumber = (value: unknown): boolean =>
	typeof value === 'number' && !Number.isFinite(value);

/** The text that a field or an expression gave: dates as n8n writes them in rows, in ISO 8601; `undefined` for an object or a list. */
export function asText(value: unknown): string | undefined {
	const given: unknown =
		isObject(value) && typeof value.toJSON === 'function' ? value.toJSON() : value;
	return typeof given === 'object' || isNoNumber(given) ? undefined : String(given);
}

/** The switch that a field or an expression gave; `undefined` for anything else. */
export function asFlag(value: unknown): boolean | undefined {
	if (typeof value === 'boolean') return value;
	return value === 'true' || value === 'false' ? value === 'true' : undefined;
}

/** The int64 that was given. Invisible characters are ignored, and a typographic dash is read as a minus. */
export const asId = (value: unknown): bigint | undefined =>
	typeof value === 'object'
		? undefined
		: parseInt64(
				String(value)
					.replace(/\p{Cf}/gu, '')
					.trim()
					.replace(/^[\p{Pd}\u2212]/u, '-'),
			);

/** An ID in JSON as the integer that the service takes; expressions give it as a string, which loses no digit. */
export const asInteger = <T>(value: T): T | bigint =>
	typeof value === 'string' ? (parseInt64(value) ?? value) : value;

/** The entries of a text: what its separators leave, or read from a JSON list, as models often write it. */
function entriesOfText(text: string, separators = /[,\n]/): unknown[] {
	const list = tryParseExact(text);
	return Array.isArray(list) ? list : text.split(separators);
}

/** The entries of a text or a list, without blanks; any other value is a single entry. */
export function entriesOf(value: unknown, separators?: RegExp): unknown[] {
	if (value === undefined) return [];
	const whole = typeof value === 'string' ? entriesOfText(value, separators) : value;
	const list: unknown[] = Array.isArray(whole) ? whole : [whole];
	return list.filter((entry) => typeof entry !== 'string' || entry.trim() !== '');
}

/** Whether a value is a list without entries, also in JSON. A blank text, or a list of blanks, is not. */
export function isEmptyList(value: unknown): boolean {
	const list = typeof value === 'string' ? entriesOfText(value) : value;
	return Array.isArray(list) && list.length === 0;
}

/** The beginning of an unfit value, for an error message. */
export const excerpt = (value: unknown): string =>
	truncate(typeof value === 'object' ? writeExact(toJson(value)) : String(value).trim(), 80);

/** The node of this name as an expression reads it: `$("…")`. Braces in the name are escaped: two would end the expression. */
export const nodeInExpression = (name: string): string =>
	`$(${JSON.stringify(name).replace(/[{}]/g, escaped)})`;

/** A character of a string as JSON may write it as well. */
export const escaped = (character: string): string =>
	character
		.split('')
		.map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
		.join('');
