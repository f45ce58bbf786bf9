/** Limits are counted over a second of the service's clock. */
export const SECOND_MS = 1000;

/** What was learnt is forgotten so long after the last refusal. */
const FORGOTTEN_AFTER_MS = 300_000;

/** After the first refusal nobody sends for so long. */
export const PAUSE_MS = 200;

/** Nothing is slower than this, so that a request is sent from time to time and can succeed. */
const LOWEST_RATE = 0.5;

/** A share that is not known yet is looked for from here on, in requests per second, or from more that is likely. */
const FIRST_RATE = 2;

/** Of a limit that nobody names, so much of what was just taken is likely to be there. */
const LIKELY_PART = 0.3;

/** As many may well share a limit that is named. */
const LIKELY_SHARERS = 4;

/** How it looks for more: when it begins, how often the time between is doubled, and how long it tries each step. */
const SEARCH = {
	fast: { everyMs: 28_000, doublings: 0, stepMs: 700 },
	slow: { everyMs: 28_000, doublings: 0, stepMs: 1000 },
	/** One request more is half as many again, and likely to be refused. */
	chat: { everyMs: 16_000, doublings: 4, stepMs: 1000 },
};

/** Paces from here on search fast: what a try costs is little beside what is sent. */
const FAST_RATE = 7;

/** A search begins at this part of the pace. */
const STEP_BACK = 0.7;

/** A refusal outside of a search leaves so much of the pace. */
const KEPT = 0.92;

/** Who took nearly as much as the refusal names has the limit for itself. */
const OWN_SHARE = 0.8;

/**
 * What the service takes from this process, as its refusals teach. Other processes may share the limit and do not know
 * of each other. So all look for more at the same times of the clock: they step back, try one request per second more
 * at a time, and return to the last rate that was taken for a whole step. Those who have more step back further and all
 * win the same, which makes their shares alike. Where the service names its limit, they settle at an even part of it.
 * Rates are requests per second, times ms of the clock.
 */
export class LearntRate {
	/** What the service takes from this process, in requests per second; infinite as long as nothing was refused. */
	private share = Infinity;

	/** The limit that the service named. */
	private named = Infinity;

	/** When the last refusal taught something. */
	at = -Infinity;

	private isSearching = false;

	/** The rate of the last step of a search that was not refused. */
	private proven = Infinity;

	/** Number of searches that ended with a refusal. */
	private searches = 0;

	/** Whether the next refusal is put down to another process and its search. */
	private isSpared = false;

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
		this.proven = this.isSearching ? this.share : this.steppedBack();
		this.share = this.isSearching ? Math.floor(this.share) + 1 : this.proven;
		this.isSearching = true;
		this.raiseAt = nextOf(this.search().stepMs, now);
	}

	/**
	 * Learns from a refusal. Returns whether nothing was known before.
	 *
	 * @param limit the one that the service named
	 * @param seen how many requests it took in the second before
	 */
	learn(limit: number | undefined, seen: number, now: number): boolean {
		const isFirst = !this.isInForce(now);
		this.at = now;
		if (limit !== undefined && limit > 0) this.named = limit;
		if (isFirst) this.begin(seen, now);
		else if (this.isSearching) this.settle(now);
		else if (this.isSpared) this.isSpared = false;
		else this.rest(lowered(this.rate), now);
		return isFirst;
	}

	private begin(seen: number, now: number): void {
		this.searches = 0;
		this.isSpared = false;
		if (seen >= this.named * OWN_SHARE) {
			// Who kept to the limit and was refused is not alone.
			this.rest(this.ceiling() > this.named ? this.named : lowered(this.named), now);
			return;
		}
		this.rest(this.firstShare(seen), now);
		this.proven = this.share;
		this.isSearching = this.share >= FIRST_RATE;
		if (this.isSearching) this.raiseAt = nextOf(this.search().stepMs, now + PAUSE_MS);
	}

	/** A search has found its end. */
	private settle(now: number): void {
		this.searches++;
		this.isSpared = this.named < Infinity;
		this.rest(this.evened(this.share > this.proven ? this.proven : lowered(this.rate)), now);
	}

	private rest(share: number, now: number): void {
		this.share = Math.max(LOWEST_RATE, share);
		this.isSearching = false;
		this.raiseAt = nextOf(this.searchEveryMs(), now);
	}

	/** Where the search for a limit begins that was not known before. */
	private firstShare(seen: number): number {
		if (this.rate <= FIRST_RATE) return Math.min(seen, this.rate / 2);
		const likely =
			this.named === Infinity ? seen * LIKELY_PART : Math.min(seen, this.named / LIKELY_SHARERS);
		return Math.min(Math.max(FIRST_RATE, Math.floor(likely)), this.rate);
	}

	/** Where a search begins. */
	private steppedBack(): number {
		// At a limit that nobody names even small shares step back, or those that began with more keep it.
		const least = this.named === Infinity ? 1 : FIRST_RATE;
		return Math.max(Math.min(this.share, least), Math.floor(this.share * STEP_BACK));
	}

	/** The even part of the named limit next below the share: processes that share it meet there. */
	private evened(share: number): number {
		if (this.named === Infinity) return share;
		return Math.min(share, Math.floor(this.named / Math.round(this.named / share)));
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
