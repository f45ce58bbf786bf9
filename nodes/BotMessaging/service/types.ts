import type { IDataObject } from 'n8n-workflow';
import type { Connection } from './connection';
import type { JsonObject } from './json';

/** A value of a query parameter; arrays are sent comma separated, undefined is left out (wire 1.1). */
export type QueryValue =
	string | number | bigint | boolean | ReadonlyArray<string | bigint> | undefined;

/**
 * What a request does when it arrives twice.
 * - `same`: no more than once, as everything that reads.
 * - `gone`: no more than once either, but the second answer says that there is nothing left to do.
 * - `again`: something new each time, such as a second message.
 */
export type Twice = 'same' | 'gone' | 'again';

/** All polls of a bot share a limit as low as that of a chat, which is not that of its other requests. */
export const POLLS = 'polls';

/** What tells whether a request may be repeated: whoever changes something has to say it. */
type Change =
	| { method: 'GET'; twice?: undefined }
	| { method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'; twice: Twice };

/** One request to the service, as an operation describes it. */
export type ServiceRequest = Change & {
	/** Path below the base url; the values in it are already encoded. */
	path: string;
	query?: Record<string, QueryValue>;
	body?: JsonObject;
	/**
	 * Names what has a limit of a few requests per second of its own: a chat (interface: Limits), or POLLS (wire 1.3).
	 */
	chat?: string;
	/** How many requests wait for the same chat behind this one, asked when it may go: the longest row goes first. */
	backlog?: () => number;
	/** `low` goes only when nothing else waits for the bot's pace, and so never delays anything. */
	priority?: 'low';
	/** Whether an answer with `success: false` is a result, such as that of adding members, and not an error. */
	acceptsFailure?: boolean;
	/** Longest wait for the answer in ms; long polls need more than the default. */
	timeoutMs?: number;
	/** Ends the request from outside, such as a long poll of a trigger that is switched off. */
	signal?: AbortSignal;
};

/**
 * A text as one segment of a path, encoded; `undefined` for what is none. Addresses are tidied up on the way: dots would
 * name another resource. Halves of characters have no place there.
 */
export const asSegment = (text: string): string | undefined =>
	text === '' || /^\.\.?$|\p{Cs}/u.test(text) ? undefined : encodeURIComponent(text);

/** An answer of the service after exact parsing. */
export type ServiceAnswer = IDataObject;

/** An open door to the service, bound to one execution. */
export interface Service {
	/** What the credential says: which hosts to trust, and where the token may go. */
	readonly connection: Connection;

	/**
	 * Sends one request and returns its parsed answer.
	 *
	 * @throws NodeApiError naming what the service said and what to do next
	 */
	request(request: ServiceRequest): Promise<ServiceAnswer>;
}

/** An answer with status 429, as far as it could be understood. */
export interface Refused {
	/** Requests per second that the service named as its limit. */
	limit?: number;
	/** `Retry-After` in ms. */
	retryAfterMs?: number;
	/** Whether its words are about a chat. */
	aboutChat?: boolean;
}
