import { sleep } from 'n8n-workflow';
import { backoffMs, type Backoff } from '../service/backoff';
import type { Failure } from '../service/failure';

const PAUSES: Backoff = { first: 250, growth: 2, longest: 4000 };

/** Waits between the tries of something that keeps failing, longer each time, until its time is over. */
export class Endurance {
	private failures = 0;

	private firstFailureAt = 0;

	/** All failures that were waited out. */
	interruptions = 0;

	/** `ms`: how long failures may go on without any progress. */
	constructor(
		private readonly ms: number,
		private readonly giveUp: (failure: Failure) => Error,
	) {}

	/** Something went well: what comes now is a new trouble with its own time. */
	progress(): void {
		this.failures = 0;
	}

	/**
	 * Pauses before the next try.
	 *
	 * @throws the error of this failure when the time is over
	 */
	async wait(failure: Failure): Promise<void> {
		const now = Date.now();
		if (this.failures === 0) this.firstFailureAt = now;
		const pause = backoffMs(this.failures, PAUSES);
		if (now + pause - this.firstFailureAt > this.ms) throw this.giveUp(failure);
		this.failures++;
		this.interruptions++;
		await sleep(pause);
	}
}
