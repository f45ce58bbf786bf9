import { settledWithin } from '../service/clock';

/** How long later events of a chat wait at the most, in ms: longer than a message is looked up. */
const LONGEST_MS = 3500;

/** Messages that may answer a question, until that is decided, by chat. */
const undecided = new Map<string, Set<Promise<unknown>>>();

/** Resolves like `deciding`; until then, later events of the chat can wait for its end. */
export async function decideIn<T>(chat: string, deciding: Promise<T>): Promise<T> {
	const ofChat = undecided.get(chat) ?? new Set();
	undecided.set(chat, ofChat.add(deciding));
	try {
		return await deciding;
	} finally {
		ofChat.delete(deciding);
		if (ofChat.size === 0) undecided.delete(chat);
	}
}

/** Resolves when it is decided about all messages that have come in this chat, or when that takes too long. */
export async function decisionsIn(chat: string): Promise<void> {
	const ofChat = undecided.get(chat);
	if (ofChat) await settledWithin(LONGEST_MS, Promise.allSettled(ofChat));
}
