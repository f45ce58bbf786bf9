import type { IWebhookFunctions } from 'n8n-workflow';
import { BoundedMap } from '../service/boundedMap';
import { settledWithin } from '../service/clock';

type Response = ReturnType<IWebhookFunctions['getResponseObject']>;

/** How long n8n's concurrency limit may hold an answer up, in ms. */
export const LONGEST_MS = 900_000;

/** An answer that this process has given to n8n. */
interface Accepted {
	/** The signature of a press; other answers have none. */
	signature?: string;
	/** Whether n8n takes it in the end. */
	taken: Promise<boolean>;
}

/** The answers that this process has given to n8n, by the ID of their question. */
const accepted = new BoundedMap<string, Accepted>(1000);

/**
 * Accepts the answer that gets this response, unless one was accepted before (`undefined`): until its concurrency limit
 * admits the execution, n8n would take further answers, each of which could run the following steps again. Resolves to
 * whether n8n takes it in the end; one that it refuses does not count.
 */
export function acceptOnce(
	response: Response,
	question: string,
	signature: string | undefined,
): Promise<boolean> | undefined {
	if (accepted.has(question)) return undefined;
	const taken = isTaken(response).then((isIt) => {
		if (!isIt) accepted.delete(question);
		return isIt;
	});
	accepted.set(question, { signature, taken });
	return taken;
}

/** Whether n8n takes an answer, as its response says: even if the person has left by then, and it reaches nobody. */
async function isTaken(response: Response): Promise<boolean> {
	const finished = new Promise((resolve) => {
		response.once('finish', resolve);
	});
	// Once the person has left, a page never ends, as n8n compresses it, and anything else ends without having begun.
	const isGiven = (): boolean => response.headersSent || response.writableEnded;
	await settledWithin(LONGEST_MS, finished, isGiven);
	return isGiven() && response.statusCode === 200;
}

/** Whether this process has given n8n an answer to a question. */
export const isAnswered = (question: string): boolean => accepted.has(question);

/** Whether n8n takes this very press in the end; `undefined` if this process has not given it to n8n. */
export function acceptanceOf(question: string, signature: string): Promise<boolean> | undefined {
	const answer = accepted.get(question);
	return answer?.signature === signature ? answer.taken : undefined;
}
