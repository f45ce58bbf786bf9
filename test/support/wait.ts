import { setTimeout as sleep } from 'node:timers/promises';

interface WaitOptions {
	/** In milliseconds. */
	timeout?: number;
	/** In milliseconds. */
	interval?: number;
	/** Completes the sentence "Waited in vain for …". A function is asked at the end, so that it can tell the state. */
	what: string | (() => string);
}

/**
 * Asks again and again until the answer is neither undefined, null nor false, and returns that answer. Throws what
 * was waited for when the time is over, which no clock of a test can change; an error of the condition itself ends the
 * wait at once.
 */
export async function waitFor<T>(
	condition: () => T | Promise<T>,
	{ timeout = 20_000, interval = 100, what }: WaitOptions,
): Promise<Exclude<T, undefined | null | false>> {
	const now = () => process.uptime() * 1000;
	const end = now() + timeout;
	for (;;) {
		const answer = await condition();
		if (isAnswer(answer)) return answer;
		if (now() > end) {
			throw new Error(
				`Waited in vain for ${typeof what === 'string' ? what : what()} (${timeout / 1000} s)`,
			);
		}
		await sleep(interval);
	}
}

function isAnswer<T>(answer: T): answer is Exclude<T, undefined | null | false> {
	return answer !== undefined && answer !== null && answer !== false;
}
