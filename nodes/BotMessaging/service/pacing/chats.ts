import type { ChatUse } from './blame';
import { Chat } from './chat';
import type { Grant, Path } from './gate';
import { Heap } from './heap';
import type { Refusal } from './throttle';
import type { Waiter } from './types';

/** A chat that was used is looked at after so long, whether it can be forgotten, in ms. */
const QUIET_AFTER_MS = 1500;

/** The limits of single chats, for as long as somebody waits for them or the service may still count. */
export class Chats {
	private readonly chats = new Map<string, Chat>();

	/** Chats with waiting requests, by the time when the next one may go. */
	private readonly blocked = new Heap<{ chat: Chat; at: number }>((a, b) => a.at < b.at);

	/** Chats by the time when they may have become quiet. */
	private readonly used = new Heap<{ chat: Chat; at: number }>((a, b) => a.at < b.at);

	/** `makeReady` is called with each request that its chat no longer holds up. */
	constructor(
		private readonly path: Path,
		private readonly ceiling: () => number,
		private readonly makeReady: (waiter: Waiter) => void,
	) {}

	/** Number of chats that are remembered. */
	get size(): number {
		return this.chats.size;
	}

	/** When `wake` has something to do next. */
	nextAt(): number {
		return this.blocked.peek()?.at ?? Infinity;
	}

	/** How a chat is used now: requests that the service may still count, and the pace. */
	useOf(name: string, now: number): Omit<ChatUse, 'isTokenSuspect'> {
		const chat = this.chats.get(name);
		if (!chat) return { inUse: 0, rate: this.ceiling(), isLowered: false };
		return { inUse: chat.inUse(now), rate: chat.rate, isLowered: chat.throttle.isLearning(now) };
	}

	/** Lets a request wait for its chat. */
	add(name: string, waiter: Waiter, now: number): void {
		const chat = this.chats.get(name) ?? this.remember(name);
		chat.add(waiter, now);
		this.settle(chat, now);
		waiter.heldByChat = waiter.readyAt === undefined;
	}

	/** Makes the requests ready whose chats are free by now, and forgets chats that are quiet. */
	wake(now: number): void {
		for (let first = this.blocked.peek(); first && first.at <= now; first = this.blocked.peek()) {
			this.blocked.take();
			if (first.chat.dueAt !== first.at) continue;
			first.chat.dueAt = undefined;
			this.settle(first.chat, now);
		}
		this.forgetQuiet(now);
	}

	/** Whether the chat of a ready request still lets it go. If not, another party was faster, and it waits again. */
	admits(waiter: Waiter, now: number): boolean {
		const chat = this.chatOf(waiter);
		if (!chat || chat.freeAt(now) <= now) return true;
		chat.endReady(waiter.owner);
		chat.add(waiter, now);
		waiter.heldByChat = true;
		this.settle(chat, now);
		return false;
	}

	/** Counts a request that goes now. */
	grant(waiter: Waiter, now: number): Grant | undefined {
		const chat = this.chatOf(waiter);
		if (!chat) return undefined;
		const grant = chat.take(waiter, now);
		this.used.push({ chat, at: now + QUIET_AFTER_MS });
		this.passOver(waiter, now);
		return grant;
	}

	/** Lets the next one be ready in place of one that no longer waits. */
	passOver(waiter: Waiter, now: number): void {
		const chat = this.chatOf(waiter);
		if (!chat || waiter.readyAt === undefined) return;
		chat.endReady(waiter.owner);
		this.settle(chat, now);
	}

	/** Says that the service took a request. */
	accept(name: string, sentAt: number, now: number): void {
		this.chats.get(name)?.throttle.accept(sentAt, now, this.ceiling());
	}

	/** Says that the service had too many requests for this chat; it gets none for `pauseMs`. */
	refuse(name: string, refusal: Refusal, pauseMs: number, now: number): void {
		const chat = this.chats.get(name) ?? this.remember(name);
		if (chat.throttle.refuse(refusal, now, this.ceiling())) chat.close(now + pauseMs);
	}

	private chatOf({ chat }: Waiter): Chat | undefined {
		return chat === undefined ? undefined : this.chats.get(chat);
	}

	private remember(name: string): Chat {
		const chat = new Chat(name, this.path, this.ceiling);
		this.chats.set(name, chat);
		return chat;
	}

	private settle(chat: Chat, now: number): void {
		const at = chat.freeAt(now);
		if (at <= now) for (const waiter of chat.takeReady()) this.makeReady(waiter);
		else if (chat.isWanted && (chat.dueAt === undefined || at < chat.dueAt)) {
			chat.dueAt = at;
			this.blocked.push({ chat, at });
		}
	}

	private forgetQuiet(now: number): void {
		for (let first = this.used.peek(); first && first.at <= now; first = this.used.peek()) {
			this.used.take();
			const { chat } = first;
			if (chat.isWanted || chat.usedAt + QUIET_AFTER_MS > now) continue;
			if (chat.isQuiet(now)) this.chats.delete(chat.name);
			else this.used.push({ chat, at: now + QUIET_AFTER_MS });
		}
	}
}
