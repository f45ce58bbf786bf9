import type { Policy } from './dispatcherOptions';

/**
 * Less lag than this, in ms, is usual in an n8n with little to do. (With 40 ms a single event waits a third as long in a
 * busy n8n, and the first events of a burst come out of order there.)
 */
const USUAL_MS = 15;

/** The busier n8n is, the farther events overtake each other in it: so many times the lag, in ms at most. */
const OVERTAKEN_BY = 10;
const LONGEST_OVERTAKEN_MS = 1000;

/** A lag tells so long what to expect, in ms. */
const TOLD_FOR_MS = 1000;

/**
 * How late n8n's event loop wakes those who sleep. What n8n does for a webhook before it calls the trigger takes its
 * turns in that loop, so events that came one after the other leave it in another order. Clocks of others do not matter.
 */
class Lag {
	private seen: Array<{ ms: number; at: number }> = [];

	/** Notes a sleep that took `ms` longer than it was to. */
	note(ms: number, now: number): void {
		this.seen = this.seen.filter(({ at }) => now - at < TOLD_FOR_MS);
		if (ms > USUAL_MS) this.seen.push({ ms, at: now });
	}

	/** How far one event may come after a later one at present, in ms. */
	overtakenMs(now: number): number {
		const lately = this.seen.filter(({ at }) => now - at < TOLD_FOR_MS).map(({ ms }) => ms);
		const over = Math.max(USUAL_MS, ...lately) - USUAL_MS;
		return Math.min(over * OVERTAKEN_BY, LONGEST_OVERTAKEN_MS);
	}
}

/** So many executions tell how long it usually takes n8n to store one and to prepare its first step. */
const TELLING = 8;
const USUAL_PART = 0.75;
const LONGEST_JOURNEY_MS = 200;

/**
 * How long executions take from their start to their first step. What n8n does before it calls the trigger is much the
 * same, and one event may find it prepared, and be quick, where the one before it has to wait.
 */
class Journeys {
	private lately: number[] = [];

	note(ms: number): void {
		this.lately = [...this.lately, ms].slice(-TELLING);
	}

	/** What most of them took no longer than, in ms. */
	get usualMs(): number {
		const sorted = this.lately.toSorted((a, b) => a - b);
		return Math.min(sorted[Math.floor(sorted.length * USUAL_PART)] ?? 0, LONGEST_JOURNEY_MS);
	}
}

/** How far events of a chat may overtake each other in n8n, by what is seen of it. All times are in ms. */
export class Overtaking {
	private readonly lag = new Lag();

	private readonly journeys = new Journeys();

	/** Notes a sleep that ended `ms` later than it was to. */
	noteLag(ms: number, now: number): void {
		this.lag.note(ms, now);
	}

	/** Notes that an execution took `ms` from its start to its first step. */
	noteJourney(ms: number): void {
		this.journeys.note(ms);
	}

	/** How long an event waits for those that happened before it in its chat and come after it. */
	waitMs({ inOrder, settleMs }: Policy, now: number): number {
		if (!inOrder || settleMs === 0) return 0;
		return Math.max(settleMs + this.lag.overtakenMs(now), this.journeys.usualMs);
	}
}
