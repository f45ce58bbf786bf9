import type { Failure } from './failure';
import { meaningOf } from './hints/status';
import { tryParseExact } from './json';
import { isObject, textAt } from './read';

/** Longest message of an error, in UTF-16 code units: errors are stored with the execution and shown in full. */
export const LONGEST_MESSAGE = 1000;

/** Longest excerpt of a body that is not an error object, in UTF-16 code units. */
const LONGEST_EXCERPT = 200;

/** The beginning of a text, up to `most` UTF-16 code units, without half of a surrogate pair at its end. */
export const truncate = (text: string, most: number): string =>
	text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');

/** Anything shorter is not a real token and may be an ordinary word of the text; in UTF-16 code units. */
const SHORTEST_TOKEN = 8;

/** A token from this length on, in UTF-16 code units, is no part of what an answer tells: no integer is that long. */
export const SHORTEST_REAL_TOKEN = 21;

/** The shortest secret that the service takes (interface: POST /subscriptions), in UTF-16 code units. */
export const SHORTEST_SECRET = 5;

/** A pattern for some thousand would be too large, and the error about it would show it; in UTF-16 code units. */
const LONGEST_PATTERN = 500;

/** An address as it is told: without what may hold a secret, before its host or behind its path. */
export const shownAddress = (address: string): string =>
	truncate(address.replace(/(?<=^\w*:?\/\/)[^/?#]*@|[?#][^]*/g, ''), LONGEST_EXCERPT);

/** An HTML page. It never comes from the service, but something on the way may send one. */
export const WEB_PAGE = /^\s*<(!doctype|html)\b/i;

/** Stands for what was masked. */
export const REDACTED = '…';

/**
 * Masks a token or secret of at least `shortest` code units, also as written in JSON, addresses and pages: some
 * gateways echo it. Behind a very long one, nothing of the text is left.
 */
export function redact(token: string, text: string, shortest = SHORTEST_TOKEN): string {
	if (token.length < shortest) return text;
	const beginning = token.slice(0, LONGEST_PATTERN).split('').map(writtenAs).join('');
	const rest = token.length > LONGEST_PATTERN ? '[^]*' : '';
	return text.replace(new RegExp(beginning + rest, 'gi'), REDACTED);
}

/** Matches a UTF-16 code unit of a token, plain or escaped. */
function writtenAs(unit: string): string {
	const code = unit.charCodeAt(0);
	const hex = code.toString(16);
	const escaped = `\\u${hex.padStart(4, '0')}`;
	// A backslash before a letter or digit is not of the token: without it, what is left may be no JSON any more.
	const backslash = /[a-z\d]/i.test(unit) ? '' : '\\\\?';
	return `(?:${backslash}[${escaped}]|%${hex}|\\\\${escaped.slice(1)}|&#(?:${code}|x${hex});)`;
}

/** A shorter part of a token tells too little of it to be masked, in UTF-16 code units. */
const SHORTEST_PART = 12;

function holdsPart(word: string, token: string): boolean {
	for (let end = SHORTEST_PART; end <= word.length; end++) {
		if (token.includes(word.slice(end - SHORTEST_PART, end))) return true;
	}
	return false;
}

/**
 * Masks each word of a message that holds a part of a token or secret: some gateways cut it short, and little may be
 * missing. Words that are repeated from what was `asked` stay: masking them would tell whoever asks which guesses are right.
 */
export function redactParts(token: string, message: string, asked = ''): string {
	const known = asked.toLowerCase();
	return message.replace(/[\w-]+/g, (word) =>
		holdsPart(word, token) && !known.includes(word.toLowerCase()) ? REDACTED : word,
	);
}

/** Where refusals keep their message: the shape of errors varies (interface: Errors, wire 6.2 and 8). */
const WORDS = [
	['error_data'],
	['message'],
	['error', 'message'],
	['error'],
	['errors', '0', 'message'],
	['errors', '0'],
	['error_code'],
];

/** The message of a refusal, `''` if it has none: pages and raw JSON, such as null, mean nothing to the reader of an error. */
export function serviceMessage(parsed: unknown, body: string): string {
	const words = WORDS.map((path) => textAt(parsed, ...path)).find(Boolean);
	return words ?? (/^\s*([<{[]|null\s*$)/.test(body) ? '' : truncate(body.trim(), LONGEST_EXCERPT));
}

/** Describes an answer that is a failure: a redirect by its target, others in the service's words, or else by code or status. */
export function readMessage(
	status: number,
	body: string,
	location: string | undefined,
): Pick<Failure, 'message' | 'wordless'> {
	if (location) {
		// Its target is what the advice is about.
		const message = `The service answered with a redirect to ${shownAddress(location)}`;
		return { message, wordless: 'redirect' };
	}
	const value = tryParseExact(body);
	const words = serviceMessage(value, body);
	if (isObject(value)) {
		if (words) return { message: words };
		if (typeof value.code === 'string' && value.code)
			return { message: meaningOf(status, value.code), wordless: 'nothing' };
		if ('success' in value && value.success !== true) {
			const message = 'The service answered that the request did not succeed';
			return { message, wordless: 'nothing' };
		}
	}
	if (status === 200) {
		const message = 'The service answered with something other than a JSON object';
		return { message, wordless: 'no object' };
	}
	if (words) return { message: words };
	const message = meaningOf(status, undefined);
	if (WEB_PAGE.test(body)) return { message: `${message} and a web page`, wordless: 'web page' };
	if (!Object.values(value ?? {}).some(Boolean)) return { message, wordless: 'nothing' };
	return { message: `${message}: ${truncate(body.trim(), LONGEST_EXCERPT)}` };
}
