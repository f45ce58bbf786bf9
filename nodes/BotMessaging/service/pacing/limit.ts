import type { Refused } from '../types';
import type { Latency } from './latency';
import { LearntRate, PAUSE_MS, SECOND_MS } from './learntRate';

/** A request that a limit let through. All times are ms of the clock. */
export interface Grant {
	readonly sentAt: number;
	/** Most that its arrival may have been late. */
	readonly mostLateMs: number;
	/** Time until its answer, once there is one. */
	delayMs?: number;
	isRefused?: boolean;
}

/**
 * The service counts requests when they arrive, over a second of its own clock. So many ms are kept free beyond that
 * second: they cover what no measurement shows, such as the last step of a timer.
 */
const WINDOW_MS = SECOND_MS + 6;

/** An answer that took longer than quick ones tells that its request may have arrived as much later. */
const MOST_LATE_MS = 100;
/** The first requests after a quiet time pay for names, certificates and cold code. */
const MOST_LATE_COLD_MS = 250;
const COLD_AFTER_MS = 5000;
const COLD_FOR_MS = 500;

/** A timer that fires late is made up for, up to so many ms. */
const MOST_CATCH_UP_MS = 20;

/** So many requests may go before so many answers show what the service takes. */
const MOST_UNPROVEN = 5;
const PROOF = 3;

/**
 * Where requests follow each other faster than their answers come, who begins goes slower until refusals of the first
 * ones would be known, after so many times of an answer: others may have begun at the same moment.
 */
const BEGINNING = { slower: 2, answers: 2.5 };

/** Requests are remembered for so long, so that a late refusal can be understood. */
const REMEMBERED_MS = 5000;

/**
 * One limit of the service, of the bot or of a chat: lets at most so many requests through that no second of the
 * service's clock sees more of them arrive, whatever way it counts: by a bucket, a sliding or a fixed window. Requests
 * that have to wait are spread evenly, so that somebody who comes later finds a place soon; after a quiet time a few
 * may go at once.
 */
export class Limit {
	/** Requests of the last seconds, oldest first. */
	private readonly sent: Grant[] = [];

	/** So many of them the service counts no longer. */
	private gone = 0;

	/** So many requests may go without being spread. */
	private credit = Infinity;

	/** When the next request is due that has no credit. */
	private due = -Infinity;

	/** When it went after a quiet time. */
	private begunAt = -Infinity;

	/** Nobody goes before this time. */
	closedUntil = -Infinity;

	private readonly learnt: LearntRate;

	/**
	 * @param ceiling asked for the most requests per second that are wanted
	 * @param burstShare the part of a second's requests that may go at once after a quiet time
	 */
	constructor(
		private readonly latency: Latency,
		ceiling: () => number,
		private readonly burstShare: number,
	) {
		this.learnt = new LearntRate(ceiling);
	}

	/** Requests per second now. */
	get rate(): number {
		return this.learnt.rate;
	}

	/** Whether anything learnt is still in force. */
	isLearning(now: number): boolean {
		return this.learnt.isInForce(now);
	}

	/** Whether nothing is known here that would be missed. */
	isQuiet(now: number): boolean {
		return this.inUse(now) === 0 && this.closedUntil <= now && !this.isLearning(now);
	}

	/** How many requests the service may still count. */
	inUse(now: number): number {
		for (let oldest = this.sent[this.gone]; oldest; oldest = this.sent[this.gone]) {
			if (this.leavesAt(oldest, now) > now) break;
			this.gone++;
		}
		return this.sent.length - this.gone;
	}

	/** When the next request may go; not later than `now` means at once. */
	freeAt(now: number): number {
		this.learnt.lookForMore(now);
		if (this.isUnproven()) {
			this.hold(now);
			return Infinity;
		}
		const blocking = this.sent[this.sent.length - this.places()];
		const place = blocking ? this.leavesAt(blocking, now) : -Infinity;
		return Math.max(this.closedUntil, place, this.credit >= 1 ? -Infinity : this.due);
	}

	/** Lets a request through; `waited` tells whether it had to wait for this limit. */
	take(now: number, waited: boolean): Grant {
		const last = this.sent.at(-1)?.sentAt ?? -Infinity;
		if (now - last > COLD_AFTER_MS) this.begunAt = now;
		const mostLateMs = now < this.begunAt + COLD_FOR_MS ? MOST_LATE_COLD_MS : MOST_LATE_MS;
		const grant: Grant = { sentAt: now, mostLateMs };
		this.forget(now);
		this.sent.push(grant);
		const earned = (now - last) / this.intervalMs(now);
		const most = Math.max(1, Math.floor(this.rate * this.burstShare));
		this.credit = waited ? 0 : Math.max(0, Math.min(most, this.credit + earned) - 1);
		this.due = (waited ? Math.max(this.due, now - MOST_CATCH_UP_MS) : now) + this.spreadMs(now);
		return grant;
	}

	/** Says that the service refused a request: learns, and believes the limit that it names. */
	refuse(grant: Grant, { limit, retryAfterMs }: Refused, now: number): void {
		grant.isRefused = true;
		if (retryAfterMs !== undefined)
			this.closedUntil = Math.max(this.closedUntil, now + retryAfterMs);
		// What was sent before the last lesson was refused for the same reason.
		if (grant.sentAt <= this.learnt.at) return;
		const isFirst = this.learnt.learn(limit, this.seenBefore(grant), now);
		if (isFirst) this.closedUntil = Math.max(this.closedUntil, now + PAUSE_MS);
	}

	/** How many requests the service took in the second before a refusal, as far as is known. */
	private seenBefore({ sentAt }: Grant): number {
		const from = sentAt - SECOND_MS;
		const isSeen = (other: Grant): boolean =>
			!other.isRefused && other.sentAt > from && other.sentAt <= sentAt;
		return this.sent.filter(isSeen).length;
	}

	private forget(now: number): void {
		while (this.gone > 0 && (this.sent[0]?.sentAt ?? now) < now - REMEMBERED_MS) {
			this.sent.shift();
			this.gone--;
		}
	}

	private isUnproven(): boolean {
		if (this.latency.isKnown() || this.sent.length < MOST_UNPROVEN) return false;
		return this.sent.filter(({ delayMs }) => delayMs !== undefined).length < PROOF;
	}

	/** Who had to wait for answers does not go on in a burst: others may have begun at the same moment. */
	private hold(now: number): void {
		if (now === this.sent.at(-1)?.sentAt) return;
		this.credit = 0;
		this.due = now + this.intervalMs(now);
	}

	private places(): number {
		return Math.max(1, Math.ceil(this.rate));
	}

	private intervalMs(now: number): number {
		const intervalMs = WINDOW_MS / this.rate;
		const answerMs = this.latency.isKnown() ? this.latency.quickMs() : 0;
		const begun = this.begunAt + Math.min(COLD_FOR_MS, BEGINNING.answers * answerMs);
		const isBeginning = now < begun && !this.isLearning(now);
		return isBeginning && intervalMs < answerMs ? intervalMs * BEGINNING.slower : intervalMs;
	}

	/** What is left of this second's places is spread over the time until the next place becomes free. */
	private spreadMs(now: number): number {
		const inUse = this.inUse(now);
		const oldest = this.sent[this.gone];
		const left = Math.max(0, this.places() - inUse);
		const spread = oldest ? (this.leavesAt(oldest, now) - now) / (left + 1) : 0;
		return Math.max(this.intervalMs(now), spread);
	}

	/** When the service counts a request no longer. */
	private leavesAt({ sentAt, delayMs, mostLateMs }: Grant, now: number): number {
		const late = (delayMs ?? now - sentAt) - this.latency.quickMs();
		return sentAt + WINDOW_MS + Math.min(Math.max(late, 0), mostLateMs);
	}
}
