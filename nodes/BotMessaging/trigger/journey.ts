/** An event that is older than this, in ms, was delivered before, or has another clock. */
const FRESH_MS = 30_000;

/** A first event that takes longer tells of a service with another clock; with the same, this is quick. In ms. */
const OTHER_CLOCK_MS = 2000;
const QUICK_MS = 50;

/** The measure rises by so much with each event, in ms, so that clocks that change do no harm for long. */
const RISE_MS = 5;

/** So many of the last events tell how long others take now, for so long, in ms. */
const LAST = 4;
const TOLD_FOR_MS = 2000;

/** Each event that waits makes overtaking more likely: what it adds to the time to settle, in ms, and the most. */
const SETTLE_PER_EVENT_MS = 10;
const LONGEST_SETTLE_BY_NUMBER_MS = 500;

/** So does each ms that events take longer than usual; the most that this adds. */
const LONGEST_SETTLE_MS = 3000;

/**
 * How much longer than usual events take from the service to here. The later they are, the farther they overtake each
 * other. The clocks of both need not agree: what the quickest event took is the measure of the others.
 */
export class Journey {
	private quickestMs?: number;

	private last: Array<{ lateMs: number; at: number }> = [];

	/** Notes an event that came `ms` after it happened. */
	note(ms: number, now: number): void {
		if (Math.abs(ms) > FRESH_MS) return;
		const quickest = this.quickestMs ?? (ms > OTHER_CLOCK_MS ? ms : QUICK_MS);
		this.quickestMs = Math.min(ms, quickest + RISE_MS);
		this.last = [...this.last.slice(1 - LAST), { lateMs: ms - this.quickestMs, at: now }];
	}

	/** How far one event may come after a later one beside so many others that wait, in ms. */
	overtakenMs(others: number, now: number): number {
		const byNumber = Math.min(others * SETTLE_PER_EVENT_MS, LONGEST_SETTLE_BY_NUMBER_MS);
		return Math.max(byNumber, Math.min(this.lateMs(now), LONGEST_SETTLE_MS));
	}

	/** How much longer than the quickest the slowest of the last events took, in ms. */
	private lateMs(now: number): number {
		const lately = this.last.filter(({ at }) => now - at < TOLD_FOR_MS);
		return Math.max(0, ...lately.map(({ lateMs }) => lateMs));
	}
}
