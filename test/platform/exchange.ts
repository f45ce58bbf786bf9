import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from './clock';
import type { FaultAction, Faults } from './faults';
import { type Answer, CutConnection, IncomingBody, json, send, text } from './http';
import type { Journal, RequestEntry } from './journal';

/** One request while it is worked on. */
export interface Exchange {
	request: IncomingMessage;
	response: ServerResponse;
	body: IncomingBody;
	/** The query as it stands in the url, without its question mark. */
	search: string;
	/** Real, steady milliseconds at arrival. */
	arrival: number;
	/** The line for the journal, filled in on the way. */
	entry: RequestEntry;
}

/** What stands around the work of an origin. */
export interface Surroundings {
	origin: RequestEntry['origin'];
	clock: Clock;
	journal: Journal;
	faults: Faults;
	/** Every answer is given so much later, in real milliseconds. */
	latencyMs?: () => number;
}

/**
 * Serves one request of the API or of the upload origin and writes it to the journal: the work in the middle, faults
 * around it. Work that throws CutConnection, or fails because the client has gone, gets no answer.
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
	// Before the answer is sent, so that whoever has it finds the line.
	journal.add(entry);
	if (answer === undefined) return void request.socket.destroy();
	await body.linger();
	const { slow_body_ms: ms } = fault;
	await send(response, answer, ms ? { ms, sleep: (each) => clock.sleep(each) } : undefined);
}

/** The work's answer, or what a fault makes of it. */
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

/** The answer that a fault puts in place of the true one. */
function faultAnswer({ status = 500, body = '', headers }: FaultAction): Answer {
	const answer = typeof body === 'string' ? text(status, body) : json(status, body);
	return { ...answer, headers: { ...answer.headers, ...headers } };
}

/** The journal's line about a request, before the outcome is known. Of Authorization it tells only that it was there. */
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
