/**
 * Speeds up time by this factor for everything in this process: nodes, engine and platform. Their waits stay in
 * proportion to each other, only network and machine seem slower, or faster with a factor below 1. `waitFor` still
 * measures real time.
 */
export function hurry(times: number): void {
	beforeAll(() => {
		for (const clock of [Date, performance]) {
			const now = clock.now.bind(clock);
			const startedAt = now();
			jest.spyOn(clock, 'now').mockImplementation(() => startedAt + (now() - startedAt) * times);
		}
		hurryTimers(times);
	});
	afterAll(() => jest.restoreAllMocks());
}

/** Ends what waits for timers so many times sooner, whatever the clocks say, until `mockRestore`. */
export function hurryTimers(times: number): jest.SpiedFunction<typeof setTimeout> {
	const { setTimeout: wait } = globalThis;
	return jest
		.spyOn(globalThis, 'setTimeout')
		.mockImplementation((run, ms = 0, ...rest) => wait(run, ms / times, ...rest));
}

/**
 * Sets the clock of the machine back by `ms` (or `performance`, which usually nobody can), for everything in this
 * process, hurried or not, until the returned function is called.
 */
export const setClockBack = (ms: number, clock: { now(): number } = Date): (() => void) =>
	changeClock(clock, (now) => now - ms);

/** Stops what measures time by `performance`, until the returned function is called. */
export function stopClock(): () => void {
	const stoppedAt = performance.now();
	return changeClock(performance, () => stoppedAt);
}

function changeClock(clock: { now(): number }, change: (now: number) => number): () => void {
	const isHurried = jest.isMockFunction(clock.now);
	const spy = jest.spyOn(clock, 'now');
	const now = spy.getMockImplementation() ?? clock.now;
	spy.mockImplementation(() => change(now.call(clock)));
	return () => void (isHurried ? spy.mockImplementation(now) : spy.mockRestore());
}

/** Ends the time limits of requests so many times sooner, until `mockRestore`. */
export function hurryTimeouts(times: number): jest.SpiedFunction<typeof AbortSignal.timeout> {
	const { timeout } = AbortSignal;
	return jest
		.spyOn(AbortSignal, 'timeout')
		.mockImplementation((ms) => timeout.call(AbortSignal, Math.ceil(ms / times)));
}
