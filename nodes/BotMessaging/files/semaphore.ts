/** Limits how many tasks run at a time; others wait in the order in which they came. */
export class Semaphore {
	private active = 0;

	private readonly waiting: Array<() => void> = [];

	constructor(private readonly places: number) {}

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

/** Files transferred at a time, over all executions: more would only share the same bandwidth. */
export const MOST_TRANSFERS = 8;

export const transfers = new Semaphore(MOST_TRANSFERS);
