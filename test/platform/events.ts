/** An event that open messenger windows show at once. `type` names it, the other fields depend on it. */
interface LiveEvent {
	type:
		| 'message'
		| 'message_edited'
		| 'message_removed'
		| 'chat'
		| 'person'
		| 'action'
		| 'notification'
		| 'update'
		| 'request'
		| 'delivery';
	[field: string]: unknown;
}

/** The live stream of all events. */
export class LiveEvents {
	private readonly listeners = new Set<(event: LiveEvent) => void>();

	/** Emits an event to the listeners; builds it only if there are any. */
	emit(make: () => LiveEvent): void {
		if (this.listeners.size === 0) return;
		const event = make();
		for (const listener of this.listeners) listener(event);
	}

	/** Calls `listener` with every event; returns a function that ends this. */
	subscribe(listener: (event: LiveEvent) => void): () => void {
		this.listeners.add(listener);
		return () => this.listeners.delete(listener);
	}
}
