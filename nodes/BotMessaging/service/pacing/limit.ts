import type { Refused } from '../types';
import { ENOUGH_ANSWERS, type Latency } from './latency';
import { LearntRate, PAUSE_MS } from './learntRate';
import { SentRequests, WINDOW_MS, type SentRequest } from './sentRequests';

/** A request may have arrived late by as much as its answer is slower than quick ones, up to this many ms. */
const MOST_LATE_MS = 100;
/** The same for the first requests after a quiet time, which pay for DNS lookups, TLS handshakes and cold code. */
const MOST_LATE_COLD_MS = 250;
const COLD_AFTER_MS = 5000;
const COLD_FOR_MS = 500;

/** The delay of a late timer is made up for, up to this many ms. */
const MOST_CATCH_UP_MS = 20;

/** While the latency is unknown, no more than MOST_UNPROVEN requests go before ENOUGH_ANSWERS of them have an outcome. */
const MOST_UNPROVEN = 5;

/** After so many refusals in a row, the next request no longer takes the place of the refused one. */
const MOST_MISSES = 5;

/**
 * If requests go faster than answers come back, a process starts out `slower` times as slow, until refusals of its first
 * requests would be known, after `answers` times the delay of an answer: others may have started at the same moment.
 */
const BEGINNING = { slower: 2, answers: 2.5 };

/**
 * One limit of the service, for a bot or for a chat. Lets requests through such that no second of the service's clock
 * sees more of them arrive than the rate allows, whether it counts by a token bucket, a sliding or a fixed window.
 * Requests that have to wait are spread evenly, so that a latecomer finds a place soon; after a quiet time a few may
 * go at once.
 */
export class Limit {
	private readonly sent: SentRequests;

	/** Number of requests that may go at once instead of being spread. */
	private credit = Infinity;

	/** When the next request without credit is due. */
	private due = -Infinity;

	/** When sending last started after a quiet time. */
	private begunAt = -Infinity;

	/** Refusals of requests sent before this time teach nothing new. */
	private fullUntil = -Infinity;

	/** No request goes before this time. */
	closedUntil = -Infinity;

	/** Number of refusals since a request was accepted. */
	private misses = 0;

	/** When the last of them was sent. */
	private missedAt = -Infinity;

	private readonly learnt: LearntRate;

	/**
	 * @param ceiling returns the highest wanted rate, in requests per second
	 * @param burstShare fraction of a second's requests that may go at once after a quiet time
	 */
	constructor(
		private readonly latency: Latency,
		ceiling: () => number,
		private readonly burstShare: number,
	) {
		this.sent = new SentRequests(latency);
		this.learnt = new LearntRate(ceiling);
	}

	/** The current rate, in requests per second. */
	get rate(): number {
		return this.learnt.rate;
	}

	/** Whether anything learned is still in force. */
	isLearning(now: number): boolean {
		return this.learnt.isInForce(now);
	}

	/** Whether the limit can be dropped without losing anything. */
	isQuiet(now: number): boolean {
		if (this.inUse(now) > 0 || this.closedUntil > now || this.isLearning(now)) return false;
		// At less than one request per second, the next is due only after the service has forgotten the last.
		if (this.due > now) return false;
		// What is in flight may still be refused.
		return this.sent.answered === this.sent.count;
	}

	/** Number of requests that the service may still count. */
	inUse(now: number): number {
		return this.sent.inUse(now);
	}

	/** When the next request may go; `now` or earlier means at once. */
	freeAt(now: number): number {
		this.learnt.lookForMore(now);
		if (this.isUnproven()) {
			this.hold(now);
			return Infinity;
		}
		const place = this.sent.fewerAt(this.places(), now) ?? -Infinity;
		return Math.max(this.closedUntil, place, this.credit >= 1 ? -Infinity : this.due);
	}

	/** Lets a request through; `waited` tells whether it had to wait for this limit. */
	take(now: number, waited: boolean): SentRequest {
		const last = this.sent.lastAt;
		if (now - last > COLD_AFTER_MS) this.begunAt = now;
		const mostLateMs = now < this.begunAt + COLD_FOR_MS ? MOST_LATE_COLD_MS : MOST_LATE_MS;
		const request: SentRequest = { sentAt: now, mostLateMs };
		this.sent.add(request);
		const earned = (now - last) / this.intervalMs(now);
		const most = Math.max(1, Math.floor(this.rate * this.burstShare));
		this.credit = waited ? 0 : Math.max(0, Math.min(most, this.credit + earned) - 1);
		this.due = (waited ? Math.max(this.due, now - MOST_CATCH_UP_MS) : now) + this.spreadMs(now);
		return request;
	}

	/** Learns from the refusal of a request, and from the limit that it names, if any. */
	refuse(request: SentRequest, { limit, retryAfterMs }: Refused, now: number): void {
		request.isRefused = true;
		if (retryAfterMs !== undefined)
			this.closedUntil = Math.max(this.closedUntil, now + retryAfterMs);
		// A request sent before the last lesson was refused for the same reason.
		if (request.sentAt <= this.learnt.at) return;
		// The service does not count what it refuses. If its place is not used soon, another process takes it.
		if (
			this.learnt.isInForce(now) &&
			this.sent.remove(request) &&
			this.missesWith(request) <= MOST_MISSES
		)
			this.due = now;
		// The second in which the limit was first reached is full for all processes, whatever they send.
		if (request.sentAt < this.fullUntil) return;
		const isFirst = this.learnt.learn(limit, this.sent.seenBefore(request), now);
		if (!isFirst) return;
		this.fullUntil = now + WINDOW_MS;
		this.closedUntil = Math.max(this.closedUntil, now + PAUSE_MS);
	}

	/** Notes a refusal. Returns the number of refusals since a request was accepted. */
	private missesWith({ sentAt }: SentRequest): number {
		this.misses = this.sent.hasAccepted(this.missedAt) ? 1 : this.misses + 1;
		this.missedAt = sentAt;
		return this.misses;
	}

	private isUnproven(): boolean {
		if (this.latency.isKnown() || this.sent.count < MOST_UNPROVEN) return false;
		return this.sent.answered < ENOUGH_ANSWERS;
	}

	/** After waiting for answers, requests are spread, without a burst: others may have started at the same moment. */
	private hold(now: number): void {
		if (now === this.sent.lastAt) return;
		this.credit = 0;
		this.due = now + this.intervalMs(now);
	}

	private places(): number {
		return Math.max(1, Math.ceil(this.rate));
	}

	private intervalMs(now: number): number {
		const intervalMs = WINDOW_MS / this.rate;
		const answerMs = this.latency.isKnown() ? this.latency.quickMs : 0;
		const begun = this.begunAt + Math.min(COLD_FOR_MS, BEGINNING.answers * answerMs);
		const isBeginning = now < begun && !this.isLearning(now);
		return isBeginning && intervalMs < answerMs ? intervalMs * BEGINNING.slower : intervalMs;
	}

	/** The interval that spreads this second's remaining places over the time until the next one becomes free. */
	private spreadMs(now: number): number {
		const inUse = this.inUse(now);
		const left = Math.max(0, this.places() - inUse);
		const fewerAt = this.sent.fewerAt(inUse, now) ?? now;
		return Math.max(this.intervalMs(now), (fewerAt - now) / (left + 1));
	}
}
