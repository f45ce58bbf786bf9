import { ChatLimits } from './chatLimits';
import { realClock, type Clock } from '../clock';
import {
	FairQueue,
	type NoTurn,
	type Pace,
	type Party,
	type Turn,
	type Waiter,
	type Wish,
} from './fairQueue';
import { Latency } from './latency';
import { Limit } from './limit';
import type { Grant } from './sentRequests';

/** Fraction of a second's requests that may go at once after a quiet time. */
const BURST_SHARE = 1 / 3;

/** Every request waits out a pause of up to this long, whatever its party's patience. */
const SHORT_PAUSE_MS = 1000;

/** How often waiting parties are asked whether to stop, and quiet chats are forgotten. */
const LOOK_MS = 250;

/** A budget unused for this long is forgotten. */
const IDLE_MS = 60_000;

/**
 * The request budget of one bot token, shared by all executions in the process: decides who may send, and when. Its pace
 * is the lowest that any current sender asks for, lowered further by refusals. A request waits for the limits of its
 * chat and of the bot; parties take turns, so that a single reply does not wait behind a broadcast.
 */
export class Budget {
	private readonly latency = new Latency();

	private readonly bot = new Limit(this.latency, () => this.agreed.requestsPerSecond, BURST_SHARE);

	private readonly chats = new ChatLimits(this.latency, () => this.agreed.messagesPerSecondPerChat);

	private readonly queue = new FairQueue();

	private usedAt = -Infinity;

	private lookedAt = -Infinity;

	private wakeAt = Infinity;

	private pacedAt = -Infinity;

	/** Since when the service has refused everything. */
	private refusedSince = Infinity;

	constructor(
		private agreed: Pace,
		private readonly clock: Clock = realClock,
	) {}

	/** The current rate of the whole token, in requests per second. */
	get rate(): number {
		return this.bot.rate;
	}

	/** Number of chats that are remembered. */
	get chatCount(): number {
		return this.chats.count;
	}

	/** Whether the budget can be dropped without losing anything. */
	isIdle(): boolean {
		const now = this.clock.now();
		if (this.queue.parties.length > 0 || now - this.usedAt <= IDLE_MS) return false;
		this.chats.forgetQuiet(now);
		return this.chats.count === 0 && this.bot.isQuiet(now);
	}

	/** Waits until a request may be sent, or is denied. */
	async turn(party: Party, wish: Wish = {}): Promise<Turn | NoTurn> {
		return await new Promise((resolve) => {
			const isFirst = this.queue.enter({ ...wish, party, since: this.clock.now(), resolve });
			this.agree();
			if (isFirst) this.work();
		});
	}

	private leave(party: Party): void {
		this.usedAt = this.clock.now();
		this.queue.leave(party);
		this.agree();
	}

	/** Sets the pace to the lowest of all parties present; keeps it when there are none. */
	private agree(): void {
		const paces = this.queue.parties.map(({ pace }) => pace);
		if (paces.length === 0) return;
		this.agreed = {
			requestsPerSecond: Math.min(...paces.map((pace) => pace.requestsPerSecond)),
			messagesPerSecondPerChat: Math.min(...paces.map((pace) => pace.messagesPerSecondPerChat)),
		};
	}

	/** Grants a turn to every request that may go, and comes back when the next one may. */
	private work(): void {
		const now = this.clock.now();
		if (now - this.lookedAt >= LOOK_MS) this.look(now);
		for (;;) {
			const next = this.next(now);
			if (typeof next === 'number') {
				this.comeBack(now, next);
				return;
			}
			this.grant(next, now);
		}
	}

	/** The request to go now, or else the time when one may. */
	private next(now: number): Waiter | number {
		const botAt = this.bot.freeAt(now);
		if (botAt > now) return botAt;
		const chatFreeAt = (chat?: string): number => this.chats.of(chat)?.freeAt(now) ?? now;
		const { first, low, at } = this.queue.next(now, chatFreeAt);
		if (first) return first;
		if (!low) return at;
		return this.bot.inUse(now) < this.rate / 2 ? low : Math.min(at, now + LOOK_MS);
	}

	private grant(waiter: Waiter, now: number): void {
		const chat = this.chats.of(waiter.chat);
		const chatAt = chat?.freeAt(now) ?? -Infinity;
		const isPaced = this.bot.freeAt(now) > Math.max(waiter.since, chatAt);
		if (isPaced) this.pacedAt = now;
		const grants = {
			bot: this.bot.take(now, isPaced),
			chat: chat?.take(now, chatAt > waiter.since),
		};
		this.queue.remove(waiter);
		waiter.resolve(this.issue(waiter, grants));
	}

	private comeBack(now: number, next: number): void {
		const at = Math.min(next, now + LOOK_MS);
		if (this.queue.isEmpty || this.wakeAt <= at) return;
		this.wakeAt = at;
		void this.clock.sleep(Math.max(1, Math.ceil(at - now))).then(() => {
			if (this.wakeAt === at) this.wakeAt = Infinity;
			this.work();
		});
	}

	/**
	 * Denies requests that were stopped, or whose party's patience is shorter than the pause, or than the time for which the
	 * service has refused everything while they waited. Forgets quiet chats.
	 */
	private look(now: number): void {
		this.lookedAt = now;
		const stopped = new Set(this.queue.parties.filter((party) => party.stopped()));
		for (const waiter of this.queue.waiting) {
			const { party, signal, chat } = waiter;
			const chatUntil = this.chats.of(chat)?.closedUntil ?? -Infinity;
			const pauseMs = Math.max(this.bot.closedUntil, chatUntil) - now;
			const refusedMs = now - Math.max(this.refusedSince, waiter.since);
			const patienceMs = Math.max(party.patienceMs, SHORT_PAUSE_MS);
			if (stopped.has(party) || signal?.aborted) this.deny(waiter, 'stopped');
			else if (Math.max(pauseMs, refusedMs) > patienceMs) this.deny(waiter, 'impatient');
		}
		this.chats.forgetQuiet(now);
	}

	private deny(waiter: Waiter, denied: NoTurn['denied']): void {
		this.queue.remove(waiter);
		this.leave(waiter.party);
		waiter.resolve({ denied });
	}

	private issue({ party, chat }: Waiter, grants: { bot: Grant; chat?: Grant }): Turn {
		const end = (): number => {
			const now = this.clock.now();
			const delayMs = now - grants.bot.sentAt;
			grants.bot.delayMs = delayMs;
			if (grants.chat) grants.chat.delayMs = delayMs;
			this.leave(party);
			return now;
		};
		return {
			lost: end,
			accepted: () => {
				end();
				this.refusedSince = Infinity;
				this.latency.note(grants.bot.delayMs ?? 0);
				this.work();
			},
			refused: (refused) => {
				party.refusals++;
				const now = end();
				this.refusedSince = Math.min(this.refusedSince, now);
				const botWasFree = grants.bot.sentAt - this.pacedAt;
				const limit = this.chats.blamed(chat, refused, { botWasFree, now });
				if (limit && grants.chat) limit.refuse(grants.chat, refused, now);
				else this.bot.refuse(grants.bot, refused, now);
			},
		};
	}
}
