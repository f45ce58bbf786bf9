import { waited } from '../service/clock';

/** How long a host may take to answer, beside what a body takes to send, in ms. */
export const GRACE_MS = 60_000;

/**
 * Makes a request that is aborted when `ask` takes longer than GRACE_MS. The timeout of n8n's helper does not end all of
 * them: it knows nothing of a host that changes the protocol (status 101), and in older versions starts over with each byte.
 *
 * @param ask gets what aborts the request, also after the answer has begun
 * @throws an error with the code ETIMEDOUT when it was aborted; whatever `ask` throws otherwise
 */
export async function inTime<T>(ask: (aborter: AbortController) => Promise<T>): Promise<T> {
	const aborter = new AbortController();
	let isOver = false;
	void waited(GRACE_MS, () => isOver).then((isUp) => {
		if (isUp && !isOver) aborter.abort();
	});
	return await ask(aborter)
		.catch((error: unknown) => {
			throw aborter.signal.aborted ? timedOut() : error;
		})
		.finally(() => {
			isOver = true;
		});
}

const timedOut = (): Error => Object.assign(new Error('It took too long'), { code: 'ETIMEDOUT' });
