import { POLLS, type Refused } from '../types';
import type { Latency } from './latency';
import { Limit } from './limit';

/** All that the service allows in a second may go at once, so messages may go in pairs. */
const BURST_SHARE = 1;

/** A named limit up to this one, in requests per second, is usually that of a chat: a bot's is higher. */
const MOST_FOR_CHAT = 4;

/** That of a chat (interface: Limits), in messages per second: a limit up to this one is not a bot's. */
const CHAT_RATE = 2;

/** The rate of polls, in requests per second (wire 1.3). */
const POLL_RATE = 2;

/** Events within this time of each other, in ms, are put down to the same cause. */
const SAME_REASON_MS = 1000;

/** The limits of one bot's chats. Times are ms of the clock. */
export class ChatLimits {
	private readonly limits = new Map<string, Limit>();

	private lastRefused?: { chat: string; at: number };

	/** @param rate returns the highest wanted rate into one chat, in messages per second */
	constructor(
		private readonly latency: Latency,
		private readonly rate: () => number,
	) {}

	/** Number of chats that are remembered. */
	get count(): number {
		return this.limits.size;
	}

	/** The limit of a chat; `undefined` for a request that belongs to no chat. */
	of(chat: string | undefined): Limit | undefined {
		if (chat === undefined) return undefined;
		const rate = chat === POLLS ? (): number => POLL_RATE : this.rate;
		const limit = this.limits.get(chat) ?? new Limit(this.latency, rate, BURST_SHARE);
		this.limits.set(chat, limit);
		return limit;
	}

	/** Forgets chats whose limit is not in use. */
	forgetQuiet(now: number): void {
		for (const [chat, limit] of this.limits) if (limit.isQuiet(now)) this.limits.delete(chat);
	}

	/**
	 * The chat's limit if a refusal is about the chat, `undefined` if it is about the whole token. The service's message
	 * decides where it tells. Otherwise a chat that just got another message, or is known to be limited, is likely; the
	 * whole token is suspect if it held requests back in the second before this one was sent (`botWasFree`: ms since it
	 * last did), or another chat was refused at the same time. Where a low limit is named, any chat is likely by itself.
	 */
	refusingLimit(
		chat: string | undefined,
		refused: Refused,
		{ botWasFree, now }: { botWasFree: number; now: number },
	): Limit | undefined {
		if (chat === undefined) return undefined;
		const last = this.lastRefused;
		this.lastRefused = { chat, at: now };
		const limit = this.limits.get(chat);
		if (refused.aboutChat) return limit;
		const isElsewhere = last && last.chat !== chat && now - last.at < SAME_REASON_MS;
		const isLikely = limit && (limit.inUse(now) >= 2 || limit.isLearning(now));
		if (refused.limit !== undefined) {
			const most = isLikely || !isElsewhere ? MOST_FOR_CHAT : CHAT_RATE;
			return refused.limit <= most ? limit : undefined;
		}
		return isLikely && !isElsewhere && botWasFree > SAME_REASON_MS ? limit : undefined;
	}
}
