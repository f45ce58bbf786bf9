type Listener = () => void;

const listeners = new Map<string, Set<Listener>>();

const keyOf = (botKey: string, chat: string): string => `${botKey} ${chat}`;

/** Tells those who want to know that a bot has written into a chat, named as in ServiceRequest. */
export function noteWritten(botKey: string, chat: string): void {
	for (const listener of listeners.get(keyOf(botKey, chat)) ?? []) listener();
}

/** Has `listener` called when the bot writes into the chat from this process. Returns how to end that. */
export function onWritten(botKey: string, chat: string, listener: Listener): () => void {
	const key = keyOf(botKey, chat);
	const own = listeners.get(key) ?? new Set();
	listeners.set(key, own.add(listener));
	return () => {
		own.delete(listener);
		if (own.size === 0 && listeners.get(key) === own) listeners.delete(key);
	};
}
