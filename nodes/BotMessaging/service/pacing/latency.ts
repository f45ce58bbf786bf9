/** Number of answers remembered, and the fraction of them that counts as quick. */
const REMEMBERED = 32;
const QUICK_PART = 0.04;

/** Number of answers that make the latency known. */
export const ENOUGH_ANSWERS = 3;

/** The delay of the quickest recent answers: the part of a delay that all requests have in common. */
export class Latency {
	private readonly delays: number[] = [];

	/** The delay of a quick answer in ms, infinite until there is one. */
	quickMs = Infinity;

	/** Records the delay of an answer, in ms. */
	note(delayMs: number): void {
		this.delays.push(delayMs);
		if (this.delays.length > REMEMBERED) this.delays.shift();
		const sorted = [...this.delays].sort((a, b) => a - b);
		this.quickMs = sorted[Math.floor(sorted.length * QUICK_PART)] ?? Infinity;
	}

	/** Whether there were enough answers to tell. */
	isKnown(): boolean {
		return this.delays.length >= ENOUGH_ANSWERS;
	}
}
