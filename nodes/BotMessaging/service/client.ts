import type { IAllExecuteFunctions } from 'n8n-workflow';
import { readConnection } from './connection';
import { toNodeError } from './errors';
import { Budget } from './pacing/budget';
import type { NoTurn, Pace, Party } from './pacing/fairQueue';
import { isUnclear, pauseMs, repeatableFor, waited, wasDoneBefore, type Patience } from './retry';
import { readRefusal, sendBy, type Outcome, type Send } from './send';
import type { Service, ServiceRequest } from './types';

/** What the user may set for all requests of a node. */
export interface ServiceSettings extends Pace, Patience {}

export const DEFAULT_SETTINGS: ServiceSettings = {
	requestsPerSecond: 30,
	messagesPerSecondPerChat: 2,
	patienceMs: 60_000,
	attachmentPatienceMs: 60_000,
};

/** The service as one execution sees it, which also tells what its limits did. */
export interface Client extends Service {
	/** Answers so far that the service had too many requests. */
	readonly refusals: number;
	/** The pace of the bot now, in requests per second. */
	readonly rate: number;
}

/**
 * Opens the only door to the service for one execution: paced, repeated where that is safe, answers parsed
 * without losing digits, `success: false` and every refusal turned into an error that says what to do. While a
 * request waits, `stopped` is asked whether the run has ended. The credential is read once, here.
 */
export async function openService(
	context: IAllExecuteFunctions,
	settings: Partial<ServiceSettings> = {},
	stopped: () => boolean = () => false,
): Promise<Client> {
	const connection = await readConnection(context);
	const all = { ...DEFAULT_SETTINGS, ...settings };
	const budget = (): Budget => budgetFor(connection.botKey, all);
	const party: Party = { pace: all, patienceMs: all.patienceMs, stopped, refusals: 0 };
	const send = retrying(paced(sendBy(context, connection), budget, party), all, stopped);
	return {
		connection,
		request: async (request) => {
			const outcome = await send(request);
			if ('answer' in outcome) {
				if (request.chat !== undefined) noteWritten(connection.botKey, request.chat);
				return outcome.answer;
			}
			throw toNodeError(context.getNode(), outcome.failed);
		},
		get refusals() {
			return party.refusals;
		},
		get rate() {
			return budget().rate;
		},
	};
}

/** The budgets of the process, by a name of the token that does not reveal it. */
const budgets = new Map<string, Budget>();

/** The one budget of the process for a token. Those that have been idle for long are forgotten on the way. */
function budgetFor(key: string, pace: Pace): Budget {
	for (const [other, each] of budgets) if (other !== key && each.isIdle()) budgets.delete(other);
	const budget = budgets.get(key) ?? new Budget(pace);
	budgets.set(key, budget);
	return budget;
}

/** One attempt of a request, and that it was not sent at all; `again` tells that it repeats one. */
type Attempted = Outcome | { denied: NoTurn['denied'] };
type Attempt = (request: ServiceRequest, again: boolean) => Promise<Attempted>;

/** Sends each attempt when it is its turn in the budget of the bot, which learns from the answer. */
function paced(send: Send, budget: () => Budget, party: Party): Attempt {
	return async (request, again) => {
		const turn = await budget().turn(party, { ...request, again });
		if ('denied' in turn) return turn;
		if (party.stopped()) {
			turn.lost();
			return { denied: 'stopped' };
		}
		const outcome = await send(request);
		const failed = 'failed' in outcome ? outcome.failed : undefined;
		if (failed?.status === 429) turn.refused(readRefusal(failed));
		else if (failed && failed.status === undefined) turn.lost();
		else turn.accepted();
		return outcome;
	};
}

/** Why a request was not sent. */
const NOT_SENT: Record<NoTurn['denied'], Outcome> = {
	stopped: { failed: { message: 'The run was stopped before this request was sent' } },
	impatient: {
		failed: {
			status: 429,
			code: 'too.many.requests',
			message: 'The service asked for a longer pause than this request may wait',
		},
	},
};

/** Sends a request until it is answered, there is no more patience, or repeating could do something twice. */
function retrying(attempt: Attempt, patience: Patience, stopped: () => boolean): Send {
	return async (request) => {
		let failedAt: number | undefined;
		let mayBeDone = false;
		for (let repetition = 0; ; repetition++) {
			const outcome = await attempt(request, repetition > 0);
			if ('denied' in outcome) return NOT_SENT[outcome.denied];
			if ('answer' in outcome) return outcome;
			const { failed } = outcome;
			if (mayBeDone && wasDoneBefore(request, failed)) return { answer: { success: true } };
			mayBeDone ||= isUnclear(failed);
			failedAt ??= Date.now();
			const pause = pauseMs(repetition, failed);
			if (pause > failedAt + repeatableFor(request, failed, patience) - Date.now()) return outcome;
			// After a refusal the budget keeps the pause, for all requests of the bot.
			if (failed.status === 429) continue;
			if (!(await waited(pause, stopped))) return NOT_SENT.stopped;
		}
	};
}

type Listener = (botKey: string) => void;

const listeners = new Map<string, Set<Listener>>();

/** Tells those who want to know that a bot has written into a chat, named as in ServiceRequest. */
function noteWritten(botKey: string, chat: string): void {
	for (const listener of listeners.get(chat) ?? []) listener(botKey);
}

/** Has `listener` called when this process writes into the chat, as which bot; returns how to end that. */
export function onWritten(chat: string, listener: Listener): () => void {
	const own = listeners.get(chat) ?? new Set();
	listeners.set(chat, own.add(listener));
	return () => {
		own.delete(listener);
		if (own.size === 0 && listeners.get(chat) === own) listeners.delete(chat);
	};
}
