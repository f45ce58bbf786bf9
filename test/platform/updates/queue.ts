import type { JsonObject } from '../json';

/** An event as bots receive it. */
export interface Update extends JsonObject {
	update_type: string;
	/** Unix ms. */
	timestamp: number;
}

/** What one poll asks for. */
export interface Poll {
	/** Everything before it has been read and can be dropped. */
	marker: bigint | undefined;
	limit: number;
	types: string[] | undefined;
	/** Without a marker: only the latest update. */
	latestOnly: boolean;
}

export interface PollResult {
	updates: Update[];
	/** Pointer to the next expected update. */
	marker: bigint;
}

interface Item {
	marker: bigint;
	time: number;
	update: Update;
}

const RETENTION_MS = 24 * 60 * 60 * 1000;

const FIRST_MARKER = 25_000_001n;

/** A bot's updates for polling. They are kept for 24 hours or until they are committed. */
export class UpdateQueue {
	private items: Item[] = [];

	private next = FIRST_MARKER;

	private readonly waiting = new Set<() => void>();

	/** Adds an update and wakes waiting polls. */
	push(update: Update, now: number): void {
		this.expire(now);
		this.items.push({ marker: this.next, time: now, update });
		this.next += 1n;
		for (const wake of [...this.waiting]) wake();
	}

	/** The updates available for this poll now; an empty list if nothing matches. */
	take(poll: Poll, now: number): PollResult {
		this.expire(now);
		const { marker, types } = poll;
		if (marker !== undefined) this.commit(marker);
		const first = marker === undefined && poll.latestOnly ? Math.max(0, this.items.length - 1) : 0;
		const updates: Update[] = [];
		let position = marker ?? this.next;
		for (let index = first; updates.length < poll.limit; index += 1) {
			const item = this.items[index];
			if (item === undefined) break;
			if (types === undefined || types.includes(item.update.update_type)) updates.push(item.update);
			position = item.marker + 1n;
		}
		return { updates, marker: position };
	}

	/** Resolves at the next update, or when `signal` aborts. */
	changed(signal: AbortSignal): Promise<void> {
		return new Promise((resolve) => {
			const wake = () => {
				this.waiting.delete(wake);
				signal.removeEventListener('abort', wake);
				resolve();
			};
			this.waiting.add(wake);
			signal.addEventListener('abort', wake);
			if (signal.aborted) wake();
		});
	}

	/** Number of updates kept. */
	get length(): number {
		return this.items.length;
	}

	private commit(marker: bigint): void {
		const keep = this.items.findIndex((item) => item.marker >= marker);
		if (keep !== 0) this.items = keep < 0 ? [] : this.items.slice(keep);
	}

	private expire(now: number): void {
		const oldest = this.items[0];
		if (oldest === undefined || now - oldest.time <= RETENTION_MS) return;
		this.items = this.items.filter((item) => now - item.time <= RETENTION_MS);
	}
}
