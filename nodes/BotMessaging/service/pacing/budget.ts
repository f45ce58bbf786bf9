import { ChatLimits } from './chatLimits';
import { realClock, type Clock } from '../clock';
import {
	FairQueue,
	type Denial,
	type Pace,
	type Sender,
	type Permit,
	type QueuedRequest,
	type PermitRequest,
} from './fairQueue';
import { Latency } from './latency';
import { Limit } from './limit';
import type { SentRequest } from './sentRequests';

/** Fraction of a second's requests that may go at once after a quiet time. */
const BURST_SHARE = 1 / 3;

/** Every request waits out a pause of up to this long, whatever its sender's patience. */
const SHORT_PAUSE_MS = 1000;

/** How often waiting senders are asked whether to stop, and quiet chats are forgotten. */
const CHECK_MS = 250;

/** A budget unused for this long is forgotten. */
const IDLE_MS = 60_000;

/**
 * The request budget of one bot token, shared by all executions in the process: decides who may send, and when. Its pace
 * is the lowest that any current sender asks for, lowered further by refusals. A request waits for the limits of its
 * chat and of the bot; senders take turns, so that a single reply does not wait behind a broadcast.
 */
export class Budget {
	private readonly latency = new Latency();

	private readonly bot = new Limit(this.latency, () => this.pace.requestsPerSecond, BURST_SHARE);

	private readonly chats = new ChatLimits(this.latency, () => this.pace.messagesPerSecondPerChat);

	private readonly queue = new FairQueue();

	private usedAt = -Infinity;

	private checkedAt = -Infinity;

	private wakeAt = Infinity;

	private pacedAt = -Infinity;

	/** Since when the service has refused everything. */
	private refusedSince = Infinity;

	constructor(
		private pace: Pace,
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
		if (this.queue.senders.length > 0 || now - this.usedAt <= IDLE_MS) return false;
		this.chats.forgetQuiet(now);
		return this.chats.count === 0 && this.bot.isQuiet(now);
	}

	/** Waits until a request may be sent, or is denied. */
	async acquire(sender: Sender, request: PermitRequest = {}): Promise<Permit | Denial> {
		return await new Promise((resolve) => {
			const isFirst = this.queue.enter({ ...request, sender, since: this.clock.now(), resolve });
			this.adoptLowestPace();
			if (isFirst) this.work();
		});
	}

	private release(sender: Sender): void {
		this.usedAt = this.clock.now();
		this.queue.release(sender);
		this.adoptLowestPace();
	}

	/** Sets the pace to the lowest of all senders present; keeps it when there are none. */
	private adoptLowestPace(): void {
		const paces = this.queue.senders.map(({ pace }) => pace);
		if (paces.length === 0) return;
		this.pace = {
			requestsPerSecond: Math.min(...paces.map((pace) => pace.requestsPerSecond)),
			messagesPerSecondPerChat: Math.min(...paces.map((pace) => pace.messagesPerSecondPerChat)),
		};
	}

	/** Grants a permit to every request that may go, and comes back when the next one may. */
	private work(): void {
		const now = this.clock.now();
		if (now - this.checkedAt >= CHECK_MS) this.checkQueue(now);
		for (;;) {
			const next = this.next(now);
			if (typeof next === 'number') {
				this.wakeLater(now, next);
				return;
			}
			this.grant(next, now);
		}
	}

	/** The request to go now, or else the time when one may. */
	private next(now: number): QueuedRequest | number {
		const botAt = this.bot.freeAt(now);
		if (botAt > now) return botAt;
		const chatFreeAt = (chat?: string): number => this.chats.of(chat)?.freeAt(now) ?? now;
		const { first, low, at } = this.queue.next(now, chatFreeAt);
		if (first) return first;
		if (!low) return at;
		return this.bot.inUse(now) < this.rate / 2 ? low : Math.min(at, now + CHECK_MS);
	}

	private grant(queued: QueuedRequest, now: number): void {
		const chat = this.chats.of(queued.chat);
		const chatAt = chat?.freeAt(now) ?? -Infinity;
		const isPaced = this.bot.freeAt(now) > Math.max(queued.since, chatAt);
		if (isPaced) this.pacedAt = now;
		const sent = {
			bot: this.bot.take(now, isPaced),
			chat: chat?.take(now, chatAt > queued.since),
		};
		this.queue.remove(queued);
		queued.resolve(this.permitFor(queued, sent));
	}

	private wakeLater(now: number, next: number): void {
		const at = Math.min(next, now + CHECK_MS);
		if (this.queue.isEmpty || this.wakeAt <= at) return;
		this.wakeAt = at;
		void this.clock.sleep(Math.max(1, Math.ceil(at - now))).then(() => {
			if (this.wakeAt === at) this.wakeAt = Infinity;
			this.work();
		});
	}

	/**
	 * Denies requests that were stopped, or whose sender's patience is shorter than the pause, or than the time for which the
	 * service has refused everything while they waited. Forgets quiet chats.
	 */
	private checkQueue(now: number): void {
		this.checkedAt = now;
		const stopped = new Set(this.queue.senders.filter((sender) => sender.stopped()));
		for (const queued of this.queue.waiting) {
			const { sender, signal, chat } = queued;
			const chatUntil = this.chats.of(chat)?.closedUntil ?? -Infinity;
			const pauseMs = Math.max(this.bot.closedUntil, chatUntil) - now;
			const refusedMs = now - Math.max(this.refusedSince, queued.since);
			const patienceMs = Math.max(sender.patienceMs, SHORT_PAUSE_MS);
			if (stopped.has(sender) || signal?.aborted) this.deny(queued, 'stopped');
			else if (Math.max(pauseMs, refusedMs) > patienceMs) this.deny(queued, 'impatient');
		}
		this.chats.forgetQuiet(now);
	}

	private deny(queued: QueuedRequest, denied: Denial['denied']): void {
		this.queue.remove(queued);
		this.release(queued.sender);
		queued.resolve({ denied });
	}

	private permitFor(
		{ sender, chat }: QueuedRequest,
		sent: { bot: SentRequest; chat?: SentRequest },
	): Permit {
		const end = (): number => {
			const now = this.clock.now();
			const delayMs = now - sent.bot.sentAt;
			sent.bot.delayMs = delayMs;
			if (sent.chat) sent.chat.delayMs = delayMs;
			this.release(sender);
			return now;
		};
		return {
			lost: end,
			accepted: () => {
				end();
				this.refusedSince = Infinity;
				this.latency.note(sent.bot.delayMs ?? 0);
				this.work();
			},
			refused: (refused) => {
				sender.refusals++;
				const now = end();
				this.refusedSince = Math.min(this.refusedSince, now);
				const botWasFree = sent.bot.sentAt - this.pacedAt;
				const limit = this.chats.refusingLimit(chat, refused, { botWasFree, now });
				if (limit && sent.chat) limit.refuse(sent.chat, refused, now);
				else this.bot.refuse(sent.bot, refused, now);
			},
		};
	}
}
