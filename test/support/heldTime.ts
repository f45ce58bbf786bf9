/**
 * Time that passes for the time limits of requests and for `performance` when a test says so: what the machine itself takes
 * for its work counts as it is, but waiting takes no time. In force until the end of each test of the `describe` around it.
 */
export class HeldTime {
	private ahead = 0;

	private limits: Array<{ end: number; over: AbortController }> = [];

	static forEachTest(): HeldTime {
		const time = new HeldTime();
		beforeEach(() => time.hold());
		afterEach(() => jest.restoreAllMocks());
		return time;
	}

	/** Lets so many ms pass; time limits that are over by then end their requests. */
	pass(ms: number): void {
		this.ahead += ms;
		const now = performance.now();
		for (const { end, over } of this.limits) {
			if (end <= now) over.abort(new DOMException('The time limit is over', 'TimeoutError'));
		}
	}

	/** What is left of the latest time limit, in ms. */
	get left(): number {
		return (this.limits.at(-1)?.end ?? 0) - performance.now();
	}

	private hold(): void {
		this.ahead = 0;
		this.limits = [];
		const now = performance.now.bind(performance);
		jest.spyOn(performance, 'now').mockImplementation(() => now() + this.ahead);
		jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
			const over = new AbortController();
			this.limits.push({ end: performance.now() + ms, over });
			return over.signal;
		});
	}
}
