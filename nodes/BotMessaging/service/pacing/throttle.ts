import type { Speed } from './gate';

const SECOND_MS = 1000;

/** Answers of the last seconds tell how much the service takes. */
const MEASURE_MS = 4000;

/** Nothing is slower than this, so that a request is sent from time to time and can succeed. */
const LOWEST_RATE = 0.5;

/** So long nothing beyond the known limit is tried after a refusal; each try that fails doubles it. */
const HOLD_MS = 8000;
const LONGEST_HOLD_MS = 300_000;

/** Each answer closes this part of the gap to the known limit. */
const RECOVERY = 0.25;

/** Refused at the known limit itself: requests come a little closer together than they were sent. */
const LOWERED = 0.98;
const NEARLY = 0.95;

/** Refused before the pace was kept for a second: too soon to count answers. */
const LOWERED_SOON = 0.9;

/** Answers for this part of what was expected show that the limit is still there. */
const MUCH = 0.8;

/** Fewer answers than this part of the pace are too few to take their number for the limit. */
const LEAST_SEEN = 0.25;

/** Beyond the known limit no answer raises the pace by more than this. */
const LARGEST_STEP = 1.02;

/** A pace this much above the known limit shows that the limit is gone. */
const PROVEN = 1.5;

/** What a refusal tells. */
export interface Refusal {
	/** When the refused request was sent, in ms of the clock. */
	sentAt: number;
	/** The limit that the service named, in requests per second. */
	limit?: number;
	/** Whether the pace was the reason for the number of requests, and not that there was no more to send. */
	paced: boolean;
}

/**
 * Finds the limit that the service does not tell. A refusal halves the pace at least; answers then bring it back within
 * about a second to what the service was seen to take, and after a while, slowly first, beyond that.
 */
export class Throttle {
	/** The pace now, requests per second; infinite as long as nothing was refused. */
	private pace = Infinity;

	/** What the service was seen to take. */
	private known = Infinity;

	private holdMs = HOLD_MS;

	private refusedAt = -Infinity;

	/** When the request was sent whose refusal gave the first idea of the limit, and since when it was counted. */
	private guessedAt = -Infinity;

	private guessedFrom = -Infinity;

	/** Since when the pace is what is known, so that counting answers means something. */
	private steadySince = -Infinity;

	/** When the accepted requests of the last seconds were sent. */
	private accepted: number[] = [];

	/** The pace to keep, in requests per second; never above `ceiling`. */
	rate(ceiling: number): number {
		return Math.min(this.pace, ceiling);
	}

	/** The pace to keep, and how many requests the service is believed to take within a second. */
	speed(ceiling: number): Speed {
		return { rate: this.rate(ceiling), room: Math.min(Math.max(this.pace, this.known), ceiling) };
	}

	/** Whether anything learnt from refusals is still in force. */
	isLearning(now: number): boolean {
		return this.pace !== Infinity && now - this.refusedAt < LONGEST_HOLD_MS;
	}

	/** Says that the service took a request. */
	accept(sentAt: number, now: number, ceiling: number): void {
		const idleMs = sentAt - (this.accepted.at(-1) ?? -Infinity);
		if (idleMs > SECOND_MS && this.steadySince !== Infinity) this.steadySince = sentAt;
		this.accepted.push(sentAt);
		if (this.accepted[0] !== undefined && this.accepted[0] < now - 2 * MEASURE_MS) {
			this.accepted = this.accepted.filter((time) => time >= now - MEASURE_MS);
		}
		if (sentAt <= this.guessedAt) this.guessAgain();
		if (sentAt < this.refusedAt || this.pace === Infinity) return;
		if (this.pace < this.known) this.recover();
		else this.steadySince = Math.min(this.steadySince, sentAt);
		if (this.pace >= this.known && this.pace < ceiling) this.probe(now, ceiling);
	}

	/** Says that the service refused a request. Returns false when this belongs to a refusal already dealt with. */
	refuse(refusal: Refusal, now: number, ceiling: number): boolean {
		if (refusal.sentAt <= this.refusedAt) return false;
		const rate = this.rate(ceiling);
		const { known } = this;
		this.known = Math.max(LOWEST_RATE, Math.min(this.limitFrom(refusal, rate), ceiling));
		this.guessedAt = known === Infinity && refusal.limit === undefined ? refusal.sentAt : -Infinity;
		this.guessedFrom = this.steadySince;
		const wasInVain = this.pace > known && this.known === known;
		this.holdMs = wasInVain ? Math.min(this.holdMs * 2, LONGEST_HOLD_MS) : HOLD_MS;
		if (refusal.limit && this.known >= refusal.limit * MUCH) this.holdMs = LONGEST_HOLD_MS;
		this.pace = Math.max(LOWEST_RATE, Math.min(rate / 2, this.known));
		this.refusedAt = now;
		this.steadySince = Infinity;
		return true;
	}

	/** A named limit is believed, unless the service takes much less: then others use up the rest. */
	private limitFrom({ sentAt, limit, paced }: Refusal, rate: number): number {
		const seen = this.seenBefore(sentAt);
		const known = Math.min(this.known, limit && limit > 0 ? limit : Infinity);
		if (known === Infinity) return Math.max(whole(seen), rate * (paced ? LEAST_SEEN : 0.5));
		if (rate > known && limit) return known;
		// As much as was taken while the pace rose, the limit is at least; and it is a whole number.
		if (rate > known)
			return seen >= known * MUCH ? Math.max(known, Math.ceil(seen - 0.2)) : whole(seen);
		if (rate < known) return Math.max(whole(seen), rate);
		if (sentAt - this.steadySince < SECOND_MS) return Math.max(whole(seen), known * LOWERED_SOON);
		const enough = known * (limit ? MUCH : NEARLY);
		return seen >= enough ? known * LOWERED : Math.max(whole(seen), rate * LEAST_SEEN);
	}

	/** An answer came after the first refusal, to a request that had been sent before the refused one. */
	private guessAgain(): void {
		this.known = Math.max(this.known, whole(this.seenBefore(this.guessedAt, this.guessedFrom)));
	}

	/** Requests per second that the service took in the last steady seconds. */
	private seenBefore(time: number, steadySince = this.steadySince): number {
		const span = Math.min(Math.max(time - steadySince, SECOND_MS), MEASURE_MS);
		return countBetween(this.accepted, time - span, time) / (span / SECOND_MS);
	}

	private recover(): void {
		const raised = this.pace + Math.max((this.known - this.pace) * RECOVERY, this.known * 0.02);
		this.pace = Math.min(raised, this.known);
	}

	private probe(now: number, ceiling: number): void {
		const seconds = (now - this.refusedAt - this.holdMs) / SECOND_MS;
		if (seconds <= 0) return;
		const target = this.known * (1 + 0.01 * seconds + 0.005 * seconds ** 2);
		this.pace = Math.min(ceiling, Math.max(this.pace, Math.min(target, this.pace * LARGEST_STEP)));
		if (this.pace < this.known * PROVEN) return;
		this.known = this.pace;
		this.holdMs = HOLD_MS;
		this.refusedAt = now - HOLD_MS;
	}
}

/** Limits are whole numbers. */
const whole = (rate: number): number => (rate >= 3 ? Math.round(rate) : rate);

function countBetween(times: number[], from: number, to: number): number {
	return times.filter((time) => time >= from && time <= to).length;
}
