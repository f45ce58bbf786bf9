import type { Logger } from 'n8n-workflow';
import { identityOf } from '../events/events';
import type { Update } from '../events/update';
import { reasonOf } from '../service/failure';
import { backoffMs, waited } from '../service/retry';
import { PROBLEMS, type Dispatcher } from './dispatcher';
import { POLL_PAUSES } from './longPoll';

/** So often an event is tried that fails while others do not. */
const TRIES = 4;

/** Events that polls brought, on their way to the dispatcher: each is handed over once, however often it is told. */
export class Deliveries {
	/** Events that wait for their turn, and those that are done with, by identity. */
	private readonly waiting = new Map<string, Promise<void>>();

	private readonly done = new Set<string>();

	/** When an event last went through, in ms. */
	private succeededAt = 0;

	constructor(
		private readonly dispatcher: Dispatcher,
		private readonly logger: Logger,
		private readonly isStopped: () => boolean,
	) {}

	/** Whether nothing waits. */
	get areDone(): boolean {
		return this.waiting.size === 0;
	}

	/** Hands an event over. With `isInTheWay` nothing comes after it until it is done with. */
	begin(update: Update, isInTheWay: boolean): void {
		const key = identityOf(update);
		if (this.done.has(key) || this.waiting.has(key)) return;
		const handing = this.handOver(update, key, isInTheWay).then(() => {
			this.waiting.delete(key);
			this.done.add(key);
		});
		this.waiting.set(key, handing);
	}

	/** Waits until all events are done with, or for so many ms. */
	async settled(ms: number): Promise<void> {
		const isOver = (): boolean => this.areDone || this.isStopped();
		await Promise.race([Promise.all(this.waiting.values()), waited(ms, isOver)]);
	}

	/** Forgets events that will not be told again. */
	forget(): void {
		this.done.clear();
	}

	/**
	 * Tries until the event is done with. One that fails again and again while others do not is told once and passed
	 * over: it must not keep the bot from all that comes after it. Where nothing comes after it, an answer whose execution
	 * cannot be reached is passed over all the same. Never rejects.
	 */
	private async handOver(update: Update, key: string, isInTheWay: boolean): Promise<void> {
		const startedAt = Date.now();
		let reason = '';
		let isUnreachable = false;
		for (let failures = 0; !this.isStopped(); failures++) {
			const canWait = this.succeededAt <= startedAt && !(isUnreachable && isInTheWay);
			if (failures >= TRIES && !canWait) break;
			if (failures > 0) await waited(backoffMs(failures - 1, POLL_PAUSES), this.isStopped);
			try {
				const problem = PROBLEMS[await this.dispatcher.handOver(update, Infinity)];
				if (problem === undefined) {
					this.succeededAt = Date.now();
					return;
				}
				reason = problem;
			} catch (error) {
				reason = reasonOf(error);
				isUnreachable = true;
			}
		}
		if (!this.isStopped()) this.logger.error(`An event was passed over: ${key}: ${reason}`);
	}
}
