import { Heap } from './heap';

/** Somebody who waits. */
export interface Waiting {
	/** Those of the same owner share its turns. */
	readonly owner: object;
	/** Smaller is served first among those of one owner. */
	readonly rank: number;
	/** Breaks ties: the order in which they came. */
	readonly order: number;
	/** No longer waits; is passed over. */
	gone: boolean;
}

/** The order among those of one owner. */
export const standsBefore = (a: Waiting, b: Waiting): boolean =>
	a.rank === b.rank ? a.order < b.order : a.rank < b.rank;

/** Those who wait, owners in turn: however many one owner has waiting, the next owner is served after one of them. */
export class Turns<W extends Waiting> {
	/** In the order of their turns. */
	private readonly owners = new Map<object, Heap<W>>();

	isEmpty(): boolean {
		return this.owners.size === 0;
	}

	add(waiting: W): void {
		const queue = this.owners.get(waiting.owner) ?? new Heap<W>(standsBefore);
		queue.push(waiting);
		this.owners.set(waiting.owner, queue);
	}

	/** Takes the first of the owner whose turn it is. */
	take(): W | undefined {
		for (const [owner, queue] of this.owners) {
			const first = takePresent(queue);
			this.owners.delete(owner);
			if (queue.size > 0) this.owners.set(owner, queue);
			if (first) return first;
		}
		return undefined;
	}
}

function takePresent<W extends Waiting>(queue: Heap<W>): W | undefined {
	for (let first = queue.take(); first; first = queue.take()) if (!first.gone) return first;
	return undefined;
}
