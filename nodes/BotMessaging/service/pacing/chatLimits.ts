import type { Refused } from '../types';
import type { Latency } from './latency';
import { Limit } from './limit';

/** Messages may go in pairs: what the service allows in a second may go at once. */
const BURST_SHARE = 1;

/** What happened within this time has one reason. */
const SAME_REASON_MS = 1000;

/** The limits of the chats of one bot. Times are ms of the clock. */
export class ChatLimits {
	private readonly limits = new Map<string, Limit>();

	private lastRefused?: { chat: string; at: number };

	/** @param rate asked for the most messages per second into one chat that are wanted */
	constructor(
		private readonly latency: Latency,
		private readonly rate: () => number,
	) {}

	/** Number of chats that are remembered. */
	get count(): number {
		return this.limits.size;
	}

	/** The limit of a chat; none for a request that belongs to no chat. */
	of(chat: string | undefined): Limit | undefined {
		if (chat === undefined) return undefined;
		const limit = this.limits.get(chat) ?? new Limit(this.latency, this.rate, BURST_SHARE);
		this.limits.set(chat, limit);
		return limit;
	}

	/** Forgets chats whose limit is not in use. */
	forgetQuiet(now: number): void {
		for (const [chat, limit] of this.limits) if (limit.isQuiet(now)) this.limits.delete(chat);
	}

	/**
	 * The limit of the chat when a refusal is about it, and nothing when it is about that of the whole token. The
	 * service's words decide where they tell. Otherwise a chat that had just got another message is held responsible,
	 * unless there is reason to suspect the whole token: it was used up just before the request was sent, or another
	 * chat was refused as well.
	 */
	blamed(
		chat: string | undefined,
		refused: Refused,
		{ botWasFree, now }: { botWasFree: number; now: number },
	): Limit | undefined {
		if (chat === undefined) return undefined;
		const last = this.lastRefused;
		this.lastRefused = { chat, at: now };
		const limit = this.limits.get(chat);
		if (refused.aboutChat) return limit;
		// A chat that has been slowed down still has the limit of a chat.
		if (refused.limit !== undefined) return refused.limit <= 2 * this.rate() ? limit : undefined;
		if (!limit || (limit.inUse(now) < 2 && !limit.isLearning(now))) return undefined;
		const isElsewhere = last && last.chat !== chat && now - last.at < SAME_REASON_MS;
		return !isElsewhere && botWasFree > SAME_REASON_MS ? limit : undefined;
	}
}
