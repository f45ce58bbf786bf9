/** An answer with status 429, as far as it could be understood. */
export interface Refused {
	/** Requests per second that the service named as its limit. */
	limit?: number;
	/** `Retry-After` in ms. */
	retryAfterMs?: number;
	/** Whether its words are about a chat. */
	aboutChat?: boolean;
}

/** A request that a limit let through. All times are ms of the clock. */
export interface Grant {
	readonly sentAt: number;
	/** Most that its arrival may have been late. */
	readonly mostLateMs: number;
	/** Time until its answer, once there is one. */
	delayMs?: number;
	isRefused?: boolean;
}

/**
 * The service counts requests when they arrive, over a second of its own clock. So many ms are kept free beyond that
 * second: they cover what no measurement shows, such as the last step of a timer.
 */
const SECOND_MS = 1000;
const WINDOW_MS = SECOND_MS + 6;

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

/** So many requests may be under way before the first answer shows that the service takes them. */
const MOST_UNPROVEN = 5;

/** Requests are remembered for so long, so that a late refusal can be understood. */
const REMEMBERED_MS = 5000;
/** They are tidied away when there are so many. */
const MOST_FORGOTTEN_LATE = 500;

/** What was learnt is forgotten so long after the last refusal. */
const FORGOTTEN_AFTER_MS = 300_000;

/** After the first refusal nobody sends for so long. */
const PAUSE_MS = 200;

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
 * One limit of the service, of the bot or of a chat: lets at most so many requests through that no second of the
 * service's clock sees more of them arrive, whatever way it counts: by a bucket, a sliding or a fixed window. Requests
 * that have to wait are spread evenly, so that somebody who comes later finds a place soon; after a quiet time a few
 * may go at once.
 *
 * What the service refuses teaches how much it takes from this process: additive increase, multiplicative decrease.
 * Other processes may share the limit and do not know of each other. So all step back and look for more at the same
 * times of the clock, more and more rarely: those who have more lose more, and all win the same, which makes their
 * shares alike with few refusals.
 */
export class Limit {
	/** Requests of the last seconds, oldest first. */
	private sent: Grant[] = [];

	/** So many of them the service counts no longer. */
	private gone = 0;

	/** So many requests may go without being spread. */
	private credit = Infinity;

	/** When the next request is due that has no credit. */
	private due = -Infinity;

	private coldUntil = -Infinity;

	private closed = -Infinity;

	/** What the service takes from this process, in requests per second; infinite as long as nothing was refused. */
	private share = Infinity;

	/** The limit that the service named. */
	private named = Infinity;

	private learntAt = -Infinity;

	private isSearching = false;

	/** Number of searches that ended with a refusal. */
	private searches = 0;

	/** When the next search begins, or its next step. */
	private raiseAt = Infinity;

	/** `burstShare`: the part of a second's requests that may go at once after a quiet time. */
	constructor(
		private readonly path: Path,
		private readonly ceiling: () => number,
		private readonly burstShare: number,
	) {}

	/** Requests per second now. */
	get rate(): number {
		return Math.min(this.share, this.top());
	}

	/** Nobody goes before this time. */
	get closedUntil(): number {
		return this.closed;
	}

	/** Whether anything learnt is still in force. */
	isLearning(now: number): boolean {
		return now - this.learntAt < FORGOTTEN_AFTER_MS;
	}

	/** Whether nothing is known here that would be missed. */
	isQuiet(now: number): boolean {
		return this.inUse(now) === 0 && this.closed <= now && !this.isLearning(now);
	}

	/** How many requests the service may still count. */
	inUse(now: number): number {
		for (let oldest = this.sent[this.gone]; oldest; oldest = this.sent[this.gone]) {
			if (this.leavesAt(oldest, now) > now) break;
			this.gone++;
		}
		return this.sent.length - this.gone;
	}

	/** When the next request may go; not later than `now` means at once. */
	freeAt(now: number): number {
		if (now >= this.raiseAt) this.raise(now);
		if (this.isUnproven()) return Infinity;
		const blocking = this.sent[this.sent.length - this.places()];
		const place = blocking ? this.leavesAt(blocking, now) : -Infinity;
		return Math.max(this.closed, place, this.credit >= 1 ? -Infinity : this.due);
	}

	/** Lets a request through; `waited` tells whether it had to wait for this limit. */
	take(now: number, waited: boolean): Grant {
		const last = this.sent.at(-1)?.sentAt ?? -Infinity;
		if (now - last > COLD_AFTER_MS) this.coldUntil = now + COLD_FOR_MS;
		const mostLateMs = now < this.coldUntil ? MOST_LATE_COLD_MS : MOST_LATE_MS;
		const grant: Grant = { sentAt: now, mostLateMs };
		this.forget(now);
		this.sent.push(grant);
		const earned = (now - last) / this.intervalMs();
		const most = Math.max(1, Math.floor(this.rate * this.burstShare));
		this.credit = waited ? 0 : Math.max(0, Math.min(most, this.credit + earned) - 1);
		this.due = (waited ? Math.max(this.due, now - MOST_CATCH_UP_MS) : now) + this.spreadMs(now);
		return grant;
	}

	/** Says that the service refused a request: learns, and believes the limit that it names. */
	refuse(grant: Grant, { limit, retryAfterMs }: Refused, now: number): void {
		grant.isRefused = true;
		if (retryAfterMs !== undefined) this.closed = Math.max(this.closed, now + retryAfterMs);
		// What was sent before the last lesson was refused for the same reason.
		if (grant.sentAt <= this.learntAt) return;
		const isFirst = !this.isLearning(now);
		if (isFirst) this.closed = Math.max(this.closed, now + PAUSE_MS);
		if (limit !== undefined && limit > 0) this.named = limit;
		const seen = this.seenBefore(grant);
		this.share = Math.max(LOWEST_RATE, isFirst ? this.firstShare(seen) : lowered(this.rate));
		if (isFirst) this.searches = 0;
		else if (this.isSearching) this.searches++;
		this.isSearching = isFirst && this.share >= FIRST_RATE;
		this.raiseAt = this.isSearching
			? nextOf(FIRST_STEP_MS, now + PAUSE_MS)
			: nextOf(this.searchEveryMs(), now);
		this.learntAt = now;
	}

	/** How many requests the service took in the second before a refusal, as far as is known. */
	private seenBefore({ sentAt }: Grant): number {
		const from = sentAt - SECOND_MS;
		const isSeen = (other: Grant): boolean =>
			!other.isRefused && other.sentAt > from && other.sentAt <= sentAt;
		return this.sent.filter(isSeen).length;
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

	/** Begins a search, or tries one request per second more. */
	private raise(now: number): void {
		if (this.share >= this.top()) return;
		const { stepMs } = this.search();
		if (this.isSearching) this.share = Math.floor(this.share) + 1;
		else this.share = Math.max(Math.min(this.share, 1), Math.floor(this.share * STEP_BACK));
		this.isSearching = true;
		this.raiseAt = nextOf(this.searches === 0 ? FIRST_STEP_MS : stepMs, now);
	}

	private forget(now: number): void {
		if (this.gone < MOST_FORGOTTEN_LATE) return;
		const kept = this.sent.findIndex(({ sentAt }) => sentAt >= now - REMEMBERED_MS);
		const count = Math.min(kept < 0 ? this.gone : kept, this.gone);
		this.sent = this.sent.slice(count);
		this.gone -= count;
	}

	private top(): number {
		return Math.min(this.ceiling(), this.named);
	}

	private isUnproven(): boolean {
		if (this.path.quickMs() !== Infinity || this.sent.length < MOST_UNPROVEN) return false;
		return this.sent.filter(({ delayMs }) => delayMs === undefined).length >= MOST_UNPROVEN;
	}

	private places(): number {
		return Math.max(1, Math.ceil(this.rate));
	}

	private intervalMs(): number {
		return WINDOW_MS / this.rate;
	}

	/** What is left of this second's places is spread over the time until the next place becomes free. */
	private spreadMs(now: number): number {
		const inUse = this.inUse(now);
		const oldest = this.sent[this.gone];
		const left = Math.max(0, this.places() - inUse);
		const spread = oldest ? (this.leavesAt(oldest, now) - now) / (left + 1) : 0;
		return Math.max(this.intervalMs(), spread);
	}

	/** When the service counts a request no longer. */
	private leavesAt({ sentAt, delayMs, mostLateMs }: Grant, now: number): number {
		const late = (delayMs ?? now - sentAt) - this.path.quickMs();
		return sentAt + WINDOW_MS + Math.min(Math.max(late, 0), mostLateMs);
	}
}

/** The pace after a refusal at this one: whole requests per second, as limits are. */
const lowered = (rate: number): number =>
	rate <= FIRST_RATE ? rate / 2 : Math.min(Math.floor(rate * KEPT), Math.ceil(rate) - 1);

/** The first time after `now` that is a multiple of `everyMs`: the same for all processes. */
const nextOf = (everyMs: number, now: number): number => (Math.floor(now / everyMs) + 1) * everyMs;
