import { backoffMs, type Backoff } from './clock';
import { NEVER_READY, type Failure } from './failure';
import { meantStatus } from './hints/status';
import type { ServiceRequest } from './types';

/** How long to repeat a request, in ms. The two do not use each other up. */
export interface Patience {
	patienceMs: number;
	/** Applies instead while the service still processes a file to be attached. */
	attachmentPatienceMs: number;
}

/** Which patience a failure takes. */
export const patienceFor = ({ code }: Failure): keyof Patience =>
	code === 'attachment.not.ready' ? 'attachmentPatienceMs' : 'patienceMs';

interface Reason {
	/** Certainly nothing was done, it may have been done, or repeating is pointless. */
	outcome: 'nothing' | 'unclear' | 'final';
	/** Caps the user's patience: longest time from the first failure to the last repetition, in ms. */
	withinMs?: number;
}

const NOTHING: Reason = { outcome: 'nothing' };
const UNCLEAR: Reason = { outcome: 'unclear', withinMs: 20_000 };
const FINAL: Reason = { outcome: 'final' };

const BY_CODE: ReadonlyArray<[codes: RegExp, Reason]> = [
	[/^(attachment\.not\.ready|ECONNREFUSED|EAI_AGAIN|ERR_PROXY_CLOSED)$/, NOTHING],
	// A host name that does not exist is more often a typo than a transient fault.
	[/^ENOTFOUND$/, { outcome: 'nothing', withinMs: 5000 }],
	[
		/^(E(HOST|NET)UNREACH|ECONN(RESET|ABORTED)|EPIPE|ETIMEDOUT|ERR_BAD_RESPONSE|ERR_SSL_.+)$/,
		UNCLEAR,
	],
];

const BY_STATUS: Readonly<Record<number, Reason>> = {
	408: NOTHING,
	429: NOTHING,
	500: UNCLEAR,
	502: UNCLEAR,
	503: NOTHING,
	504: UNCLEAR,
};

/** Classifies a failure. Certificate errors, wrong addresses and everything unknown are final. */
function classify(attempt: Partial<Failure>): Reason {
	const { code = '', syscall, message = '' } = attempt;
	const status = meantStatus(attempt) ?? 0;
	if (NEVER_READY.test(message)) return FINAL;
	if (syscall === 'connect') return NOTHING;
	// Proxies in front of the service use statuses of their own, such as 520, when the service gives no answer.
	const [, byCode] = BY_CODE.find(([codes]) => codes.test(code)) ?? [];
	return byCode ?? BY_STATUS[status] ?? (status > 505 ? UNCLEAR : FINAL);
}

/** Whether repeating a request that only reads may succeed. */
export const isTransient = (attempt: Partial<Failure>): boolean =>
	classify(attempt).outcome !== 'final';

/** Whether the service may or may not have carried out the request. */
export const isUnclear = (attempt: Failure): boolean => classify(attempt).outcome === 'unclear';

/** How long a request may be repeated without doing anything twice, in ms from its first failure; negative: never. */
export function repeatableFor(
	request: ServiceRequest,
	attempt: Failure,
	patience: Patience,
): number {
	const { outcome, withinMs = Infinity } = classify(attempt);
	if (outcome === 'final' || (outcome === 'unclear' && request.twice === 'again')) return -1;
	return Math.min(patience[patienceFor(attempt)], withinMs);
}

/** Messages that what was to be removed is not there. A missing chat (NO_CHAT) does not show that. */
const NOT_THERE =
	/not (found|exist|pinned|subscribed|a member|a participant|an admin)|no (pinned|such|subscription)/i;
const NO_CHAT = /^(chat|dialog)\.not\.found$/;

/** Whether a refusal shows that an earlier attempt succeeded: what the request removes is no longer there. */
export function wasDoneBefore(
	{ twice, path }: ServiceRequest,
	{ status, code = '', message }: Failure,
): boolean {
	if (twice !== 'gone' || NO_CHAT.test(code)) return false;
	// What the bot itself is not shows only that it has left.
	if (/\bbot is not an?\b/i.test(message))
		return path.endsWith('/members/me') && /not a member/i.test(message);
	// A 404 without a code is not the service's own, but that of a proxy before it.
	const isCoded = code !== '' && meantStatus({ status, code }) === 404;
	return isCoded || (status === 200 && NOT_THERE.test(message));
}

/** Whether the service refused a request because there were too many. */
export const isOverLimit = (failure: Partial<Failure>): boolean => meantStatus(failure) === 429;

const PAUSES: Backoff = { first: 500, growth: 1.5, longest: 5000 };

/** The pause before a repetition (from 0), in ms; after a 429 only what is asked for, as the budget does the rest. */
export function pauseMs(repetition: number, attempt: Failure): number {
	const { retryAfterMs = 0 } = attempt;
	return isOverLimit(attempt)
		? retryAfterMs
		: Math.max(retryAfterMs, backoffMs(repetition, PAUSES));
}
