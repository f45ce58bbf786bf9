/** Something that a window on the platform wants to see at once. `type` names it, the rest depends on it. */
interface LiveEvent {
	type:
		| 'message'
		| 'message_edited'
		| 'message_removed'
		| 'pinned'
		| 'chat'
		| 'person'
		| 'action'
		| 'notification'
		| 'update'
		| 'request'
		| 'delivery';
	[field: string]: unknown;
}

/** The live stream of everything that happens. */
export class LiveEvents {
	private readonly listeners = new Set<(event: LiveEvent) => void>();

	/** Tells the listeners; the event is only made when somebody listens. */
	emit(make: () => LiveEvent): void {
		if (this.listeners.size === 0) return;
		const event = make();
		for (const listener of this.listeners) listener(event);
	}

	/** Calls `listener` with every event; the answer ends it. */
	subscribe(listener: (event: LiveEvent) => void): () => void {
		this.listeners.add(listener);
		return () => this.listeners.delete(listener);
	}
}
