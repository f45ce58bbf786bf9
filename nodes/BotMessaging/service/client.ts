import {
	sleep,
	type IAllExecuteFunctions,
	type IHttpRequestOptions,
	type NodeApiError,
} from 'n8n-workflow';
import {
	readAnswer,
	readBrokenConnection,
	readRefusal,
	type FailedAttempt,
	type HttpAnswer,
	type Outcome,
} from './answer';
import { readConnection, type Connection } from './connection';
import { toNodeError, type Failure } from './errors';
import { writeExact } from './json';
import { budgetFor } from './pacing/registry';
import type { Pace, Party, Turn } from './pacing/types';
import { isUnclear, pauseMs, repeatableFor, wasDoneBefore, type Patience } from './retry';
import {
	CREDENTIAL,
	type QueryValue,
	type Service,
	type ServiceAnswer,
	type ServiceRequest,
} from './types';

/** What the user may set for all requests of a node. */
export interface ServiceSettings extends Pace, Patience {}

export const DEFAULT_SETTINGS: ServiceSettings = {
	requestsPerSecond: 30,
	messagesPerSecondPerChat: 2,
	patienceMs: 60_000,
	attachmentPatienceMs: 60_000,
};

const DEFAULT_TIMEOUT_MS = 60_000;

/** A pause is cut into pieces, in ms, to notice that the run has ended. */
const LOOK_MS = 250;

const STOPPED: Failure = { message: 'The run was stopped before this request was sent' };

const IMPATIENT: Failure = {
	status: 429,
	code: 'too.many.requests',
	message: 'The service asked for a longer pause than this request may wait',
};

/**
 * Opens the only door to the service for one execution: paced, repeated where that is safe, answers parsed
 * without losing digits, `success: false` and every refusal turned into an error that says what to do. While a
 * request waits, `stopped` is asked whether the run has ended. The credential is read once, here.
 */
export async function openService(
	context: IAllExecuteFunctions,
	settings: Partial<ServiceSettings> = {},
	stopped: () => boolean = () => false,
): Promise<Door> {
	const connection = await readConnection(context);
	return new Door(context, connection, { ...DEFAULT_SETTINGS, ...settings }, stopped);
}

/** An open door, which also tells how busy it is. */
export class Door implements Service {
	/** Called when a request begins to wait for its turn, and when it has got it. */
	onChange?: () => void;

	/** Answers that the service had too many requests. */
	refusals = 0;

	/** Requests that were asked for and are not answered yet. */
	private underWay = 0;

	private readonly party: Party;

	constructor(
		private readonly context: IAllExecuteFunctions,
		private readonly connection: Connection,
		private readonly settings: ServiceSettings,
		private readonly stopped: () => boolean,
	) {
		const { patienceMs } = settings;
		const onTurn = (): void => this.onChange?.();
		this.party = { pace: settings, patienceMs, stopped, waiting: 0, onTurn };
	}

	/** How many requests wait for nothing but the pace of the bot, and how many are not answered yet. */
	get load(): { waiting: number; underWay: number } {
		return { waiting: this.party.waiting, underWay: this.underWay };
	}

	/** The pace of the bot now, in requests per second. */
	get rate(): number {
		return budgetFor(this.connection.botKey, this.settings).rate;
	}

	/** See Service. `backlog` is the number of requests that wait behind this one for the same chat. */
	async request(request: ServiceRequest, backlog = 0): Promise<ServiceAnswer> {
		this.underWay++;
		try {
			return await this.insist(request, backlog);
		} finally {
			this.underWay--;
		}
	}

	/** Sends a request until it is answered, there is no more patience, or repeating could do something twice. */
	private async insist(request: ServiceRequest, backlog: number): Promise<ServiceAnswer> {
		const options = httpOptions(this.connection, request);
		let failedAt: number | undefined;
		let mayBeDone = false;
		for (let repetition = 0; ; repetition++) {
			const turn = await this.takeTurn(request, { again: repetition > 0, backlog });
			const outcome = await this.attempt(turn, request, options);
			if ('answer' in outcome) return outcome.answer;
			const { failed } = outcome;
			if (mayBeDone && wasDoneBefore(request, failed)) return { success: true };
			mayBeDone ||= isUnclear(failed);
			failedAt ??= Date.now();
			const pause = pauseMs(repetition, failed);
			const left = failedAt + repeatableFor(request, failed, this.settings) - Date.now();
			if (pause > left) throw this.error(failed);
			if (failed.status !== 429) await this.pause(pause);
		}
	}

	private async takeTurn(
		{ chat }: ServiceRequest,
		wish: { again: boolean; backlog: number },
	): Promise<Turn> {
		const budget = budgetFor(this.connection.botKey, this.settings);
		const turning = budget.turn(this.party, { chat, ...wish });
		this.onChange?.();
		const turn = await turning;
		if ('denied' in turn) throw this.error(turn.denied === 'stopped' ? STOPPED : IMPATIENT);
		if (!this.stopped()) return turn;
		turn.lost();
		throw this.error(STOPPED);
	}

	private async attempt(
		turn: Turn,
		request: ServiceRequest,
		options: IHttpRequestOptions,
	): Promise<Outcome> {
		const outcome = await this.send(request, options);
		const failed: Partial<FailedAttempt> = 'failed' in outcome ? outcome.failed : { status: 200 };
		if ('failed' in outcome && failed.status === 429) {
			this.refusals++;
			turn.refused(readRefusal(outcome.failed));
		} else if (failed.status === undefined) turn.lost();
		else turn.accepted();
		return outcome;
	}

	private async send(request: ServiceRequest, options: IHttpRequestOptions): Promise<Outcome> {
		const { context, connection } = this;
		try {
			// The helper changes the options it is given, a repetition needs them as they were.
			const answer: HttpAnswer = await context.helpers.httpRequestWithAuthentication.call(
				context,
				CREDENTIAL,
				{ ...options, headers: { ...options.headers } },
				{ credentialsDecrypted: connection.credential },
			);
			return readAnswer(answer, request);
		} catch (error) {
			return readBrokenConnection(error);
		}
	}

	private async pause(ms: number): Promise<void> {
		const end = Date.now() + ms;
		for (let left = ms; left > 0; left = end - Date.now()) {
			if (this.stopped()) throw this.error(STOPPED);
			await sleep(Math.min(left, LOOK_MS));
		}
	}

	private error(failure: Failure): NodeApiError {
		return toNodeError(this.context.getNode(), failure);
	}
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
