import { parseInt64, toJson, tryParseExact, writeExact } from '../service/json';
import { isObject } from '../service/read';

/** What a resource locator holds is its value; everything else is itself. */
export const unwrap = (value: unknown): unknown =>
	isObject(value) && '__rl' in value ? value.value : value;

/** The number that a field or an expression gave; `undefined` for what is none, as a blank or `true`. */
export function asNumber(value: unknown): number | undefined {
	// Number() would make 0 of a blank or an empty list, and 1 of true.
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** The switch that a field or an expression gave; `undefined` for what is none. */
export function asFlag(value: unknown): boolean | undefined {
	if (typeof value === 'boolean') return value;
	return value === 'true' || value === 'false' ? value === 'true' : undefined;
}

/** The int64 that a field or an expression gave. Marks of direction and width, which are copied along, do not count. */
export const asId = (value: unknown): bigint | undefined =>
	typeof value === 'object'
		? undefined
		: parseInt64(
				String(value)
					.replace(/\p{Cf}/gu, '')
					.trim(),
			);

/** An identifier in JSON as the integer that the service takes; expressions have it as text, which loses no digit. */
export const asInteger = <T>(value: T): T | bigint =>
	typeof value === 'string' ? (parseInt64(value) ?? value) : value;

/** The entries of a text: between commas or line breaks, or of the JSON list that models and expressions write. */
function entriesOfText(text: string): unknown[] {
	const list = text.trimStart().startsWith('[') ? tryParseExact(text) : undefined;
	return Array.isArray(list) ? list : text.split(/[,\n]/);
}

/** The entries of a text or of a list, without blank texts; any other value is one entry. */
export function entriesOf(value: unknown): unknown[] {
	if (value === undefined) return [];
	const whole = typeof value === 'string' ? entriesOfText(value) : value;
	const list: unknown[] = Array.isArray(whole) ? whole : [whole];
	return list.filter((entry) => typeof entry !== 'string' || entry.trim() !== '');
}

/** Whether a value is a list without entries, also as JSON; a blank, or a list of blanks, is none. */
export function isEmptyList(value: unknown): boolean {
	const list = typeof value === 'string' ? entriesOfText(value) : value;
	return Array.isArray(list) && list.length === 0;
}

/** The objects of a list. */
export const rowsOf = (value: unknown): Array<Record<string, unknown>> =>
	Array.isArray(value) ? value.filter(isObject) : [];

/** The beginning of a value that does not fit, for an error. */
export const excerpt = (value: unknown): string =>
	(typeof value === 'object' ? writeExact(toJson(value)) : String(value).trim()).slice(0, 80);
