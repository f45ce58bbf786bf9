import type { IWebhookFunctions } from 'n8n-workflow';
import { settledWithin } from '../service/clock';
import { evictOldest } from '../service/evict';
import { textAt } from '../service/read';

/** Maximum number of questions to remember; the oldest are evicted. */
const MOST_ACCEPTED = 1000;

/** How long n8n's concurrency limit may hold an answer up, in ms. */
export const LONGEST_MS = 900_000;

/** The answers that this process has given to n8n, by the ID of their question: the signature of a press, '' of others. */
const accepted = new Map<string, string>();

/**
 * Accepts the answer of the current request to a question; `false` if an answer was accepted before. n8n lets an
 * execution continue only when its concurrency limit admits it, and meanwhile would take further answers, each of which
 * could run the following steps again. An answer that n8n refuses in the end does not count.
 */
export function acceptOnce(
	context: Pick<IWebhookFunctions, 'getRequestObject' | 'getResponseObject'>,
	question: string,
): boolean {
	if (accepted.has(question)) return false;
	accepted.set(question, textAt(context.getRequestObject().body, 'signature') ?? '');
	evictOldest(accepted, MOST_ACCEPTED);
	void isTaken(context).then((taken) => {
		if (!taken) accepted.delete(question);
	});
	return true;
}

/**
 * Whether n8n takes the answer of the current request in the end, as its response says: even if the person has left by
 * then, and the response reaches nobody.
 */
export async function isTaken(
	context: Pick<IWebhookFunctions, 'getResponseObject'>,
): Promise<boolean> {
	const response = context.getResponseObject();
	const finished = new Promise((resolve) => {
		response.once('finish', resolve);
	});
	await settledWithin(LONGEST_MS, finished, () => response.writableEnded);
	return response.writableEnded && response.statusCode === 200;
}

/** Whether this process has given n8n an answer to a question. */
export const isAnswered = (question: string): boolean => accepted.has(question);

/** Whether this process has given n8n the press with this signature as the answer to a question. */
export const isAccepted = (question: string, signature: string): boolean =>
	accepted.get(question) === signature;
