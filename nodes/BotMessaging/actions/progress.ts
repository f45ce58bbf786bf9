import type { IExecuteFunctions, Logger } from 'n8n-workflow';

/** A run that takes longer says this often how far it is. */
const EVERY_MS = 5000;

/** What is needed of n8n's context. */
type Audience = Pick<IExecuteFunctions, 'getNode' | 'getMode' | 'sendMessageToUI'> & {
	logger: Pick<Logger, 'debug'>;
};

/**
 * Tells how far a long run is: in n8n's log at level debug and, when it was started from the editor, in the
 * console of the browser. These are the places that n8n offers while a node runs.
 */
export class Progress {
	private done = 0;

	private readonly startedAt = Date.now();

	private toldAt = this.startedAt;

	constructor(
		private readonly context: Audience,
		private readonly count: number,
	) {}

	/** One more item is done. */
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
