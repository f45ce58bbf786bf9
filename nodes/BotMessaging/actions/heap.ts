/** A priority queue: `take` gives the entry that stands before all others, in O(log n). */
export class Heap<T> {
	private readonly entries: T[] = [];

	/** `before` tells whether its first argument has to be taken before its second. */
	constructor(private readonly before: (a: T, b: T) => boolean) {}

	get size(): number {
		return this.entries.length;
	}

	/** The entry that `take` would give. */
	peek(): T | undefined {
		return this.entries[0];
	}

	push(entry: T): void {
		let hole = this.entries.length;
		this.entries.push(entry);
		while (hole > 0) {
			const above = (hole - 1) >> 1;
			const parent = this.at(above);
			if (!this.before(entry, parent)) break;
			this.entries[hole] = parent;
			hole = above;
		}
		this.entries[hole] = entry;
	}

	take(): T | undefined {
		const first = this.entries[0];
		const last = this.entries.pop();
		if (last !== undefined && this.entries.length > 0) this.sink(last);
		return first;
	}

	private sink(entry: T): void {
		let hole = 0;
		for (;;) {
			const child = this.firstChild(hole);
			if (child === undefined || !this.before(this.at(child), entry)) break;
			this.entries[hole] = this.at(child);
			hole = child;
		}
		this.entries[hole] = entry;
	}

	private firstChild(hole: number): number | undefined {
		const left = 2 * hole + 1;
		const right = left + 1;
		if (left >= this.entries.length) return undefined;
		return right < this.entries.length && this.before(this.at(right), this.at(left)) ? right : left;
	}

	private at(index: number): T {
		const entry = this.entries[index];
		if (entry === undefined) throw new RangeError(`No entry ${index}`);
		return entry;
	}
}
