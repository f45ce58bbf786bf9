import type { IExecuteFunctions, Logger } from 'n8n-workflow';

/** How often a long run reports its progress. */
const EVERY_MS = 5000;

/** The part of n8n's context that is needed. */
type Audience = Pick<IExecuteFunctions, 'getNode' | 'getMode' | 'sendMessageToUI'> & {
	logger: Pick<Logger, 'debug'>;
};

/**
 * Reports the progress of a long run in n8n's log at level debug and, for runs started from the editor, in the console of
 * the browser. n8n offers no other place while a node runs.
 */
export class Progress {
	private done = 0;

	private readonly startedAt = Date.now();

	private toldAt = this.startedAt;

	constructor(
		private readonly context: Audience,
		private readonly count: number,
	) {}

	/** Counts one more finished item. */
	step(): void {
		this.done++;
		const now = Date.now();
		if (now - this.toldAt < EVERY_MS || this.done === this.count) return;
		this.toldAt = now;
		const secondsEach = (now - this.startedAt) / 1000 / this.done;
		const left = Math.round(secondsEach * (this.count - this.done));
		const line = `${this.context.getNode().name}: ${this.done} of ${this.count} items done, about ${left} s to go`;
		this.context.logger.debug(line);
		if (this.context.getMode() === 'manual') this.context.sendMessageToUI(line);
	}
}
