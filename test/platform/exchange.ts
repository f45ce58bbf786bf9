import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from './clock';
import type { FaultAction, Faults } from './faults';
import { type Answer, CutConnection, IncomingBody, json, send, text } from './http';
import type { Journal, RequestEntry } from './journal';

/** A request while it is being processed. */
export interface Exchange {
	request: IncomingMessage;
	response: ServerResponse;
	body: IncomingBody;
	/** The query as in the URL, without its question mark. */
	search: string;
	/** Time of arrival in real, monotonic milliseconds. */
	arrival: number;
	/** The journal entry, filled in on the way. */
	entry: RequestEntry;
}

/** What an origin needs around its work. */
export interface Surroundings {
	origin: RequestEntry['origin'];
	clock: Clock;
	journal: Journal;
	faults: Faults;
	/** Delays every answer by so many real milliseconds. */
	latencyMs?: () => number;
}

/**
 * Serves one request to the API or the upload origin, with faults around the actual work, and writes it to the journal.
 * Work that throws CutConnection, or fails because the client has gone, gets no answer.
 */
export async function serve(
	{ origin, clock, journal, faults, latencyMs }: Surroundings,
	request: IncomingMessage,
	response: ServerResponse,
	work: (exchange: Exchange) => Promise<Answer>,
): Promise<void> {
	const arrival = performance.now();
	const { entry, search } = entryOf(request, origin, clock.now());
	const fault = faults.match(origin, entry.method, entry.path) ?? {};
	const body = new IncomingBody(request, fault.cut_after_bytes);
	const exchange = { request, response, body, search, arrival, entry };
	const answer = await faulty(fault, clock, () => work(exchange)).catch((error: unknown) => {
		if (error instanceof CutConnection || request.socket.destroyed) return undefined;
		throw error;
	});
	const latency = latencyMs?.() ?? 0;
	if (latency > 0) await sleep(latency);
	entry.bytes = body.bytes;
	entry.status = response.destroyed ? 0 : (answer?.status ?? 0);
	entry.duration_ms = Math.round(performance.now() - arrival);
	// Before the answer is sent, so that a client that has the answer finds the entry.
	journal.add(entry);
	if (answer === undefined) return void request.socket.destroy();
	await body.linger();
	const { slow_body_ms: ms } = fault;
	await send(response, answer, ms ? { ms, sleep: (each) => clock.sleep(each) } : undefined);
}

/** The answer of `work`, or what a fault makes of it. */
async function faulty(
	fault: FaultAction,
	clock: Clock,
	work: () => Promise<Answer>,
): Promise<Answer> {
	if (fault.delay_ms !== undefined) await clock.sleep(fault.delay_ms);
	if (fault.cut === 'before') throw new CutConnection();
	const replaced = fault.status !== undefined;
	if (replaced && fault.done !== true) return faultAnswer(fault);
	const answer = await work();
	if (fault.cut === 'after') throw new CutConnection();
	if (replaced) return faultAnswer(fault);
	return { ...answer, headers: { ...answer.headers, ...fault.headers } };
}

/** The answer that a fault gives instead of the real one. */
function faultAnswer({ status = 500, body = '', headers }: FaultAction): Answer {
	const answer = typeof body === 'string' ? text(status, body) : json(status, body);
	return { ...answer, headers: { ...answer.headers, ...headers } };
}

/** The journal entry of a request, before its outcome is known. Of Authorization it only says whether it was there. */
function entryOf(
	{ method = 'GET', url = '/', headers }: IncomingMessage,
	origin: RequestEntry['origin'],
	time: number,
): { entry: RequestEntry; search: string } {
	const [path = '/', search = ''] = url.split(/\?(.*)/s, 2);
	const range = headers['content-range'];
	const shown = Object.entries(headers).map(([name, value]) => [name, String(value)]);
	const { authorization } = headers;
	const entry: RequestEntry = {
		kind: 'request',
		time,
		origin,
		method,
		path,
		query: queryOf(search),
		headers: {
			...Object.fromEntries(shown),
			...(authorization !== undefined && { authorization: true }),
		},
		bytes: 0,
		status: 0,
		duration_ms: 0,
		...(range !== undefined && { content_range: range }),
	};
	return { entry, search };
}

function queryOf(search: string): RequestEntry['query'] {
	const query: RequestEntry['query'] = {};
	for (const [name, value] of new URLSearchParams(search)) {
		const before = query[name];
		query[name] = before === undefined ? value : [before, value].flat();
	}
	return query;
}
