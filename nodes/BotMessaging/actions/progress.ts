import type { IExecuteFunctions, Logger } from 'n8n-workflow';
import { realClock } from '../service/clock';

const REPORT_MS = 5000;

type Audience = Pick<IExecuteFunctions, 'getNode' | 'getMode' | 'sendMessageToUI'> & {
	logger: Pick<Logger, 'debug'>;
};

/**
 * Reports the progress of a run of `count` items in n8n's log (debug) and, if started from the editor, in the console
 * of the browser: n8n offers no other place while a node runs. The result is called for each finished item.
 */
export function progressOf(context: Audience, count: number): () => void {
	const startedAt = realClock.now();
	let toldAt = startedAt;
	let done = 0;
	return () => {
		done++;
		const now = realClock.now();
		if (now - toldAt < REPORT_MS || done === count) return;
		toldAt = now;
		const left = Math.round(((now - startedAt) / 1000 / done) * (count - done));
		const line = `${context.getNode().name}: ${done} of ${count} items done, about ${left} s to go`;
		context.logger.debug(line);
		if (context.getMode() === 'manual') context.sendMessageToUI(line);
	};
}
