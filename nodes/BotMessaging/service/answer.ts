import type { IDataObject } from 'n8n-workflow';
import { codeInWords, reasonOf, systemCode, type Failure } from './failure';
import { systemWords } from './hints/system';
import { isTruncated, tryParseExact, writeExact } from './json';
import { at, isObject, textAt } from './read';
import { isOverLimit } from './retry';
import type { Refused, ServiceAnswer, ServiceRequest } from './types';
import {
	truncate,
	redact,
	redactParts,
	LONGEST_MESSAGE,
	SHORTEST_REAL_TOKEN,
	SHORTEST_SECRET,
	readMessage,
	serviceMessage,
} from './errorMessages';

/** What n8n's request helper returns, whatever the status. */
export interface HttpAnswer {
	statusCode: number;
	headers: Record<string, string | string[] | undefined>;
	body: unknown;
}

/** The same, with a body that arrives while it is read. */
export interface OpenedAnswer extends Omit<HttpAnswer, 'body'> {
	body: AsyncIterable<Uint8Array>;
}

/** Reads bytes as text; a byte order mark, which JSON.parse would refuse, is left out. */
export const UTF8 = new TextDecoder();

/** Longest answer, in bytes: one that never ends would fill n8n's memory before it takes too long. */
const LONGEST_ANSWER = 64 * 1024 ** 2;

/** The body of an answer as text. Throws when it breaks off or is too long. */
export async function readBody({ body }: Pick<OpenedAnswer, 'body'>): Promise<string> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	for await (const chunk of body) {
		size += chunk.length;
		if (size > LONGEST_ANSWER) throw new Error('it is longer than 64 MB');
		chunks.push(chunk);
	}
	return UTF8.decode(Buffer.concat(chunks));
}

export type Outcome = { answer: ServiceAnswer } | { failed: Failure };

/** Opens an answer of the service and reads it, until the deadline that aborts both. Never throws. */
export async function answerBefore(
	deadline: AbortSignal,
	open: () => Promise<OpenedAnswer>,
	request: ServiceRequest,
	token: string,
): Promise<Outcome> {
	try {
		const answer = await open();
		return readAnswer({ ...answer, body: await readBody(answer) }, request, token);
	} catch (error) {
		return readBrokenConnection(error, deadline.aborted ? 'ETIMEDOUT' : systemCode(error));
	}
}

/**
 * Reads an answer of the service. Anything but status 200 with a JSON object is a failure; so is a `success` other than
 * true, unless the request accepts it, and an error body with any status (interface: Errors). JSON that breaks off is
 * no answer. What is returned hides the `token`, and a failure also the secret of a subscription.
 */
export function readAnswer(
	{ statusCode, headers, body }: HttpAnswer,
	{ acceptsFailure = false, path, query, body: whole, filledIn: sent = whole }: ServiceRequest,
	token: string,
): Outcome {
	const text = typeof body === 'string' ? redact(token, body, SHORTEST_REAL_TOKEN) : '';
	const value = tryParseExact(text);
	const parsed = isObject(value) ? value : undefined;
	if (statusCode === 200 && isTruncated(text, value)) {
		return readBrokenConnection(undefined, 'ERR_BAD_RESPONSE');
	}
	const location = statusCode >= 300 && statusCode < 400 ? textAt(headers, 'location') : undefined;
	const success = parsed?.success ?? !isErrorBody(parsed);
	const isAccepted =
		acceptsFailure &&
		parsed?.success !== undefined &&
		!isOverLimit({ status: statusCode, code: textAt(parsed, 'code') });
	const hasSucceeded = success === true || isAccepted;
	if (statusCode === 200 && parsed && hasSucceeded) return { answer: parsed };
	const secret = textAt(whole, 'secret') ?? '';
	const hidden = (words: string): string => redact(secret, redact(token, words), SHORTEST_SECRET);
	const asked = [path, ...Object.values(query ?? {}), writeExact(whole)].join(' ');
	const shown = (words: string): string => {
		const beginning = truncate(hidden(words), LONGEST_MESSAGE);
		return redactParts(secret, redactParts(token, beginning, asked));
	};
	// Hidden first: an excerpt of the body could end in the middle of the token.
	const { wordless, ...told } = readMessage(statusCode, hidden(text), location);
	const message = shown(told.message);
	const given = typeof parsed?.code === 'string' ? shown(parsed.code) : '';
	return {
		failed: {
			status: statusCode,
			code: given || codeInWords(message),
			message,
			wordless,
			retryAfterMs: retryAfterMs(headers['retry-after'], madeAt(headers.date)),
			sent,
		},
	};
}

/** What only errors have besides their words (interface: Errors, wire 6.2 and 8). */
const ERROR_KEYS = ['code', 'error', 'errors', 'error_code', 'error_data'];

/** Whether a body is an error: one of these keys with words, or a `code` alone. Among other data, `code` is just data. */
const isErrorBody = (body: IDataObject | undefined): boolean =>
	(ERROR_KEYS.some((key) => [at(body, key)].flat().some(Boolean)) &&
		serviceMessage(body, '') !== '') ||
	(typeof body?.code === 'string' && Object.keys(body).length === 1);

/** Reads the error that n8n's request helper throws when there is no answer. */
export function readBrokenConnection(error: unknown, code = systemCode(error)): Outcome {
	return {
		failed: {
			code,
			syscall: systemCode(error, 'syscall'),
			message: `No answer from the service: ${systemWords(code, reasonOf(error))}`,
		},
	};
}

/** Longest pause that `Retry-After` can impose, in ms: one wrong date must not silence a bot until n8n restarts. */
const LONGEST_PAUSE_MS = 3_600_000;

/** Parses a `Retry-After` header: seconds, or a date. `now` is Unix ms; the result is ms. */
export function retryAfterMs(
	header: string | string[] | undefined,
	now: number,
): number | undefined {
	const text = Array.isArray(header) ? header[0] : header;
	if (!text) return undefined;
	const seconds = Number(text);
	const ms = Number.isNaN(seconds) ? Date.parse(text) - now : seconds * 1000;
	return Number.isFinite(ms) ? Math.min(Math.max(0, ms), LONGEST_PAUSE_MS) : undefined;
}

/** When an answer was sent, Unix ms: by the service's own clock, which a date in `Retry-After` also follows. */
const madeAt = (date: string | string[] | undefined): number =>
	Date.parse(String(date)) || Date.now();

const LIMIT = /limit\D{0,20}(\d+(?:\.\d+)?)[^.\d]{0,20}(?:per|\/)\s*(second|sec|s|minute|min)\b/i;
const CHAT = /\b(chat|dialog|channel|recipient|conversation)s?\b/i;

/** Parses a refusal with status 429, such as `Limit is: 10 calls per second.` (wire 1.3). */
export function readRefusal({ code, message, retryAfterMs: pauseMs }: Failure): Refused {
	const [, number, unit] = LIMIT.exec(message) ?? [];
	const seconds = unit?.toLowerCase().startsWith('m') ? 60 : 1;
	return {
		limit: number === undefined ? undefined : Number(number) / seconds,
		retryAfterMs: pauseMs,
		aboutChat: CHAT.test(`${code} ${message}`),
	};
}
