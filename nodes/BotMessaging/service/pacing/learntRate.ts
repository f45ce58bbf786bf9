/** Limits are counted over a second of the service's clock. */
export const SECOND_MS = 1000;

/** What was learnt is forgotten so long after the last refusal. */
const FORGOTTEN_AFTER_MS = 300_000;

/** After the first refusal nobody sends for so long. */
export const PAUSE_MS = 200;

/** Nothing is slower than this, so that a request is sent from time to time and can succeed. */
const LOWEST_RATE = 0.5;

/** Of a limit that is not known yet, this part of what was just taken is where the search begins. */
const FIRST_SHARE = 0.3;
const FIRST_RATE = 2;
const FIRST_STEP_MS = 500;

/** How it looks for more: when it begins, how often the time between is doubled, and how long it tries each step. */
const SEARCH = {
	fast: { everyMs: 8000, doublings: 1, stepMs: 700 },
	slow: { everyMs: 8000, doublings: 2, stepMs: 1000 },
	/** One request more is half as many again, and likely to be refused. */
	chat: { everyMs: 16_000, doublings: 4, stepMs: 1000 },
};

/** Paces from here on search fast: what a try costs is little beside what is sent. */
const FAST_RATE = 7;

/** A search begins at this part of the pace, and ends a little below what was refused. */
const STEP_BACK = 0.7;
const KEPT = 0.92;

/** Who took nearly as much as the refusal names has the limit for itself. */
const OWN_SHARE = 0.8;

/**
 * What the service takes from this process, as its refusals teach: additive increase, multiplicative decrease. Other
 * processes may share the limit and do not know of each other. So all step back and look for more at the same times of
 * the clock, more and more rarely: those who have more lose more, and all win the same, which makes their shares alike
 * with few refusals. Rates are requests per second, times ms of the clock.
 */
export class LearntRate {
	/** What the service takes from this process, in requests per second; infinite as long as nothing was refused. */
	private share = Infinity;

	/** The limit that the service named. */
	private named = Infinity;

	/** When the last refusal taught something. */
	at = -Infinity;

	private isSearching = false;

	/** Number of searches that ended with a refusal. */
	private searches = 0;

	/** When the next search begins, or its next step. */
	private raiseAt = Infinity;

	constructor(private readonly ceiling: () => number) {}

	/** The rate now. */
	get rate(): number {
		return Math.min(this.share, this.top());
	}

	/** Whether anything learnt is still in force. */
	isInForce(now: number): boolean {
		return now - this.at < FORGOTTEN_AFTER_MS;
	}

	/** Begins a search for more, or tries one request per second more, when it is time. */
	lookForMore(now: number): void {
		if (now < this.raiseAt || this.share >= this.top()) return;
		const { stepMs } = this.search();
		if (this.isSearching) this.share = Math.floor(this.share) + 1;
		else this.share = Math.max(Math.min(this.share, 1), Math.floor(this.share * STEP_BACK));
		this.isSearching = true;
		this.raiseAt = nextOf(this.searches === 0 ? FIRST_STEP_MS : stepMs, now);
	}

	/**
	 * Learns from a refusal. Returns whether nothing was known before.
	 *
	 * @param limit the one that the service named
	 * @param seen how many requests it took in the second before
	 */
	learn(limit: number | undefined, seen: number, now: number): boolean {
		const isFirst = !this.isInForce(now);
		if (limit !== undefined && limit > 0) this.named = limit;
		this.share = Math.max(LOWEST_RATE, isFirst ? this.firstShare(seen) : lowered(this.rate));
		if (isFirst) this.searches = 0;
		else if (this.isSearching) this.searches++;
		this.isSearching = isFirst && this.share >= FIRST_RATE;
		this.raiseAt = this.isSearching
			? nextOf(FIRST_STEP_MS, now + PAUSE_MS)
			: nextOf(this.searchEveryMs(), now);
		this.at = now;
		return isFirst;
	}

	/** Where the search for a limit begins that was not known before. */
	private firstShare(seen: number): number {
		if (seen >= this.named * OWN_SHARE) return this.named;
		if (this.rate <= FIRST_RATE) return Math.min(seen, this.rate / 2);
		return Math.min(Math.max(FIRST_RATE, Math.floor(seen * FIRST_SHARE)), this.rate);
	}

	private search(): (typeof SEARCH)[keyof typeof SEARCH] {
		if (this.top() <= FIRST_RATE) return SEARCH.chat;
		return this.share >= FAST_RATE ? SEARCH.fast : SEARCH.slow;
	}

	private searchEveryMs(): number {
		const { everyMs, doublings } = this.search();
		return everyMs * 2 ** Math.min(this.searches, doublings);
	}

	private top(): number {
		return Math.min(this.ceiling(), this.named);
	}
}

/** The pace after a refusal at this one: whole requests per second, as limits are. */
const lowered = (rate: number): number =>
	rate <= FIRST_RATE ? rate / 2 : Math.min(Math.floor(rate * KEPT), Math.ceil(rate) - 1);

/** The first time after `now` that is a multiple of `everyMs`: the same for all processes. */
const nextOf = (everyMs: number, now: number): number => (Math.floor(now / everyMs) + 1) * everyMs;
