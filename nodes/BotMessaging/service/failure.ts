import type { JsonObject } from './json';
import { at } from './read';

/** What an answer holds instead of the service's words: what `message` says then is this package's. */
export type Wordless = 'nothing' | 'no object' | 'web page' | 'redirect';

/** What is known about a failed request, answered or not. */
export interface Failure {
	/** HTTP status, absent when there was no answer. */
	status?: number;
	/** The service's code such as `chat.not.found`, or the system's such as `ECONNREFUSED`. */
	code?: string;
	/** The system call that failed, such as `connect`, where there was no answer. */
	syscall?: string;
	/** What happened, in the service's words where it said any. */
	message: string;
	/** What there was of an answer in which the service said none. */
	wordless?: Wordless;
	/** The next step, where the code that noticed the failure knows better than the table of hints. */
	advice?: string;
	/** `Retry-After` of the answer in ms, where there was one. */
	retryAfterMs?: number;
	/** Whether the trigger or the test of a credential made the request: advice can name no field of an operation then. */
	isOutside?: boolean;
	/** Whether the request can be made again without doing anything twice. */
	isHarmless?: boolean;
	/** What the user has filled in of the refused body, for hints that locate the flaw in it. */
	sent?: JsonObject;
}

/** Words for people, or a function that finds them for a failure; `undefined` where it has none. */
type Words = string | ((failure: Failure) => string | undefined);

/** Advice on something that the service says. A hint fits when all the criteria it gives match. */
export interface Hint {
	/** Matches only requests that no operation has made. */
	isOutside?: true;
	status?: number;
	code?: string;
	text?: RegExp;
	/** What happened in words for people, where the message is meant for programs; `undefined` keeps the message. */
	title?: Words;
	/** The next step, naming fields by their labels; a hint whose function returns `undefined` does not fit. */
	advice: Words;
}

/** The next step where it is unclear whether the service did what was asked. */
export const retryAdvice = ({ isHarmless = false }: Failure): string =>
	isHarmless
		? 'Try again later.'
		: 'It may or may not have done what was asked: check before sending again.';

/** The refused message: the body that was sent, or the part of it that replaces a message. */
export const messageSent = ({ sent }: Failure): unknown => at(sent, 'message') ?? sent;

/** Message about a file that the service cannot process; its code may be that of one not ready yet (wire 7). */
export const NEVER_READY = /(video|audio|file|image)\.not\.supported/;

/** What some refusals say in words alone, most of them of an edit, and the code that it stands for. */
const IN_WORDS: ReadonlyArray<[words: RegExp, code: string]> = [
	[/attachment\.\w+\.not\.processed/, 'attachment.not.ready'],
	[/^EJB service unavailable/, 'service.unavailable'],
];

/** The code of a refusal that gives none, where its words tell it. */
export const codeInWords = (message: string): string | undefined =>
	IN_WORDS.find(([words]) => words.test(message))?.[1];

/** What the agent that n8n connects with through a proxy says, without a code, when the proxy ends the connection first. */
const PROXY_CLOSED = /^Proxy connection ended/;

/** What Node says when a connection ends before it is secure, so that nothing has been sent. */
const NEVER_SECURE = /disconnected before secure TLS/;

/**
 * A system error's `code` or `syscall`, also of its causes; where several addresses of a host were tried, the first
 * tells. `ERR_PROXY_CLOSED` is a code of this package, and securing a connection counts as `connect`.
 */
export function systemCode(error: unknown, key: 'code' | 'syscall' = 'code'): string | undefined {
	let cause = error;
	for (let depth = 0; cause instanceof Error && depth < 5; depth++) {
		const value: unknown = Reflect.get(cause, key);
		if (typeof value === 'string') return value;
		// Before n8n 2.35, its errors have no cause, but the code where others have a status.
		const inPlace: unknown = key === 'code' && Reflect.get(cause, 'httpCode');
		if (typeof inPlace === 'string' && /^[A-Z]/.test(inPlace)) return inPlace;
		if (key === 'code' && PROXY_CLOSED.test(cause.message)) return 'ERR_PROXY_CLOSED';
		if (key === 'syscall' && NEVER_SECURE.test(cause.message)) return 'connect';
		cause = cause instanceof AggregateError ? cause.errors[0] : cause.cause;
	}
	return undefined;
}

/** The message of a caught value, if it is an error. */
export const reasonOf = (error: unknown): string =>
	error instanceof Error ? error.message : 'unknown reason';
