import type { IDataObject } from 'n8n-workflow';
import type { Connection } from './connection';
import type { JsonObject } from './json';

/** A value of a query parameter; arrays are sent comma-separated, undefined is omitted (wire 1.1). */
export type QueryValue =
	string | number | bigint | boolean | ReadonlyArray<string | bigint> | undefined;

/**
 * What a request does when it arrives twice.
 * - `same`: no more than when it arrives once, as with every read.
 * - `gone`: no more either, but the second answer says that there is nothing left to do.
 * - `again`: something new each time, such as a second message.
 */
export type Twice = 'same' | 'gone' | 'again';

/** Stands for a chat in `ServiceRequest.chat`: all polls of a bot share a limit of their own, as low as a chat's. */
export const POLLS = 'polls';

/** Tells whether a request may be repeated: one that changes something has to say so. */
type Change =
	| { method: 'GET'; twice?: undefined }
	| { method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'; twice: Twice };

/** One request to the service, as an operation describes it. */
export type ServiceRequest = Change & {
	/** Path below the base url; the values in it are already encoded. */
	path: string;
	query?: Record<string, QueryValue>;
	body?: JsonObject;
	/** The same without what the user has not filled in: there, hints find what is wrong in `body`. */
	filledIn?: JsonObject;
	/** What has a limit of its own of a few requests per second: a chat (interface: Limits), or POLLS (wire 1.3). */
	chat?: string;
	/** Number of requests waiting for the same chat behind this one, read when it may go: the longest row goes first. */
	backlog?: () => number;
	/** `low` goes only when nothing else may go and over half of the bot's rate is unused, so it delays nothing. */
	priority?: 'low';
	/** Whether `success: false` is a result and not an error, as when members are added, unless there were too many requests. */
	acceptsFailure?: boolean;
	/** Longest wait for the answer in ms; long polls need more than the default. */
	timeoutMs?: number;
	/** Aborts the request from outside, such as the long poll of a trigger that is deactivated. */
	signal?: AbortSignal;
};

/** A text as one segment of a path; `undefined` for what cannot be one, such as `..` or a lone surrogate. */
export const asSegment = (text: string): string | undefined =>
	text === '' || /^\.\.?$|\p{Cs}/u.test(text) ? undefined : encodeURIComponent(text);

/** An answer of the service after exact parsing. */
export type ServiceAnswer = IDataObject;

/** An open door to the service, bound to one execution. */
export interface Service {
	/** What the credential says: which hosts to trust, and where the token may go. */
	readonly connection: Connection;

	/** Sends one request and returns its parsed answer. Throws NodeApiError with what was said and what to do next. */
	request(request: ServiceRequest): Promise<ServiceAnswer>;
}

export interface Refused {
	/** Requests per second that the service named as its limit. */
	limit?: number;
	retryAfterMs?: number;
	aboutChat?: boolean;
}
