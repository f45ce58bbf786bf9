import { randomUUID } from 'node:crypto';

/** A JSON object whose fields are not known yet. */
export type JsonObject = Record<string, unknown>;

/** A text without such a run of digits holds no integer beyond 2^53 and takes the fast path. */
const LONG_DIGITS = /\d{16}/;

/** A string (left alone) or a number. */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

const INTEGER = /^-?[1-9]\d{15,}$/;

/** Marks an integer while it passes through JSON.parse; unguessable, so no text can imitate it. */
const MARK = `${randomUUID()}:`;

/**
 * Parses JSON without losing digits: integers that a number cannot hold exactly become bigints.
 * @throws SyntaxError if the text is not JSON
 */
export function parseJson(text: string): unknown {
	if (!LONG_DIGITS.test(text)) return JSON.parse(text);
	const marked = text.replace(TOKEN, (token) =>
		INTEGER.test(token) ? `"${MARK}${token}"` : token,
	);
	return JSON.parse(marked, (_key, value: unknown) =>
		typeof value === 'string' && value.startsWith(MARK) ? exact(value.slice(MARK.length)) : value,
	);
}

/** Writes JSON with bigints as raw integers, digit for digit. Undefined fields are left out. */
export function writeJson(value: unknown): string {
	return write(value, (integer) => integer.toString());
}

/** Writes JSON in which integers that a number cannot hold exactly are strings of their digits. */
export function writeReadableJson(value: unknown): string {
	return write(value, (integer) => {
		const safe = Number.isSafeInteger(Number(integer));
		return safe ? integer.toString() : `"${integer}"`;
	});
}

/** Whether a value is a JSON object (not an array, not null). */
export function isObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function exact(digits: string): number | bigint {
	const number = Number(digits);
	return Number.isSafeInteger(number) ? number : BigInt(digits);
}

function write(value: unknown, integer: (value: bigint) => string): string {
	if (typeof value === 'bigint') return integer(value);
	if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
	if (Array.isArray(value)) return `[${value.map((item) => write(item, integer)).join(',')}]`;
	if (value instanceof Map) return write(Object.fromEntries(value), integer);
	let text = '';
	for (const [key, field] of Object.entries(value)) {
		if (field === undefined) continue;
		text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${write(field, integer)}`;
	}
	return `{${text}}`;
}
