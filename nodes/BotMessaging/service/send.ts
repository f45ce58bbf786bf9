import type { IAllExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { readAnswer, readBrokenConnection, type HttpAnswer, type Outcome } from './answer';
import { CREDENTIAL, type Connection } from './connection';
import { writeExact } from './json';
import { trusting } from './trust';
import type { QueryValue, ServiceRequest } from './types';

const DEFAULT_TIMEOUT_MS = 60_000;

/** One attempt of a request, which never throws: what the service answered, or why there was no answer. */
export type Send = (request: ServiceRequest) => Promise<Outcome>;

/** Sends with n8n's helper: with the credential, and with bodies and answers whose integers keep all their digits. */
export function sendBy(context: IAllExecuteFunctions, connection: Connection): Send {
	return async (request) => {
		const options = httpOptions(connection, request);
		try {
			const answer: HttpAnswer = await trusting(
				connection.trust,
				options.url,
				async (trusted) =>
					await context.helpers.httpRequestWithAuthentication.call(
						context,
						CREDENTIAL,
						// The helper changes the options it is given.
						{ ...options, ...trusted, headers: { ...options.headers } },
						{ credentialsDecrypted: connection.credential },
					),
			);
			return readAnswer(answer, request, connection.token);
		} catch (error) {
			return readBrokenConnection(error);
		}
	};
}

function httpOptions(connection: Connection, request: ServiceRequest): IHttpRequestOptions {
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
		...(request.signal && { abortSignal: request.signal }),
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
