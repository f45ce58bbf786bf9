import { NodeApiError, sleep } from 'n8n-workflow';
import { textAt } from '../service/read';
import { backoffMs, realClock, sleepUnless, type Backoff } from '../service/clock';
import { isTransient } from '../service/retry';
import type { Failure } from '../service/failure';
import { MOST_TRANSFERS } from './semaphore';

/** How long a host may take to answer a request without a body, in ms. */
export const HOST_TIMEOUT_MS = 60_000;

const PAUSES: Backoff = { first: 250, growth: 2, longest: 4000 };

/** Backoff between the tries of something that keeps failing, until its time is up. */
export class RetryWindow {
	private failures = 0;

	private firstFailureAt = 0;

	/** Number of failures waited out so far. */
	interruptions = 0;

	/** `ms`: how long failures may go on without any progress. */
	constructor(
		private readonly ms: number,
		private readonly giveUp: (failure: Failure) => Error,
	) {}

	/** Notes progress: the next failure starts over, with the full time and the shortest pause. */
	progress(): void {
		this.failures = 0;
	}

	/** Pauses before the next try. Throws the error of this failure when the time is up. */
	async wait(failure: Failure): Promise<void> {
		const now = realClock.now();
		if (this.failures === 0) this.firstFailureAt = now;
		const pause = backoffMs(this.failures, PAUSES);
		if (now + pause - this.firstFailureAt > this.ms) throw this.giveUp(failure);
		this.failures++;
		this.interruptions++;
		await sleep(pause);
	}
}

/** Pauses before a file is read again after a transient fault, in ms. */
const RETRY_PAUSES_MS = [500, 1500];

/** Reads a file from its host, and again after transient faults of the host or the network. */
export async function readWithRetries<T>(read: () => Promise<T>): Promise<T> {
	let result = read();
	for (const pause of RETRY_PAUSES_MS) {
		result = result.catch(async (error: unknown) => {
			if (!isTransientFault(error)) throw error;
			await sleep(pause);
			return await read();
		});
	}
	return await result;
}

const isTransientFault = (error: unknown): boolean =>
	error instanceof NodeApiError &&
	isTransient({ status: Number(error.httpCode) || undefined, code: textAt(error.context, 'code') });

/** A transfer in which nothing has moved for this long, in ms, is considered dead. */
export const STALL_MS = 120_000;

/**
 * A transfer of fewer bytes than this per STALL_MS is considered dead: a trickle would hold its place forever. It is a
 * share of 32 KB/s, as all transfers share the bandwidth.
 */
export const MIN_PROGRESS = (32 * STALL_MS) / MOST_TRANSFERS;

interface Watched {
	/** How much has moved so far, in any unit. */
	moves(): number;
	/** How long the next move may take, as of now, in ms. */
	allowedMs(): number;
	stalled(): void;
}

/** Calls `stalled` once when nothing moves any more. Returns a function that ends watching. */
export function watchStall({ moves, allowedMs, stalled }: Watched): () => void {
	let isOver = false;
	const watch = async (): Promise<void> => {
		for (let before = -1; before !== moves() && !isOver;) {
			before = moves();
			await sleepUnless(allowedMs(), () => isOver);
		}
		if (!isOver) stalled();
	};
	void watch();
	return () => {
		isOver = true;
	};
}

/**
 * Makes a request that `ask` can abort, and that is aborted with ETIMEDOUT after HOST_TIMEOUT_MS. The timeout of n8n's
 * helper ignores a change of protocol (status 101), and in older versions starts over with each byte.
 */
export async function withTimeout<T>(ask: (aborter: AbortController) => Promise<T>): Promise<T> {
	const aborter = new AbortController();
	const end = watchStall({
		moves: () => 0,
		allowedMs: () => HOST_TIMEOUT_MS,
		stalled: () => aborter.abort(),
	});
	return await ask(aborter)
		.catch((error: unknown) => {
			throw aborter.signal.aborted ? timedOut() : error;
		})
		.finally(end);
}

const timedOut = (): Error => Object.assign(new Error('It took too long'), { code: 'ETIMEDOUT' });
