import { randomUUID } from 'crypto';

/** A JSON value in which an integer may be a bigint, so that int64 identifiers keep every digit. */
export type ExactJson =
	string | number | bigint | boolean | null | undefined | ExactJson[] | JsonObject;

/** An object of such values, such as the body of a request. */
export interface JsonObject {
	[key: string]: ExactJson;
}

export const isJsonObject = (value: ExactJson): value is JsonObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Matches a string literal, which is left alone, or a number. An unterminated string matches to the end of the text:
 * otherwise the search would start again at each quote in it, and a hostile body would take minutes.
 */
const LITERALS = /"[^"\\]*(?:\\[^][^"\\]*)*"?|-?\d[\d.eE+-]*/g;

const MAY_HOLD_BIG_INTEGER = /\d{16}/;

const isUnsafeInteger = (literal: string): boolean =>
	/^-?\d+$/.test(literal) && !Number.isSafeInteger(Number(literal));

/** JSON text with every integer beyond 2^53 turned into a string of `mark` and its digits. */
const quoteUnsafe = (text: string, mark: string): string =>
	text.replace(LITERALS, (literal) => (isUnsafeInteger(literal) ? `"${mark}${literal}"` : literal));

/** Parses JSON, with an integer beyond 2^53 as a string of the same digits. Throws SyntaxError. */
export function parseExact(text: string): unknown {
	return JSON.parse(MAY_HOLD_BIG_INTEGER.test(text) ? quoteUnsafe(text, '') : text);
}

/** Like `parseExact`, but returns `undefined` for text that is not JSON. */
export function tryParseExact(text: string): unknown {
	try {
		return parseExact(text);
	} catch {
		return undefined;
	}
}

/** Whether the end of a JSON object is missing, given what it was parsed to. Some proxies hide a connection that broke. */
export const isTruncated = (text: string, value: unknown): boolean =>
	value === undefined && /^\s*{/.test(text);

/** The same for JSON that is sent on: such an integer becomes a bigint, for `writeExact`. Throws SyntaxError. */
export function parseBigIntegers(text: string): unknown {
	// Random, so that the text cannot contain it already.
	const mark = randomUUID();
	return JSON.parse(quoteUnsafe(text, mark), (_, value: unknown) =>
		typeof value === 'string' && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value,
	);
}

/** Parses an int64 in decimal digits (interface: Conventions); `undefined` for any other text. */
export function parseInt64(text: string): bigint | undefined {
	const value = /^-?\d{1,19}$/.test(text) ? BigInt(text) : undefined;
	return value !== undefined && BigInt.asIntN(64, value) === value ? value : undefined;
}

/** Half of a character, which cutting a text can leave: readers of JSON may refuse the whole of it. */
const HALF = /\p{Cs}/gu;

/** Writes JSON with each bigint as an integer, digit for digit. Omits keys that are undefined. */
export function writeExact(value: ExactJson): string {
	if (typeof value === 'bigint') return value.toString();
	if (typeof value === 'string') return JSON.stringify(value.replace(HALF, '\ufffd'));
	if (Array.isArray(value)) return `[${value.map((entry) => writeExact(entry)).join(',')}]`;
	if (typeof value === 'object' && value !== null) {
		const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
		return `{${entries.map(([key, entry]) => `${JSON.stringify(key)}:${writeExact(entry)}`).join(',')}}`;
	}
	return JSON.stringify(value ?? null);
}

/** Copies a value as JSON, with dates as ISO 8601; what JSON cannot hold, such as `undefined` or NaN, becomes null. */
export function toJson(value: unknown): ExactJson {
	// Unlike map, this also visits gaps.
	if (Array.isArray(value)) return Array.from(value, toJson);
	if (typeof value === 'object' && value !== null) {
		// Expressions give dates as objects (Luxon's, or JavaScript's), which write themselves.
		if ('toJSON' in value && typeof value.toJSON === 'function') return toJson(value.toJSON());
		return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, toJson(entry)]));
	}
	if (typeof value === 'number') return Number.isFinite(value) ? value : null;
	const isPlain = typeof value === 'string' || typeof value === 'boolean';
	return isPlain || typeof value === 'bigint' ? value : null;
}
