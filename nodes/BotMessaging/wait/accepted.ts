import type { IWebhookFunctions } from 'n8n-workflow';
import { BoundedMap } from '../service/boundedMap';
import { settledWithin } from '../service/clock';
import { textAt } from '../service/read';

type Response = ReturnType<IWebhookFunctions['getResponseObject']>;

/** How long n8n's concurrency limit may hold an answer up, in ms. */
export const LONGEST_MS = 900_000;

/** An answer that this process has given to n8n. */
interface Accepted {
	/** The signature of a press; '' for other answers. */
	signature: string;
	/** Whether n8n takes it in the end. */
	taken: Promise<boolean>;
}

/** The answers that this process has given to n8n, by the ID of their question. */
const accepted = new BoundedMap<string, Accepted>(1000);

/**
 * Accepts the answer of the current request to a question; `undefined` if an answer was accepted before. n8n lets an
 * execution continue only when its concurrency limit admits it, and meanwhile would take further answers, each of which
 * could run the following steps again. Resolves to whether n8n takes the answer in the end; one that it refuses does not
 * count.
 */
export function acceptOnce(
	context: Pick<IWebhookFunctions, 'getRequestObject' | 'getResponseObject'>,
	question: string,
): Promise<boolean> | undefined {
	if (accepted.has(question)) return undefined;
	const signature = signatureIn(context);
	const taken = isTaken(context.getResponseObject()).then((isIt) => {
		if (!isIt) accepted.delete(question);
		return isIt;
	});
	accepted.set(question, { signature, taken });
	return taken;
}

const signatureIn = (context: Pick<IWebhookFunctions, 'getRequestObject'>): string =>
	textAt(context.getRequestObject().body, 'signature') ?? '';

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

/** The answer that this process has given n8n to a question. */
export const acceptedFor = (question: string): Accepted | undefined => accepted.get(question);

/** The answer that this process has given n8n, if it is the press in the current request, which is here again. */
export function acceptedBefore(
	context: Pick<IWebhookFunctions, 'getRequestObject'>,
	question: string,
): Accepted | undefined {
	const before = acceptedFor(question);
	return before?.signature && before.signature === signatureIn(context) ? before : undefined;
}
