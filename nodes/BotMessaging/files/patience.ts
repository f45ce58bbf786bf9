import { NodeApiError, sleep } from 'n8n-workflow';
import { textAt } from '../service/read';
import { backoffMs, mayPass, type Backoff } from '../service/retry';
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

/** Pauses before a file is read anew after a fault that may pass, in ms. */
const ANEW_MS = [500, 1500];

/** Reads a file from its host, and anew when that or the network has a fault. */
export async function readPatiently<T>(read: () => Promise<T>): Promise<T> {
	let result = read();
	for (const pause of ANEW_MS) {
		result = result.catch(async (error: unknown) => {
			if (!isFault(error)) throw error;
			await sleep(pause);
			return await read();
		});
	}
	return await result;
}

const isFault = (error: unknown): boolean =>
	error instanceof NodeApiError &&
	mayPass({ status: Number(error.httpCode) || undefined, code: textAt(error.context, 'code') });

/** A transfer of which nothing moved for so long is taken for a dead one, in ms. */
export const STALL_MS = 120_000;

/** What is to be known of a transfer to tell that it is dead. */
interface Watched {
	/** How much has moved so far, in any unit. */
	moves(): number;
	/** How long nothing may move from now on, in ms. */
	allowedMs(): number;
	stalled(): void;
}

/** Calls `stalled`, once, when nothing moves any more. Returns how to end watching. */
export function watchStall({ moves, allowedMs, stalled }: Watched): () => void {
	const over = new AbortController();
	const watch = async (): Promise<void> => {
		for (let before = -1; before !== moves() && !over.signal.aborted;) {
			before = moves();
			await sleep(allowedMs(), over.signal);
		}
		if (!over.signal.aborted) stalled();
	};
	// The only failure is that of a sleep which was ended on purpose.
	watch().catch(() => undefined);
	return () => over.abort();
}
