import type { Limits } from './options';

type Algorithm = Limits['algorithm'];

const SECOND = 1000;

/** Rate limiter for one bot's requests, or the writes into one chat. Times are milliseconds of a monotonic clock. */
export class Limiter {
	private tokens: number | undefined;

	private refilled = 0;

	/** Times of the last admissions, oldest first; for the sliding window. */
	private recent: number[] = [];

	/** Takes a place if one is free at `now`. A rate of 0 means no limit. */
	admit(now: number, rate: number, algorithm: Algorithm): boolean {
		if (rate <= 0) return true;
		if (this.waitingTime(now, rate, algorithm) > 0) return false;
		this.take(now, algorithm);
		return true;
	}

	/** Takes the next place and returns how many milliseconds after `now` it is. */
	reserve(now: number, rate: number, algorithm: Algorithm): number {
		if (rate <= 0) return 0;
		const wait = this.waitingTime(now, rate, algorithm);
		this.take(now + wait, algorithm);
		return wait;
	}

	private waitingTime(now: number, rate: number, algorithm: Algorithm): number {
		this.refill(now, rate);
		if (algorithm === 'bucket') return Math.max(0, ((1 - (this.tokens ?? 0)) / rate) * SECOND);
		const window = Math.max(1, Math.floor(rate));
		this.recent = this.recent.slice(-window);
		const oldest = this.recent.length < window ? undefined : this.recent[0];
		return oldest === undefined ? 0 : Math.max(0, oldest + SECOND - now);
	}

	private take(time: number, algorithm: Algorithm): void {
		this.tokens = (this.tokens ?? 0) - 1;
		if (algorithm === 'sliding') this.recent.push(time);
	}

	private refill(now: number, rate: number): void {
		const capacity = Math.max(1, rate);
		// A request that a fault has held up arrived before others that have been counted since.
		const earned = (Math.max(0, now - this.refilled) / SECOND) * rate;
		this.tokens = Math.min(capacity, (this.tokens ?? capacity) + earned);
		this.refilled = Math.max(now, this.refilled);
	}
}
