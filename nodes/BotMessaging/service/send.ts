import type { IAllExecuteFunctions, IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import { CREDENTIAL, type Connection } from './connection';
import { reasonOf, systemCode } from './failure';
import { systemWords } from './hints/system';
import { tryParseExact, writeExact } from './json';
import { at, isObject, textAt } from './read';
import type { FailedAttempt } from './retry';
import { trusting } from './trust';
import type { QueryValue, Refused, ServiceAnswer, ServiceRequest } from './types';
import { hide, LONGEST_MESSAGE, messageOf, wordsOf } from './words';

const DEFAULT_TIMEOUT_MS = 60_000;

/** One attempt of a request, which never throws: what the service answered, or why there was no answer. */
export type Send = (request: ServiceRequest) => Promise<Outcome>;

/** Sends with n8n's helper: with the credential, and with bodies and answers whose integers keep all their digits. */
export function sendBy(context: IAllExecuteFunctions, connection: Connection): Send {
	return async (request) => {
		const options = httpOptions(connection, request);
		// The timeout of n8n's helper begins anew with each byte of an answer.
		const deadline = AbortSignal.timeout(options.timeout);
		const signal = anyOf(deadline, request.signal, cancelSignalOf(context));
		try {
			const answer: HttpAnswer = await trusting(
				connection.trust,
				options.url,
				async (trusted) =>
					await context.helpers.httpRequestWithAuthentication.call(
						endedBy(context, signal),
						CREDENTIAL,
						// The helper changes the options it is given.
						{ ...options, ...trusted, headers: { ...options.headers }, abortSignal: signal },
						{ credentialsDecrypted: connection.credential },
					),
			);
			return readAnswer(answer, request, connection.token);
		} catch (error) {
			return readBrokenConnection(error, deadline.aborted ? 'ETIMEDOUT' : systemCode(error));
		}
	};
}

const anyOf = (...signals: Array<AbortSignal | undefined>): AbortSignal =>
	AbortSignal.any(signals.filter((signal) => signal !== undefined));

const cancelSignalOf = (context: IAllExecuteFunctions): AbortSignal | undefined =>
	'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;

/** The context for n8n's helper, which ends a request by the execution's signal and by no other. */
export const endedBy = (
	context: IAllExecuteFunctions,
	signal: IHttpRequestOptions['abortSignal'],
): IAllExecuteFunctions =>
	Object.create(context, { getExecutionCancelSignal: { value: () => signal } });

function httpOptions(
	connection: Connection,
	request: ServiceRequest,
): IHttpRequestOptions & { timeout: number } {
	const query = writeQuery(request.query ?? {});
	return {
		method: request.method,
		url: `${connection.baseUrl}${request.path}${query}`,
		headers: request.body ? { 'Content-Type': 'application/json' } : {},
		...(request.body && { body: writeExact(request.body) }),
		encoding: 'text',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		timeout: request.timeoutMs ?? DEFAULT_TIMEOUT_MS,
		allowedDomains: connection.allowedDomains,
	};
}

function writeQuery(query: Record<string, QueryValue>): string {
	const search = new URLSearchParams();
	for (const [key, value] of Object.entries(query)) {
		if (value !== undefined)
			search.set(key, Array.isArray(value) ? value.join(',') : String(value));
	}
	return search.size > 0 ? `?${search.toString()}` : '';
}

/** What n8n's request helper gives for every status. */
export interface HttpAnswer {
	statusCode: number;
	headers: Record<string, string | string[] | undefined>;
	body: unknown;
}

/** An attempt that reached its end. */
export type Outcome = { answer: ServiceAnswer } | { failed: FailedAttempt };

/**
 * Reads an answer of the service; everything but 200 with a JSON object is a failure, and so is a `success` that is not
 * true, and an error body whatever its status (interface: Errors). Whatever the failure says, it does not show the `token`.
 */
export function readAnswer(
	{ statusCode, headers, body }: HttpAnswer,
	{ acceptsFailure = false, body: sent }: ServiceRequest,
	token: string,
): Outcome {
	const text = typeof body === 'string' ? body : '';
	const value = tryParseExact(text);
	const parsed = isObject(value) ? value : undefined;
	const code = typeof parsed?.code === 'string' && parsed.code ? parsed.code : undefined;
	const location = statusCode >= 300 && statusCode < 400 ? textAt(headers, 'location') : undefined;
	const success = parsed?.success ?? !isErrorBody(parsed);
	const hasSucceeded = success === true || (acceptsFailure && at(parsed, 'success') !== undefined);
	if (statusCode === 200 && parsed && hasSucceeded) return { answer: parsed };
	const shown = (words: string): string => hide(token, words).slice(0, LONGEST_MESSAGE);
	return {
		failed: {
			status: statusCode,
			code: code && shown(code),
			// Of some bodies only the beginning is told, which could end in the middle of the token.
			message: shown(messageOf(statusCode, hide(token, text), location)),
			retryAfterMs: retryAfterMs(headers['retry-after'], madeAt(headers.date)),
			sent,
		},
	};
}

/** Whether an object is an error: a code with words, or alone. Among other data a code is data. */
const isErrorBody = (body: IDataObject | undefined): boolean =>
	typeof body?.code === 'string' && (wordsOf(body, '') !== '' || Object.keys(body).length === 1);

/** Reads an error that n8n's request helper throws when there is no answer. */
export function readBrokenConnection(error: unknown, code = systemCode(error)): Outcome {
	return {
		failed: {
			code,
			syscall: systemCode(error, 'syscall'),
			message: `No answer from the service: ${systemWords(code, reasonOf(error))}`,
		},
	};
}

/** Nobody is asked to wait longer, in ms: one wrong date must not silence a bot until n8n starts anew. */
const LONGEST_PAUSE_MS = 3_600_000;

/** Understands a `Retry-After` header: seconds, or a date. `now` is Unix ms; the result is ms. */
export function retryAfterMs(
	header: string | string[] | undefined,
	now: number,
): number | undefined {
	const text = (Array.isArray(header) ? header[0] : header)?.trim();
	if (!text) return undefined;
	const seconds = Number(text);
	const ms = Number.isNaN(seconds) ? Date.parse(text) - now : seconds * 1000;
	return Number.isFinite(ms) ? Math.min(Math.max(0, ms), LONGEST_PAUSE_MS) : undefined;
}

/** When an answer was made, by the clock that its other dates are of; Unix ms. */
const madeAt = (date: string | string[] | undefined): number =>
	Date.parse(String(date)) || Date.now();

const LIMIT = /limit\D{0,20}(\d+(?:\.\d+)?)[^.\d]{0,20}(?:per|\/)\s*(second|sec|s|minute|min)\b/i;
const CHAT = /\b(chat|dialog|channel|recipient|conversation)s?\b/i;

/** Understands a refusal with status 429, such as `Limit is: 10 calls per second.` (wire 1.3). */
export function readRefusal({ code, message, retryAfterMs: pauseMs }: FailedAttempt): Refused {
	const [, number, unit] = LIMIT.exec(message) ?? [];
	const seconds = unit?.startsWith('m') ? 60 : 1;
	return {
		limit: number === undefined ? undefined : Number(number) / seconds,
		retryAfterMs: pauseMs,
		aboutChat: CHAT.test(message) || (code !== undefined && CHAT.test(code)),
	};
}
