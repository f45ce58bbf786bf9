import { sleep } from 'n8n-workflow';
import { NEVER_READY, type Failure } from './failure';
import { entryOf } from './read';
import type { ServiceRequest } from './types';

/** An attempt of a request that failed. */
export interface FailedAttempt extends Failure {
	/** The system call that failed, such as `connect`. */
	syscall?: string;
	/** `Retry-After` of the answer in ms, where there was one. */
	retryAfterMs?: number;
}

/** How long the user wants requests to be repeated, in ms. */
export interface Patience {
	patienceMs: number;
	/** The same, while the service still processes a file that is to be attached. */
	attachmentPatienceMs: number;
}

interface Reason {
	/** What a failure tells: surely nothing was done, it may have been done, or there is no point in repeating. */
	outcome: 'nothing' | 'unclear' | 'final';
	/** Longest time from the first failure to the last repetition, in ms, where the user's patience is too much. */
	withinMs?: number;
}

const NOTHING: Reason = { outcome: 'nothing' };
const UNCLEAR: Reason = { outcome: 'unclear', withinMs: 20_000 };
const FINAL: Reason = { outcome: 'final' };

/** A name that does not exist is more often a slip than a fault that passes. */
const NO_SUCH_HOST: Reason = { outcome: 'nothing', withinMs: 5000 };

const BY_CODE: Readonly<Record<string, Reason>> = {
	'attachment.not.ready': NOTHING,
	ECONNREFUSED: NOTHING,
	EHOSTUNREACH: NOTHING,
	ENETUNREACH: NOTHING,
	EAI_AGAIN: NOTHING,
	ENOTFOUND: NO_SUCH_HOST,
	ECONNRESET: UNCLEAR,
	ECONNABORTED: UNCLEAR,
	EPIPE: UNCLEAR,
	ETIMEDOUT: UNCLEAR,
	ERR_NETWORK: UNCLEAR,
	ERR_BAD_RESPONSE: UNCLEAR,
};

const BY_STATUS: Readonly<Record<number, Reason>> = {
	408: NOTHING,
	429: NOTHING,
	500: UNCLEAR,
	502: UNCLEAR,
	503: NOTHING,
	504: UNCLEAR,
};

/** Certificates, wrong addresses and everything else that is not known does not get better by repeating. */
function reasonOf({ status, code, syscall, message = '' }: Partial<FailedAttempt>): Reason {
	if (NEVER_READY.test(message)) return FINAL;
	if (status === undefined && syscall === 'connect') return NOTHING;
	const byStatus = status === undefined ? undefined : BY_STATUS[status];
	// A proxy in front of the service has statuses of its own for a service that gave no answer.
	return (
		entryOf(BY_CODE, code) ?? byStatus ?? (status !== undefined && status > 505 ? UNCLEAR : FINAL)
	);
}

/** Whether what only reads may succeed the next time. */
export const mayPass = (attempt: Partial<FailedAttempt>): boolean =>
	reasonOf(attempt).outcome !== 'final';

/** Whether it is open what became of the request. */
export const isUnclear = (attempt: FailedAttempt): boolean =>
	reasonOf(attempt).outcome === 'unclear';

/** How long from the first failure on the request may be repeated without doing anything twice, in ms. */
export function repeatableFor(
	request: ServiceRequest,
	attempt: FailedAttempt,
	{ patienceMs, attachmentPatienceMs }: Patience,
): number {
	const { outcome, withinMs = Infinity } = reasonOf(attempt);
	if (outcome === 'final' || (outcome === 'unclear' && request.twice === 'again')) return -1;
	const patience = attempt.code === 'attachment.not.ready' ? attachmentPatienceMs : patienceMs;
	return Math.min(patience, withinMs);
}

/** What the service says of something that is not there; that the whole chat is not there says nothing of it. */
const NOT_THERE =
	/not (found|exist|pinned|subscribed|a member|a participant|an admin)|no (pinned|such|subscription)/i;
const NO_CHAT = /^(chat|dialog)\.not\.found$/;

/**
 * Whether a refusal shows that an attempt before it, which ended unclear, had done the work: it was to remove
 * something, and that is not there.
 */
export function wasDoneBefore(
	request: ServiceRequest,
	{ status, code, message }: FailedAttempt,
): boolean {
	if (request.twice !== 'gone' || NO_CHAT.test(code ?? '')) return false;
	// The bot has left the chat and may not even ask any more.
	const hasLeft = status === 403 && code === 'chat.denied' && /not a member/i.test(message);
	return status === 404 || hasLeft || (status === 200 && NOT_THERE.test(message));
}

const PAUSES: Backoff = { first: 500, growth: 1.5, longest: 5000 };

/**
 * The pause before repetition number `repetition` (from 0), in ms: what the service asks for, otherwise 500, 750, 1125 …
 * 5000. Who was refused because of the pace only waits for the pace, together with all others.
 */
export function pauseMs(repetition: number, { status, retryAfterMs }: FailedAttempt): number {
	if (retryAfterMs !== undefined) return retryAfterMs;
	return status === 429 ? 0 : backoffMs(repetition, PAUSES);
}

/** Pauses that grow with each failure, up to the longest; in ms. */
export interface Backoff {
	first: number;
	growth: number;
	longest: number;
}

/** The pause after so many failures before this one (from 0), in ms. */
export const backoffMs = (failures: number, { first, growth, longest }: Backoff): number =>
	Math.min(first * growth ** failures, longest);

/** Older n8n take no signal to end a sleep, so it is cut into pieces, in ms, to notice that it is over. */
const LOOK_MS = 250;

/** Waits for so many ms; resolves to false, and early, when `isOver`. */
export async function waited(ms: number, isOver: () => boolean): Promise<boolean> {
	const end = Date.now() + ms;
	for (let left = ms; left > 0; left = end - Date.now()) {
		if (isOver()) return false;
		await sleep(Math.min(left, LOOK_MS));
	}
	return true;
}
