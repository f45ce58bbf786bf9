import { meaningOf } from './hints/status';
import { tryParseExact } from './json';
import { isObject, textAt } from './read';

/** Errors are stored with the execution and shown in one piece; in characters. */
export const LONGEST_MESSAGE = 1000;

/** Of what is not written for people only the beginning is shown, in characters. */
const LONGEST_EXCERPT = 200;

/** What is shorter, in characters, is no token, but may be a word of the text. */
const SHORTEST_TOKEN = 8;

/** A text without the token, which some gateways repeat. */
export const hide = (token: string, text: string): string =>
	token.length < SHORTEST_TOKEN ? text : text.replaceAll(token, '…');

/** Where refusals have their words: shapes of errors are not the same everywhere (interface: Errors, wire 6.2 and 8). */
const WORDS = [['error_data'], ['message'], ['error', 'message'], ['error'], ['error_code']];

/** The words of a refusal, `''` where it has none: pages for people and JSON say nothing to the reader of an error. */
export function wordsOf(parsed: unknown, body: string): string {
	const words = WORDS.map((path) => textAt(parsed, ...path)).find(Boolean);
	return words ?? (/^\s*[<{[]/.test(body) ? '' : body.trim().slice(0, LONGEST_EXCERPT));
}

/** What happened, of an answer that is a failure: in the service's words, or by what else it tells. */
export function messageOf(status: number, body: string, location: string | undefined): string {
	const value = tryParseExact(body);
	const words = wordsOf(value, body);
	if (isObject(value)) {
		if (words) return words;
		if ('success' in value) return 'The service answered that the request did not succeed';
		if (typeof value.code === 'string' && value.code) return meaningOf(status, value.code);
	}
	if (status === 200) return 'The service answered with something that is not JSON';
	if (words) return words;
	// A query may hold what nobody else is to know.
	if (location) return `The service answered with a redirect to ${location.split('?', 1)[0]}`;
	const told = isEmpty(value) ? '' : `: ${body.trim().slice(0, LONGEST_EXCERPT)}`;
	return `${meaningOf(status, undefined)}${told}`;
}

const isEmpty = (value: unknown): boolean =>
	typeof value !== 'object' || value === null || !Object.values(value).some(Boolean);
