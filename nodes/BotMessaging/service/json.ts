import { randomUUID } from 'crypto';

/** A JSON value in which an integer may be a bigint, so that int64 identifiers keep every digit. */
export type ExactJson =
	string | number | bigint | boolean | null | undefined | ExactJson[] | JsonObject;

/** The same for an object, such as the body of a request. */
export interface JsonObject {
	[key: string]: ExactJson;
}

export const isJsonObject = (value: ExactJson): value is JsonObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A string literal, which is left alone, or a number. A string without its end goes to the end of the text: searched
 * for a second time from each quote in it, a body of a stranger would take minutes.
 */
const LITERALS = /"[^"\\]*(?:\\[^][^"\\]*)*(?:"|\\?$)|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

const MAY_HOLD_BIG_INTEGER = /\d{16}/;

const isUnsafeInteger = (literal: string): boolean =>
	/^-?\d{16,}$/.test(literal) && !Number.isSafeInteger(Number(literal));

/** Parses JSON with `mark` written around every integer beyond 2^53, so that it becomes a string. */
function parseMarked(text: string, mark: string): unknown {
	const quoted = text.replace(LITERALS, (literal) =>
		isUnsafeInteger(literal) ? `"${mark}${literal}"` : literal,
	);
	return JSON.parse(quoted);
}

/**
 * Parses JSON without losing digits: an integer beyond 2^53 becomes a string of the same digits, everything else
 * is what JSON.parse makes of it.
 *
 * @throws SyntaxError when the text is not JSON
 */
export function parseExact(text: string): unknown {
	return MAY_HOLD_BIG_INTEGER.test(text) ? parseMarked(text, '') : JSON.parse(text);
}

/** The same for a text that may not be JSON; `undefined` when it is none. */
export function tryParseExact(text: string): unknown {
	try {
		return parseExact(text);
	} catch {
		return undefined;
	}
}

/**
 * The same for JSON that is sent on: an integer beyond 2^53 becomes a bigint, so that `writeExact` writes it as the
 * integer it was.
 *
 * @throws SyntaxError when the text is not JSON
 */
export function parseBigIntegers(text: string): unknown {
	if (!MAY_HOLD_BIG_INTEGER.test(text)) return JSON.parse(text);
	// Nobody can have written it into the text beforehand.
	const mark = randomUUID();
	return revive(parseMarked(text, mark), mark);
}

function revive(value: unknown, mark: string): unknown {
	if (typeof value === 'string')
		return value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value;
	if (Array.isArray(value)) return value.map((entry) => revive(entry, mark));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, entry]) => [key, revive(entry, mark)]),
	);
}

/** An int64 written in decimal digits (interface: Conventions); `undefined` for any other text. */
export function parseInt64(text: string): bigint | undefined {
	const value = /^-?\d{1,19}$/.test(text) ? BigInt(text) : undefined;
	return value !== undefined && BigInt.asIntN(64, value) === value ? value : undefined;
}

/** Writes JSON in which a bigint stands as an integer, digit for digit. Keys that are undefined are left out. */
export function writeExact(value: ExactJson): string {
	if (typeof value === 'bigint') return value.toString();
	if (Array.isArray(value)) return `[${value.map((entry) => writeExact(entry ?? null)).join(',')}]`;
	if (typeof value === 'object' && value !== null) {
		const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
		return `{${entries.map(([key, entry]) => `${JSON.stringify(key)}:${writeExact(entry)}`).join(',')}}`;
	}
	return JSON.stringify(value ?? null);
}

/** Takes a value apart into JSON; what JSON cannot hold becomes null, as JSON.stringify has it. */
export function toJson(value: unknown): ExactJson {
	if (Array.isArray(value)) return value.map(toJson);
	if (typeof value === 'object' && value !== null) {
		return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, toJson(entry)]));
	}
	if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
		return value;
	}
	return typeof value === 'bigint' ? value : null;
}
