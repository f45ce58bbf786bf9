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

/** So many executions tell how long it usually takes n8n to store one and to prepare its first step. */
const TELLING = 8;
const USUAL_PART = 0.75;
const LONGEST_JOURNEY_MS = 200;

/** How far events of a chat may overtake each other in n8n, by what is seen of it. All times are in ms. */
export class Overtaking {
	/**
	 * How late n8n's event loop woke those who slept. What n8n does for a webhook before it calls the trigger takes its
	 * turns in that loop, so events that came one after the other leave it in another order. Clocks of others do not matter.
	 */
	private lags: Array<{ ms: number; at: number }> = [];

	/**
	 * How long the last executions took from their start to their first step. What n8n does before it calls the trigger is
	 * much the same, and one event may find it prepared, and be quick, where the one before it has to wait.
	 */
	private journeys: number[] = [];

	/** Whether executions ask before they begin: then n8n can store them while they wait. */
	isAsked = false;

	/** Notes a sleep that ended `ms` later than it was to. */
	noteLag(ms: number, now: number): void {
		this.lags = this.lags.filter(({ at }) => now - at < TOLD_FOR_MS);
		if (ms > USUAL_MS) this.lags.push({ ms, at: now });
	}

	/** Notes that an execution took `ms` from its start to its first step. */
	noteJourney(ms: number): void {
		this.journeys = [...this.journeys, ms].slice(-TELLING);
	}

	/** How long an event waits for overtaken ones before its execution is started. */
	waitMs(policy: Policy, now: number): number {
		return this.storesAhead(policy) ? 0 : this.settleMs(policy, now);
	}

	/** Whether n8n stores executions while their events wait for overtaken ones. */
	storesAhead({ inOrder, together }: Policy): boolean {
		return this.isAsked && inOrder && !together;
	}

	/** How long an event waits for those that happened before it in its chat and come after it. */
	settleMs({ inOrder, settleMs }: Policy, now: number): number {
		if (!inOrder || settleMs === 0) return 0;
		const lately = this.lags.filter(({ at }) => now - at < TOLD_FOR_MS).map(({ ms }) => ms);
		const overtakenMs = OVERTAKEN_BY * (Math.max(USUAL_MS, ...lately) - USUAL_MS);
		const journeys = this.journeys.toSorted((a, b) => a - b);
		const usualJourneyMs = journeys[Math.floor(journeys.length * USUAL_PART)] ?? 0;
		return Math.max(
			settleMs + Math.min(overtakenMs, LONGEST_OVERTAKEN_MS),
			Math.min(usualJourneyMs, LONGEST_JOURNEY_MS),
		);
	}
}
