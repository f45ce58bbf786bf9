/** Lets so many pieces of work go on at a time; others wait in the order of their coming. */
export class Semaphore {
	private active = 0;

	private readonly waiting: Array<() => void> = [];

	constructor(private readonly places: number) {}

	/** Does the work once there is a place. */
	async run<T>(work: () => Promise<T>): Promise<T> {
		if (this.active >= this.places) {
			await new Promise<void>((resolve) => {
				this.waiting.push(resolve);
			});
		} else {
			this.active++;
		}
		try {
			return await work();
		} finally {
			const next = this.waiting.shift();
			if (next) next();
			else this.active--;
		}
	}
}

/** Files that are on their way at a time, in all executions: more would only share the same line. */
export const MOST_TRANSFERS = 8;

export const transfers = new Semaphore(MOST_TRANSFERS);
