/**
 * Speeds up time by this factor for everything in this process: nodes, engine and platform. Their waits stay in
 * proportion to each other, only network and machine seem slower. `waitFor` still measures real time.
 */
export function hurry(times: number): void {
	const { setTimeout: wait } = globalThis;
	beforeAll(() => {
		for (const clock of [Date, performance]) {
			const now = clock.now.bind(clock);
			const startedAt = now();
			jest.spyOn(clock, 'now').mockImplementation(() => startedAt + (now() - startedAt) * times);
		}
		jest
			.spyOn(globalThis, 'setTimeout')
			.mockImplementation((run, ms = 0, ...rest) => wait(run, ms / times, ...rest));
	});
	afterAll(() => jest.restoreAllMocks());
}

/** Sets the clock of the machine back by `ms`, for everything in this hurried process, until the returned function is called. */
export function setClockBack(ms: number): () => void {
	const clock = jest.spyOn(Date, 'now');
	const now = clock.getMockImplementation() ?? Date.now;
	clock.mockImplementation(() => now() - ms);
	return () => void clock.mockImplementation(now);
}
