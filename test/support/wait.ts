import { setTimeout as sleep } from 'node:timers/promises';

interface WaitOptions {
	/** In milliseconds. */
	timeout?: number;
	/** In milliseconds. */
	interval?: number;
	/** Completes the sentence "Waited in vain for …". A function is called at the end, so it can include the state. */
	what: string | (() => string);
}

/**
 * Polls a condition until it returns something other than undefined, null or false, and returns that. Throws with `what`
 * once the timeout has passed, in real time even if a test changes its clocks; an error of the condition ends the
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
