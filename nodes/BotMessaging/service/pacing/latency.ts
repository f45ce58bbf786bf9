/** Answers that are remembered, and the part of them that counts as quick. */
const REMEMBERED = 32;
const QUICK_PART = 0.04;

/** So many answers tell something. */
const PROOF = 3;

/** The quick answers of the last seconds: the part of every delay that is the same for all requests. */
export class Latency {
	private readonly delays: number[] = [];

	private quick = Infinity;

	/** Notes the delay of an answer, in ms. */
	note(delayMs: number): void {
		this.delays.push(delayMs);
		if (this.delays.length > REMEMBERED) this.delays.shift();
		const sorted = [...this.delays].sort((a, b) => a - b);
		this.quick = sorted[Math.floor(sorted.length * QUICK_PART)] ?? Infinity;
	}

	/** Whether there were enough answers to tell. */
	isKnown(): boolean {
		return this.delays.length >= PROOF;
	}

	/** The delay of a quick answer in ms, infinite as long as there was none. */
	quickMs(): number {
		return this.quick;
	}
}
