import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FaultAction } from '../faults';
import type { Answer } from '../http';
import type { RequestEntry } from '../journal';
import { parseJson, writeJson } from '../json';
import { ApiError, cannotDeserialize } from './errors';
import { Fields } from './fields';

export const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' };

const NO_FIELDS = Fields.of({});

/** A body parsed as JSON; undefined when it is none. */
export function readable(body: Buffer): { value: unknown } | undefined {
	if (body.length === 0) return undefined;
	try {
		return { value: parseJson(body.toString()) };
	} catch {
		return undefined;
	}
}

/** The fields of a request's body, where the operation takes one. @throws ApiError 415 or 400 */
export function fieldsOf(
	{ inputs, strict }: { inputs: readonly string[]; strict: boolean },
	{ headers }: IncomingMessage,
	body: Buffer,
	parsed: { value: unknown } | undefined,
): Fields {
	if (inputs.length === 0 || body.length === 0) return NO_FIELDS;
	const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
	if (type !== 'application/json') {
		throw new ApiError(415, 'unsupported.media.type', `Content type '${type ?? ''}' not supported`);
	}
	if (parsed === undefined) throw cannotDeserialize();
	return Fields.of(parsed.value, strict).known(...inputs);
}

/** The answer that a fault puts in place of the true one. */
export function faultAnswer({ status = 500, body = '', headers }: FaultAction): Answer {
	const text = typeof body === 'string';
	return {
		status,
		headers: { ...(text ? { 'content-type': 'text/plain' } : JSON_HEADERS), ...headers },
		body: text ? body : writeJson(body),
	};
}

/** The headers as the journal shows them: never with a token. */
export function shownHeaders(headers: IncomingMessage['headers']): RequestEntry['headers'] {
	const shown: RequestEntry['headers'] = {};
	for (const name in headers) {
		const value = headers[name];
		if (value === undefined) continue;
		if (name === 'authorization') shown[name] = true;
		else shown[name] = Array.isArray(value) ? value.join(', ') : value;
	}
	return shown;
}

/** A signal that aborts when the client goes away before it has its answer. */
export function goneSignal(response: ServerResponse): AbortSignal {
	const gone = new AbortController();
	if (response.destroyed) gone.abort();
	response.once('close', () => gone.abort());
	return gone.signal;
}
