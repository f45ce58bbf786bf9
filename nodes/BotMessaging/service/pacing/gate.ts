/** A request that a gate let through. */
export interface Grant {
	/** When it was sent, in ms of the clock. */
	sentAt: number;
	/** Time until its answer in ms, once there is one. */
	delayMs?: number;
	/** Most that its arrival may have been late, in ms. */
	mostLateMs: number;
}

/**
 * The service counts requests when they arrive, over a second of its own clock. So many ms are kept free beyond that
 * second: they cover what no measurement shows, such as the last step of a timer.
 */
const MARGIN_MS = 6;
export const WINDOW_MS = 1000 + MARGIN_MS;

/** An answer that took longer than quick ones tells that its request may have arrived as much later. */
const MOST_LATE_MS = 100;
/** The first requests after a quiet time pay for names, certificates and cold code. */
const MOST_LATE_COLD_MS = 250;
const COLD_AFTER_MS = 5000;
const COLD_FOR_MS = 500;

/** A timer that fires late is made up for, up to so many ms. */
const MOST_CATCH_UP_MS = 20;

/** Answers that are remembered, and the part of them that counts as quick. */
const REMEMBERED = 32;
const QUICK_PART = 0.04;

/** How fast requests may go. */
export interface Speed {
	/** Requests per second that are sent; may be fractional. */
	rate: number;
	/** Requests that may arrive within a second. More than the rate while that is lowered for a moment. */
	room: number;
}

/** The quick answers of the last seconds: the part of every delay that is the same for all requests. */
export class Path {
	private readonly delays: number[] = [];

	private quick = Infinity;

	/** Notes the delay of an answer, in ms. */
	note(delayMs: number): void {
		this.delays.push(delayMs);
		if (this.delays.length > REMEMBERED) this.delays.shift();
		const sorted = [...this.delays].sort((a, b) => a - b);
		this.quick = sorted[Math.floor(sorted.length * QUICK_PART)] ?? Infinity;
	}

	/** The delay of a quick answer in ms, infinite as long as there was none. */
	quickMs(): number {
		return this.quick;
	}
}

/**
 * Lets at most so many requests through that no second of the service's clock sees more than `room` of them arrive,
 * whatever way it counts: by a bucket, a sliding or a fixed window. Requests that have to wait are spread evenly, so
 * that somebody who comes later finds a place soon; after a quiet time a few may go at once.
 *
 * All times are ms; rates are per second and may be fractional.
 */
export class Gate {
	/** Requests that the service may still count, oldest first. */
	private recent: Grant[] = [];

	/** So many requests may go without being spread. */
	private credit = Infinity;

	private creditAt = -Infinity;

	/** When the next request is due that has no credit. */
	private due = -Infinity;

	private lastAt = -Infinity;

	private coldUntil = -Infinity;

	private closed = -Infinity;

	/** `burstShare`: the part of a second's requests that may go at once after a quiet time. */
	constructor(
		private readonly path: Path,
		private readonly burstShare: number,
	) {}

	/** Nobody goes before this time. */
	get closedUntil(): number {
		return this.closed;
	}

	/** Lets nobody through before `until`. */
	close(until: number): void {
		this.closed = Math.max(this.closed, until);
	}

	/** Whether the service has forgotten everything that went through. */
	isQuiet(now: number): boolean {
		this.forget(now);
		return this.recent.length === 0 && this.closed <= now;
	}

	/** How many requests the service may still count. */
	inUse(now: number): number {
		this.forget(now);
		return this.recent.length;
	}

	/** Says that a request comes while nobody waits: the quiet time before it earns credit. */
	arrive(now: number, { rate }: Speed): void {
		const most = Math.max(1, Math.floor(rate * this.burstShare));
		const earned = (now - this.creditAt) / intervalMs(rate);
		this.credit = Math.min(most, this.credit + earned);
		this.creditAt = now;
	}

	/** When the next request may go; not later than `now` means at once. */
	freeAt(now: number, { room }: Speed): number {
		this.forget(now);
		const blocking = this.recent[this.recent.length - placesFor(room)];
		const place = blocking ? this.forgottenAt(blocking, now) : -Infinity;
		return Math.max(this.closed, place, this.credit >= 1 ? -Infinity : this.due);
	}

	/** Lets a request through; `waited` tells whether it had to wait for this gate. */
	take(now: number, speed: Speed, waited: boolean): Grant {
		if (now - this.lastAt > COLD_AFTER_MS) this.coldUntil = now + COLD_FOR_MS;
		this.lastAt = now;
		const mostLateMs = now < this.coldUntil ? MOST_LATE_COLD_MS : MOST_LATE_MS;
		const grant: Grant = { sentAt: now, mostLateMs };
		this.recent.push(grant);
		this.credit = waited ? 0 : Math.max(0, this.credit - 1);
		this.creditAt = now;
		const from = waited ? Math.max(this.due, now - MOST_CATCH_UP_MS) : now;
		this.due = from + this.spreadMs(now, speed);
		return grant;
	}

	/** What is left of this second's places is spread over the time until the next place becomes free. */
	private spreadMs(now: number, { rate, room }: Speed): number {
		const oldest = this.recent[0];
		const left = Math.max(0, placesFor(room) - this.recent.length);
		const spread = oldest ? (this.forgottenAt(oldest, now) - now) / (left + 1) : 0;
		return Math.max(intervalMs(rate), spread);
	}

	private forgottenAt({ sentAt, delayMs, mostLateMs }: Grant, now: number): number {
		const late = (delayMs ?? now - sentAt) - this.path.quickMs();
		return sentAt + WINDOW_MS + Math.min(Math.max(late, 0), mostLateMs);
	}

	private forget(now: number): void {
		let gone = 0;
		for (const grant of this.recent) {
			if (this.forgottenAt(grant, now) > now) break;
			gone++;
		}
		if (gone > 0) this.recent = this.recent.slice(gone);
	}
}

const placesFor = (room: number): number => Math.max(1, Math.ceil(room));

const intervalMs = (rate: number): number => WINDOW_MS / rate;
