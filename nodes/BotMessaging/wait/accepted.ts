import type { IWebhookFunctions } from 'n8n-workflow';
import { evictOldest } from '../service/evict';

/** Maximum number of questions to remember; the oldest are evicted. */
const MOST_ACCEPTED = 1000;

/** IDs of the questions whose answer this process has given to n8n. */
const accepted = new Set<string>();

/**
 * Accepts the answer of the current request to a question; `false` if an answer was accepted before. n8n lets an
 * execution continue only when its concurrency limit admits it, and meanwhile would take further answers, each of which
 * could run the following steps again. An answer that n8n refuses in the end does not count.
 */
export function acceptOnce(
	context: Pick<IWebhookFunctions, 'getResponseObject'>,
	question: string,
): boolean {
	if (accepted.has(question)) return false;
	accepted.add(question);
	evictOldest(accepted, MOST_ACCEPTED);
	const response = context.getResponseObject();
	response.once('finish', () => {
		if (response.statusCode !== 200) accepted.delete(question);
	});
	return true;
}

/** Whether this process has given n8n an answer to a question. */
export const isAccepted = (question: string): boolean => accepted.has(question);
