import type { JsonObject } from './json';

/** What is known of a request that failed: an answer that says so, or no answer at all. */
export interface Failure {
	/** HTTP status, absent when there was no answer. */
	status?: number;
	/** The service's code such as `chat.not.found`, or the system's such as `ECONNREFUSED`. */
	code?: string;
	/** What happened, in the service's words where it said any. */
	message: string;
	/** The next step, where whoever noticed the failure knows it better than the table of hints. */
	advice?: string;
	/** The body that was refused, for hints that look for the place in it. */
	sent?: JsonObject;
}

/** Something that the service or the system says. A hint fits when all that it gives fits. */
export interface Hint {
	/** Any answer where it is left out; `none` stands for no answer at all. */
	status?: number | 'none';
	code?: string;
	/** Matched against the message. */
	text?: RegExp;
	/** What happened in a person's words, where the message is made for programs; nothing found leaves the message. */
	title?: string | ((failure: Failure) => string | undefined);
	/** The next step, naming fields by their labels; a hint that finds none does not fit. */
	advice: string | ((failure: Failure) => string | undefined);
}

/** What the service says of a file that it cannot process; it may have the code of one that is not ready yet (wire 7). */
export const NEVER_READY = /(video|audio|file|image)\.not\.supported/;

/** Finds what the system tells, such as the code `ECONNRESET`, in an error and the errors that caused it. */
export function systemCode(error: unknown, key: 'code' | 'syscall' = 'code'): string | undefined {
	let cause = error;
	for (let depth = 0; cause instanceof Error && depth < 5; depth++) {
		const value: unknown = Reflect.get(cause, key);
		if (typeof value === 'string') return value;
		cause = cause.cause;
	}
	return undefined;
}

/** What an unknown error says for itself. */
export const reasonOf = (error: unknown): string =>
	error instanceof Error ? error.message : 'unknown reason';
