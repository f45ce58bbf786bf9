import { sleep } from 'n8n-workflow';

/** Time, as pacing needs it. Tests put a virtual one in its place. */
export interface Clock {
	/** Milliseconds since 1970 that never jump; other processes have nearly the same. */
	now(): number;
	/** Resolves after so many ms. */
	sleep(ms: number): Promise<void>;
}

export const realClock: Clock = {
	now: () => performance.timeOrigin + performance.now(),
	// Older n8n take no signal here, so waiting is cut into short pieces instead of being aborted.
	sleep: async (ms) => await sleep(ms),
};
