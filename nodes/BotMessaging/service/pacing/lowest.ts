/** A bag of numbers that knows its lowest. Few different ones are expected in it. */
export class Lowest {
	private readonly counts = new Map<number, number>();

	private last: number;

	/** `initial` is the answer until the first number comes. */
	constructor(initial: number) {
		this.last = initial;
	}

	add(value: number): void {
		this.counts.set(value, (this.counts.get(value) ?? 0) + 1);
		this.update();
	}

	remove(value: number): void {
		const left = (this.counts.get(value) ?? 0) - 1;
		if (left > 0) this.counts.set(value, left);
		else this.counts.delete(value);
		this.update();
	}

	/** The lowest number in the bag; of an empty bag the last that it gave. */
	get value(): number {
		return this.last;
	}

	private update(): void {
		if (this.counts.size > 0) this.last = Math.min(...this.counts.keys());
	}
}
