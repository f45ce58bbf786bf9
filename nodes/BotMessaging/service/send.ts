import type { IAllExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { answerBefore, type OpenedAnswer, type Outcome } from './answer';
import { noteDate } from './clock';
import { CREDENTIAL, type Connection } from './connection';
import { writeExact } from './json';
import { trusting } from './trust';
import type { QueryValue, ServiceRequest } from './types';
import { REDACTED } from './errorMessages';

const DEFAULT_TIMEOUT_MS = 60_000;

/** Makes one attempt at a request. Never throws: resolves to the service's answer, or to the failure. */
export type Send = (request: ServiceRequest) => Promise<Outcome>;

/** Sends with n8n's authenticating helper. Integers in bodies and answers keep all their digits. */
export function sendBy(
	context: IAllExecuteFunctions,
	connection: Connection,
	timeoutMs = DEFAULT_TIMEOUT_MS,
): Send {
	return async (request) => {
		// Signals take whole ms only.
		const timeout = Math.ceil(request.timeoutMs ?? timeoutMs);
		const options = httpOptions(connection, request, timeout);
		// The timeout of n8n's helper starts over with each byte of an answer.
		const deadline = AbortSignal.timeout(timeout);
		const signals = [deadline, request.signal, cancelSignalOf(context)];
		const signal = AbortSignal.any(signals.filter((one) => one !== undefined));
		const open = async (): Promise<OpenedAnswer> => {
			const answer: OpenedAnswer = await trusting(
				connection.trust,
				options.url,
				async (trusted) =>
					await context.helpers.httpRequestWithAuthentication.call(
						withCancelSignal(context, signal),
						CREDENTIAL,
						// The helper modifies the options that it is given.
						{ ...options, ...trusted, headers: { ...options.headers }, abortSignal: signal },
						{ credentialsDecrypted: connection.credential },
					),
			);
			noteDate(connection, answer.headers.date);
			return answer;
		};
		return await answerBefore(deadline, open, request, connection.token);
	};
}

const cancelSignalOf = (context: IAllExecuteFunctions): AbortSignal | undefined =>
	'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;

/** The context with `signal` as its cancel signal: n8n's helper ends a request by no other. */
export const withCancelSignal = (
	context: IAllExecuteFunctions,
	signal: IHttpRequestOptions['abortSignal'],
): IAllExecuteFunctions =>
	Object.create(context, { getExecutionCancelSignal: { value: () => signal } });

function httpOptions(
	connection: Connection,
	request: ServiceRequest,
	timeout: number,
): IHttpRequestOptions {
	const query = writeQuery(request.query ?? {}, connection.token);
	return {
		method: request.method,
		url: `${connection.baseUrl}${request.path}${query}`,
		headers: request.body ? { 'Content-Type': 'application/json' } : {},
		body: request.body && writeExact(request.body),
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		timeout,
		allowedDomains: connection.allowedDomains,
	};
}

function writeQuery(query: Record<string, QueryValue>, token: string): string {
	const search = new URLSearchParams();
	for (const [key, value] of Object.entries(query)) {
		if (value !== undefined) search.set(key, String(value));
	}
	// Answers hide the token in the address of a subscription, which is removed by that address.
	const { url } = query;
	if (typeof url === 'string') search.set('url', url.split(REDACTED).join(token));
	return search.size > 0 ? `?${search.toString()}` : '';
}
