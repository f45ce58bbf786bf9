import { SECOND_MS } from './learntRate';
import type { Latency } from './latency';

/** A request that a limit let through. All times are ms of the clock. */
export interface SentRequest {
	readonly sentAt: number;
	/** The most that its arrival may have been delayed. */
	readonly mostLateMs: number;
	/** Time until its outcome was known, once it is. */
	delayMs?: number;
	isRefused?: boolean;
}

/**
 * The service counts requests as they arrive, over a second of its own clock. The extra ms cover what measurements do
 * not show, such as the granularity of timers.
 */
export const WINDOW_MS = SECOND_MS + 6;

/** Requests are remembered for this long, in ms, to make sense of late refusals. */
const REMEMBERED_MS = 5000;

/** The requests of the last seconds, and which of them the service still counts. All times are ms of the clock. */
export class SentRequests {
	/** Oldest first. */
	private readonly sent: SentRequest[] = [];

	/** Number of them, from the oldest on, that the service no longer counts. */
	private gone = 0;

	constructor(private readonly latency: Latency) {}

	/** Number of requests that are remembered. */
	get count(): number {
		return this.sent.length;
	}

	/** Number of them whose outcome is known. */
	get answered(): number {
		return this.sent.filter(({ delayMs }) => delayMs !== undefined).length;
	}

	/** When the last one was sent. */
	get lastAt(): number {
		return this.sent.at(-1)?.sentAt ?? -Infinity;
	}

	/** Number of requests that the service may still count. */
	inUse(now: number): number {
		for (let oldest = this.sent[this.gone]; oldest; oldest = this.sent[this.gone]) {
			if (this.leavesAt(oldest, now) > now) break;
			this.gone++;
		}
		return this.sent.length - this.gone;
	}

	/** Whether it is known to have accepted one of those that were sent after `since`. */
	hasAccepted(since: number): boolean {
		return this.sent.some(
			({ sentAt, delayMs, isRefused }) => sentAt > since && delayMs !== undefined && !isRefused,
		);
	}

	/** When the service counts fewer than the last `count` of them; `undefined` if there were fewer. */
	fewerAt(count: number, now: number): number | undefined {
		const first = this.sent[this.sent.length - count];
		return first && this.leavesAt(first, now);
	}

	/** Adds a request that is sent now, and forgets old ones but those in flight, which may still be refused. */
	add(request: SentRequest): void {
		for (const old of this.sent.slice(0, this.gone)) {
			if (old.sentAt >= request.sentAt - REMEMBERED_MS) break;
			if (old.delayMs !== undefined) this.remove(old);
		}
		this.sent.push(request);
	}

	/** Forgets a request. Returns whether it was remembered. */
	remove(request: SentRequest): boolean {
		const index = this.sent.indexOf(request);
		if (index === -1) return false;
		this.sent.splice(index, 1);
		if (index < this.gone) this.gone--;
		return true;
	}

	/** Number of requests sent in the second up to a refused one that the service accepted, as far as is known. */
	seenBefore({ sentAt }: SentRequest): number {
		const from = sentAt - SECOND_MS;
		const isSeen = (other: SentRequest): boolean =>
			!other.isRefused && other.sentAt > from && other.sentAt <= sentAt;
		return this.sent.filter(isSeen).length;
	}

	/** When the service no longer counts a request. */
	private leavesAt({ sentAt, delayMs, mostLateMs }: SentRequest, now: number): number {
		const late = (delayMs ?? now - sentAt) - this.latency.quickMs;
		return sentAt + WINDOW_MS + Math.min(Math.max(late, 0), mostLateMs);
	}
}
