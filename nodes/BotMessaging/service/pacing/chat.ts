import { Gate, type Grant, type Path, type Speed } from './gate';
import { Heap } from './heap';
import { Throttle } from './throttle';
import { standsBefore } from './turns';
import type { Party, Waiter } from './types';

/** Messages may go in pairs: what the service allows in a second may go at once after a quiet time. */
const BURST_SHARE = 1;

/** The limit of one chat, and who waits for it. */
export class Chat {
	readonly throttle = new Throttle();

	/** When the chat is looked at again, while requests wait for its limit. */
	dueAt?: number;

	/** When the last request went. */
	usedAt = -Infinity;

	private readonly gate: Gate;

	/** Requests that wait for this chat, by party. */
	private readonly waiting = new Map<Party, Heap<Waiter>>();

	/** Requests of this chat that only the pace of the whole token holds up: one of each party. */
	private readonly ready = new Set<Party>();

	constructor(
		readonly name: string,
		path: Path,
		private readonly ceiling: () => number,
	) {
		this.gate = new Gate(path, BURST_SHARE);
	}

	/** The pace now, in requests per second. */
	get rate(): number {
		return this.speed.rate;
	}

	private get speed(): Speed {
		return this.throttle.speed(this.ceiling());
	}

	/** Whether somebody waits. */
	get isWanted(): boolean {
		return this.waiting.size > 0 || this.ready.size > 0;
	}

	/** Whether nothing is known here that would be missed. */
	isQuiet(now: number): boolean {
		return !this.isWanted && this.gate.isQuiet(now) && !this.throttle.isLearning(now);
	}

	/** Requests that the service may still count. */
	inUse(now: number): number {
		return this.gate.inUse(now);
	}

	/** When the next request may go. */
	freeAt(now: number): number {
		return this.gate.freeAt(now, this.speed);
	}

	/** Lets nobody through before `until`. */
	close(until: number): void {
		this.gate.close(until);
	}

	/** Lets a request wait, also one that was ready when the chat's limit was used up by another party. */
	add(waiter: Waiter, now: number): void {
		if (!this.isWanted) this.gate.arrive(now, this.speed);
		const queue = this.waiting.get(waiter.owner) ?? new Heap<Waiter>(standsBefore);
		queue.push(waiter);
		this.waiting.set(waiter.owner, queue);
	}

	/** Takes the next request of each party that has none ready. */
	takeReady(): Waiter[] {
		const taken: Waiter[] = [];
		for (const [party, queue] of [...this.waiting]) {
			if (this.ready.has(party)) continue;
			const waiter = takePresent(queue);
			if (queue.size === 0) this.waiting.delete(party);
			if (!waiter) continue;
			this.ready.add(party);
			taken.push(waiter);
		}
		return taken;
	}

	/** Says that the ready request of a party is so no longer. */
	endReady(party: Party): void {
		this.ready.delete(party);
	}

	/** Counts a request that goes now. */
	take(waiter: Waiter, now: number): Grant {
		this.usedAt = now;
		return this.gate.take(now, this.speed, waiter.heldByChat);
	}
}

function takePresent(queue: Heap<Waiter>): Waiter | undefined {
	for (let first = queue.take(); first; first = queue.take()) if (!first.gone) return first;
	return undefined;
}
