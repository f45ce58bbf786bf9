import { sleep } from 'n8n-workflow';

/** Time, as pacing needs it. Tests substitute a virtual clock. */
export interface Clock {
	/** Unix time in ms that never jumps; nearly the same in other processes. */
	now(): number;
	/** Resolves after `ms`. */
	sleep(ms: number): Promise<void>;
}

export const realClock: Clock = {
	now: () => performance.timeOrigin + performance.now(),
	// Older versions of n8n take no abort signal here, so callers wait in short pieces.
	sleep: async (ms) => await sleep(ms),
};
