import { isAboutChat } from './blame';
import type { Chats } from './chats';
import type { Gate, Path, Speed } from './gate';
import { Throttle } from './throttle';
import type { Refused } from './types';

/** After a refusal nobody sends for so long. */
const PAUSE_MS = 200;

/** What happened within this time has one reason. */
const SAME_REASON_MS = 1000;

/** A request that was sent. */
export interface Sent {
	chat?: string;
	/** In ms of the clock. */
	at: number;
}

/** What the service's answers teach about its limits, and what follows at once. */
export class Answers {
	private readonly throttle = new Throttle();

	private pacedAt = -Infinity;

	private refusedChat?: Sent;

	constructor(
		private readonly path: Path,
		private readonly gate: Gate,
		private readonly chats: Chats,
		private readonly ceiling: () => number,
	) {}

	/** The pace of the whole token now. */
	get speed(): Speed {
		return this.throttle.speed(this.ceiling());
	}

	/** Whether anything learnt is still in force. */
	isLearning(now: number): boolean {
		return this.throttle.isLearning(now);
	}

	/** Says that a request had to wait for the pace of the whole token. */
	notePaced(now: number): void {
		this.pacedAt = now;
	}

	/** Says that the service took a request. */
	accept({ chat, at }: Sent, now: number): void {
		this.path.note(now - at);
		this.throttle.accept(at, now, this.ceiling());
		if (chat !== undefined) this.chats.accept(chat, at, now);
	}

	/** Says that the service had too many requests, of the chat or of the whole token. */
	refuse(refused: Refused, sent: Sent, now: number): void {
		const { limit, retryAfterMs } = refused;
		const paced = this.pacedAt > sent.at - SAME_REASON_MS;
		const isOfChat = this.suspectsChat(refused, sent, paced, now);
		if (sent.chat !== undefined) this.refusedChat = { chat: sent.chat, at: now };
		const refusal = { sentAt: sent.at, limit, paced: paced || isOfChat };
		if (sent.chat !== undefined && isOfChat) {
			this.chats.refuse(sent.chat, refusal, retryAfterMs ?? PAUSE_MS, now);
		} else if (this.throttle.refuse(refusal, now, this.ceiling()) || retryAfterMs !== undefined) {
			this.gate.close(now + (retryAfterMs ?? PAUSE_MS));
		}
	}

	private suspectsChat(refused: Refused, { chat }: Sent, paced: boolean, now: number): boolean {
		if (chat === undefined) return false;
		const last = this.refusedChat;
		const elsewhere = last && last.chat !== chat && now - last.at < SAME_REASON_MS;
		const use = this.chats.useOf(chat, now);
		return isAboutChat(refused, { ...use, isTokenSuspect: paced || elsewhere === true });
	}
}
