import type { Policy } from '../settings/dispatcherOptions';

/**
 * Lag below this, in ms, is normal in an idle n8n. (Measured with 40 ms: in a busy n8n, a single event waits a third as
 * long, but the first events of a burst come out of order.)
 */
const USUAL_MS = 15;

/** The busier n8n is, the farther events overtake each other: this many times the lag, up to a limit in ms. */
const OVERTAKEN_BY = 10;
const LONGEST_OVERTAKEN_MS = 1000;

/** How long a measured lag counts, in ms. */
const LAG_VALID_MS = 1000;

/** The usual time from an execution's start to its first step: this quantile of the last few, up to a limit in ms. */
const SAMPLES = 8;
const USUAL_PART = 0.75;
const LONGEST_START_MS = 200;

/** Estimates from measurements how far events of a chat overtake each other in n8n. All times are in ms. */
export class Overtaking {
	/**
	 * Recent event loop lags: how much later than asked sleeps ended. n8n's work on a webhook before it calls the trigger
	 * is interleaved in that loop, so events can leave it in another order than they arrived. Uses only this n8n's clock.
	 */
	private lags: Array<{ ms: number; at: number }> = [];

	/**
	 * How long the last executions took from their start to their first step. n8n does much the same work before it calls
	 * the trigger, and an event may find that work already done and overtake the one before it.
	 */
	private startDelays: number[] = [];

	/** Whether executions ask for their turn before they begin: then n8n can store them while they wait. */
	isAsked = false;

	/** Notes that a sleep ended `ms` late. */
	noteLag(ms: number, now: number): void {
		this.lags = [...this.lags.filter(({ at }) => now - at < LAG_VALID_MS), { ms, at: now }];
	}

	/** Notes that an execution took `ms` from its start to its first step. */
	noteStartDelay(ms: number): void {
		this.startDelays = [...this.startDelays, ms].slice(-SAMPLES);
	}

	/** How long an event waits for events that it has overtaken before n8n is asked to store its execution. */
	waitMs(policy: Policy, now: number): number {
		// The longer events wait that may go together, the more do.
		const storesAhead = this.asks(policy) && !policy.together;
		return storesAhead ? 0 : this.settleMs(policy, now);
	}

	/** Whether executions wait for their turn when they are stored. */
	asks({ inOrder }: Policy): boolean {
		return this.isAsked && inOrder;
	}

	/** How long an event waits for events of its chat that happened earlier but arrive later. */
	settleMs({ inOrder, settleMs }: Policy, now: number): number {
		if (!inOrder || settleMs === 0) return 0;
		const lately = this.lags.filter(({ at }) => now - at < LAG_VALID_MS).map(({ ms }) => ms);
		const overtakenMs = OVERTAKEN_BY * (Math.max(USUAL_MS, ...lately) - USUAL_MS);
		const delays = this.startDelays.toSorted((a, b) => a - b);
		const usualStartMs = delays[Math.floor(delays.length * USUAL_PART)] ?? 0;
		return Math.max(
			settleMs + Math.min(overtakenMs, LONGEST_OVERTAKEN_MS),
			Math.min(usualStartMs, LONGEST_START_MS),
		);
	}
}

/**
 * An execution counts as lost when another one has begun that n8n was asked for so much later, in ms. Longer than n8n
 * takes to pass on what a lost worker had (90 s by default).
 */
const LOST_AFTER_MS = 120_000;

/**
 * Tells which executions n8n may have lost before they began, as can happen when its database fails: it begins them in
 * the order in which it was asked for them. If none begins for long, n8n may just be full, so that only the oldest
 * counts; asking for it again finds out. All times are in ms.
 */
export class LostExecutions {
	private begunAt = -Infinity;

	/** When n8n was asked for the newest of the executions that have begun. */
	private newestBegun = -Infinity;

	/** Notes that an execution has begun that n8n was asked for at `askedForAt`. */
	noteBegun(askedForAt: number, now: number): void {
		this.begunAt = now;
		this.newestBegun = Math.max(this.newestBegun, askedForAt);
	}

	/** Those that may be lost, of the executions that have not begun, given oldest first. */
	among<E extends { askedForAt: number }>(storing: Iterable<E>, now: number): E[] {
		const isStandstill = now - this.begunAt > LOST_AFTER_MS;
		return [...storing].filter(
			({ askedForAt }, index) =>
				(isStandstill && index === 0 ? now : this.newestBegun) - askedForAt > LOST_AFTER_MS,
		);
	}
}
