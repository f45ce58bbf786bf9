/** The service counts its limits over one second of its own clock. */
export const SECOND_MS = 1000;

/** What was learned is forgotten this long after the last refusal. */
const FORGOTTEN_AFTER_MS = 300_000;

/** After the first refusal nothing is sent for this long. */
export const PAUSE_MS = 200;

/** The lowest rate, in requests per second, so that a request can still succeed from time to time. */
const LOWEST_RATE = 0.5;

/** The search for an unknown share starts at this rate, in requests per second, or at a likely higher one. */
const FIRST_RATE = 2;

/** If the limit is not named, a likely share is the larger of these, but less than all that the service just accepted. */
const LIKELY_PART = { ofAccepted: 0.3, ofWanted: 1 / 6 };

/** If the limit is named, this many processes may well share it. */
const LIKELY_SHARERS = 4;

/** How often to search for a higher rate, and how many times refused searches double that interval. */
const SEARCH = {
	unnamed: { everyMs: 33_000, doublings: 0 },
	/** Even parts of a named limit change only with the number of processes. */
	named: { everyMs: 36_000, doublings: 0 },
	/** One more request per second is half as many again, and likely to be refused. */
	chat: { everyMs: 16_000, doublings: 4 },
};

/** The time for each step of a search; the intervals of limits of a bot are multiples of both. */
const STEP_MS = { slow: 1000, fast: 750 };

/** Rates from here on search fast: a try costs little compared with what is sent. */
const FAST_RATE = 7;

/**
 * Where a search for a limit that is not named is likely to have more room, the rate grows by a factor: in the first one
 * from this fraction of the wanted rate on, as few processes share the limit, up to this one of what the service just
 * accepted; in later ones from so many requests per second above the last share on, as a process has ended.
 */
const QUICK = { factor: 4 / 3, ofWanted: 1 / 3, ofAccepted: 0.7, above: 2 };

/** A search starts at this fraction of the rate. */
const STEP_BACK = 0.7;

/** A refusal outside of a search leaves this fraction of the rate. */
const KEPT = 0.92;

/** A process that got this fraction of the named limit accepted starts from the limit itself. */
const OWN_SHARE = 0.8;

/**
 * The rate that the service accepts from this process, learned from refusals. Other processes may share the limit
 * without knowing of each other. So all of them search for more at the same times of the clock: they step back, add one
 * request per second at a time, and return to the last rate that was accepted for a whole step. Processes with a larger
 * share step back further while all gain the same, which evens out the shares. Where the service names its limit, they
 * settle at an even part of it. Rates are requests per second, times ms of the clock.
 */
export class LearntRate {
	/** The rate that the service accepts from this process; infinite until something is refused. */
	private share = Infinity;

	/** The limit that the service named; infinite if it named none. */
	private named = Infinity;

	/** When the last refusal taught something. */
	at = -Infinity;

	private isSearching = false;

	/** The rate of the last step of a search that was not refused. */
	private proven = Infinity;

	/** Between these rates, a search does not add one request per second at a time, but a part of the rate. */
	private quick = { from: Infinity, below: Infinity };

	/** Number of searches that ended with a refusal. */
	private searches = 0;

	/** Whether the next refusal is put down to the search of another process, and changes nothing. */
	private isSpared = false;

	/** When all processes begin their next search. */
	private searchAt = Infinity;

	/** When the rate rises next: at `searchAt`, or by a step of the search that goes on. */
	private raiseAt = Infinity;

	constructor(private readonly ceiling: () => number) {}

	/** The current rate. */
	get rate(): number {
		return Math.min(this.share, this.top());
	}

	/** Whether anything learned is still in force. */
	isInForce(now: number): boolean {
		return now - this.at < FORGOTTEN_AFTER_MS;
	}

	/** When it is time, starts a search for a higher rate, or adds one request per second to the one tried. */
	lookForMore(now: number): void {
		if (!this.isInForce(now)) this.named = Infinity;
		if (now < this.raiseAt || this.share >= this.top()) return;
		// Who is still searching begins anew as well: otherwise it would take the room that the others leave.
		const begins = now >= this.searchAt;
		if (begins) this.quick = { from: this.share + QUICK.above, below: Infinity };
		this.proven = begins ? this.steppedBack() : this.share;
		this.share = begins ? this.proven : this.raised();
		this.isSearching = true;
		if (begins) this.searchAt = nextOf(this.searchEveryMs(), now);
		this.raiseAt = nextOf(this.stepMs(), now);
	}

	/**
	 * Learns from a refusal. Returns whether nothing learned earlier was still in force.
	 *
	 * @param limit the limit that the service named, if any
	 * @param seen number of requests that it accepted in the second before
	 */
	learn(limit: number | undefined, seen: number, now: number): boolean {
		const isFirst = !this.isInForce(now);
		this.at = now;
		if (limit) this.named = limit;
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
			// A process that was refused although it kept to the named limit is not alone.
			this.rest(this.ceiling() > this.named ? this.named : lowered(this.named), now);
			return;
		}
		this.rest(this.firstShare(seen), now);
		this.proven = this.share;
		this.quick = { from: this.ceiling() * QUICK.ofWanted, below: seen * QUICK.ofAccepted };
		this.isSearching = this.share >= FIRST_RATE;
		if (this.isSearching) this.raiseAt = nextOf(this.stepMs(), now + PAUSE_MS);
	}

	/** Ends a search that was refused. */
	private settle(now: number): void {
		this.searches++;
		this.isSpared = this.named < Infinity;
		this.rest(this.evened(this.share > this.proven ? this.proven : lowered(this.rate)), now);
	}

	private rest(share: number, now: number): void {
		this.share = Math.max(LOWEST_RATE, share);
		this.isSearching = false;
		this.searchAt = nextOf(this.searchEveryMs(), now);
		this.raiseAt = this.searchAt;
	}

	/** The rate at which to start searching for a limit that was not known before. */
	private firstShare(seen: number): number {
		if (this.rate <= FIRST_RATE) return Math.min(seen, this.rate / 2);
		const { ofAccepted, ofWanted } = LIKELY_PART;
		const likely =
			this.named === Infinity
				? Math.min(lowered(seen), Math.max(seen * ofAccepted, this.ceiling() * ofWanted))
				: Math.min(seen, this.named / LIKELY_SHARERS);
		return Math.max(FIRST_RATE, Math.floor(likely));
	}

	/** The rate of the next step of a search. */
	private raised(): number {
		const { from, below } = this.quick;
		const isQuick = this.share >= from && this.share < below;
		const factor = isQuick && this.named === Infinity ? QUICK.factor : 1;
		return Math.max(Math.floor(this.share) + 1, Math.floor(this.share * factor));
	}

	/** The rate at which a search starts. */
	private steppedBack(): number {
		// If the limit is not named, even small shares step back: otherwise processes that began with more would keep it.
		const least = this.named === Infinity ? 1 : FIRST_RATE;
		return Math.max(Math.min(this.share, least), Math.floor(this.share * STEP_BACK));
	}

	/** Rounds a share, never up, to an even part of the named limit: processes that share the limit meet there. */
	private evened(share: number): number {
		if (this.named === Infinity) return share;
		return Math.min(share, Math.floor(this.named / Math.round(this.named / share)));
	}

	private stepMs(): number {
		return this.share >= FAST_RATE ? STEP_MS.fast : STEP_MS.slow;
	}

	private searchEveryMs(): number {
		const known = this.named === Infinity ? 'unnamed' : 'named';
		const { everyMs, doublings } = SEARCH[this.top() <= FIRST_RATE ? 'chat' : known];
		return everyMs * 2 ** Math.min(this.searches, doublings);
	}

	private top(): number {
		return Math.min(this.ceiling(), this.named);
	}
}

/** The rate after a refusal at `rate`, in whole requests per second, as limits are; `rest` raises it to the lowest. */
const lowered = (rate: number): number => Math.floor(rate * KEPT);

/** The first time after `now` that is a multiple of `everyMs`: the same for all processes. */
const nextOf = (everyMs: number, now: number): number => (Math.floor(now / everyMs) + 1) * everyMs;
