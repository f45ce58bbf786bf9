import type { Logger } from 'n8n-workflow';
import { identityOf, type Update } from '../../events/events';
import { reasonOf } from '../../service/failure';
import { backoffMs, realClock, settledWithin, sleepUnless } from '../../service/clock';
import { ticketPressed } from '../../wait/ticket';
import { PROBLEMS, type Dispatcher } from '../dispatch/dispatcher';
import { POLL_PAUSES } from './longPoll';

const TRIES = 4;

/** Polled events on their way to the dispatcher: each is handed over once, however often polled meanwhile. */
export class Deliveries {
	/** Events that wait for their turn, and events that are done, by identity. */
	private readonly waiting = new Map<string, Promise<void>>();

	private readonly done = new Set<string>();

	/** Number of events that have started an execution. */
	begun = 0;

	/** When an event last succeeded, in ms. */
	private succeededAt = 0;

	/** `keepsTrying`: an event is tried for as long as no other succeeds, and presses of Send and Wait are awaited. */
	constructor(
		private readonly dispatcher: Pick<Dispatcher, 'handOver'>,
		private readonly logger: Pick<Logger, 'error'>,
		private readonly isStopped: () => boolean,
		private readonly keepsTrying: boolean,
	) {}

	/** Hands events over, besides those that still wait. Resolves to whether all are done, after `ms` at the latest. */
	async take(updates: Update[], ms: number): Promise<boolean> {
		for (const update of updates) this.begin(update);
		await settledWithin(ms, Promise.all(this.waiting.values()), this.isStopped);
		if (this.waiting.size > 0 || this.isStopped()) return false;
		this.done.clear();
		return true;
	}

	private begin(update: Update): void {
		const key = identityOf(update);
		if (this.done.has(key) || this.waiting.has(key)) return;
		const handing = this.handOver(update, key).then(() => {
			this.waiting.delete(key);
			this.done.add(key);
		});
		// Until a question has its answer, its button can be pressed again; people may press faster than that can be told.
		const isPress = ticketPressed(update) !== undefined;
		if (isPress && !this.keepsTrying) this.done.add(key);
		else this.waiting.set(key, handing);
	}

	/** Retries until the event is done, or is logged and skipped, so that it does not block the bot. Never rejects. */
	private async handOver(update: Update, key: string): Promise<void> {
		const startedAt = realClock.now();
		let reason = '';
		for (let failures = 0; !this.isStopped(); failures++) {
			if (failures >= TRIES && (!this.keepsTrying || this.succeededAt > startedAt)) break;
			const pauseMs = backoffMs(failures - 1, POLL_PAUSES);
			if (failures > 0 && !(await sleepUnless(pauseMs, this.isStopped))) return;
			try {
				const fate = await this.dispatcher.handOver(update, Infinity);
				const problem = PROBLEMS[fate];
				if (problem === undefined) {
					if (fate === 'begun') this.begun++;
					this.succeededAt = realClock.now();
					return;
				}
				reason = problem;
			} catch (error) {
				reason = reasonOf(error);
			}
		}
		if (!this.isStopped()) this.logger.error(`An event was passed over: ${key}: ${reason}`);
	}
}
