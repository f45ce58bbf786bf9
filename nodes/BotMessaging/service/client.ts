import type { IAllExecuteFunctions } from 'n8n-workflow';
import { readRefusal, type Outcome } from './answer';
import { realClock, sleepUnless } from './clock';
import { readConnection } from './connection';
import { toNodeError } from './errors';
import type { Failure } from './failure';
import { Budget } from './pacing/budget';
import type { Denial, Pace, Sender } from './pacing/fairQueue';
import {
	isOverLimit,
	isUnclear,
	patienceFor,
	pauseMs,
	repeatableFor,
	wasDoneBefore,
	type Patience,
} from './retry';
import { sendBy, type Send } from './send';
import type { Service, ServiceRequest } from './types';

/** User settings for all requests of a node. */
export interface ServiceSettings extends Pace, Patience {
	/** Longest wait for an answer in ms, unless the request says otherwise. */
	timeoutMs?: number;
}

export const DEFAULT_SETTINGS: ServiceSettings = {
	requestsPerSecond: 30,
	messagesPerSecondPerChat: 2,
	patienceMs: 60_000,
	attachmentPatienceMs: 60_000,
};

/** The service as one execution sees it, and what rate limiting did to that execution. */
export interface Client extends Service {
	/** Number of 429 answers so far. */
	readonly refusals: number;
	/** The bot's current rate, in requests per second. */
	readonly rate: number;
}

/**
 * Opens the only door to the service for one execution. Requests are paced, and repeated where that is safe; answers
 * are parsed without losing digits; `success: false` and every refusal become errors that say what to do. While a
 * request waits, `stopped` is polled for whether the run has ended. The credential is read once, here.
 */
export async function openService(
	context: IAllExecuteFunctions,
	settings: Partial<ServiceSettings> = {},
	stopped: () => boolean = () => false,
): Promise<Client> {
	const connection = await readConnection(context);
	const all = { ...DEFAULT_SETTINGS, ...settings };
	const budget = (): Budget => budgetFor(connection.botKey, all);
	const sender: Sender = { pace: all, patienceMs: all.patienceMs, stopped, refusals: 0 };
	const attempt = paced(sendBy(context, connection, all.timeoutMs), budget, sender);
	const send = retrying(attempt, all, stopped);
	return {
		connection,
		request: async (request) => {
			const outcome = await send(request);
			if ('answer' in outcome) {
				for (const tell of listeners) tell(connection.botKey, request.chat);
				return outcome.answer;
			}
			const isHarmless = request.twice !== 'again';
			throw toNodeError(context.getNode(), { ...outcome.failed, isHarmless });
		},
		get refusals() {
			return sender.refusals;
		},
		get rate() {
			return budget().rate;
		},
	};
}

/** The budgets of this process by `botKey`, which does not reveal the token. */
const budgets = new Map<string, Budget>();

/** Returns this process's budget for a bot, and drops the budgets of other bots that are idle. */
function budgetFor(key: string, pace: Pace): Budget {
	for (const [other, each] of budgets) if (other !== key && each.isIdle()) budgets.delete(other);
	const budget = budgets.get(key) ?? new Budget(pace);
	budgets.set(key, budget);
	return budget;
}

/** How an attempt ended, or why it was not sent at all. `again` marks the repetition of an earlier attempt. */
type Attempted = Outcome | { denied: Denial['denied'] };
type Attempt = (request: ServiceRequest, again: boolean) => Promise<Attempted>;

/** Sends each attempt when the bot's budget grants it a permit, and lets the budget learn from the outcome. */
function paced(send: Send, budget: () => Budget, sender: Sender): Attempt {
	return async (request, again) => {
		const permit = await budget().acquire(sender, { ...request, again });
		if ('denied' in permit) return permit;
		if (sender.stopped()) {
			permit.lost();
			return { denied: 'stopped' };
		}
		const outcome = await send(request);
		const failed = 'failed' in outcome ? outcome.failed : undefined;
		if (failed && isOverLimit(failed)) permit.refused(readRefusal(failed));
		else if (failed && failed.status === undefined) permit.lost();
		else permit.accepted();
		return outcome;
	};
}

const DENIALS: Record<Denial['denied'], Failure> = {
	stopped: { message: 'The run was stopped before this request was sent' },
	impatient: {
		status: 429,
		code: 'too.many.requests',
		message: 'The service takes no requests for longer than this one may wait',
	},
};

/** Repeats a request until it is answered, patience runs out, or repeating could do something twice. */
function retrying(attempt: Attempt, patience: Patience, stopped: () => boolean): Send {
	return async (request) => {
		const firstFailedAt: Partial<Record<keyof Patience, number>> = {};
		let mayBeDone = false;
		for (let repetition = 0; ; repetition++) {
			const outcome = await attempt(request, repetition > 0);
			if ('denied' in outcome) return { failed: DENIALS[outcome.denied] };
			if ('answer' in outcome) return outcome;
			const { failed } = outcome;
			if (mayBeDone && wasDoneBefore(request, failed)) return { answer: { success: true } };
			mayBeDone ||= isUnclear(failed);
			const failedAt = (firstFailedAt[patienceFor(failed)] ??= realClock.now());
			const pause = pauseMs(repetition, failed);
			if (pause > failedAt + repeatableFor(request, failed, patience) - realClock.now())
				return outcome;
			// After a 429 the budget enforces the pause, for all requests of the bot.
			if (isOverLimit(failed)) continue;
			// A run that was stopped gets no further permit.
			await sleepUnless(pause, stopped);
		}
	};
}

type Listener = (botKey: string, chat: string | undefined) => void;

const listeners = new Set<Listener>();

/** Calls `listener` after each answered request of this process, until the returned function is called. */
export function onAnswered(listener: Listener): () => void {
	listeners.add(listener);
	return () => void listeners.delete(listener);
}
