import {
	NodeApiError,
	NodeOperationError,
	sleep,
	type IDataObject,
	type ITriggerFunctions,
	type IRun,
} from 'n8n-workflow';
import type { Service } from '../service/types';
import { passOnPress } from '../wait/press';
import { identityOf } from '../events/events';
import { readFilters, type Filter } from './filters';
import { ledgerOf } from './ledger';
import { chosenEvents, formOf, triggerKey } from './parameters';
import { assertNoWebhook, poll, type Batch } from './poll';
import type { Update } from '../events/update';

/** Longest hold that the service keeps (wire 1.3), in seconds. */
const HOLD_SECONDS = 30;

/** Two polls per second at most (wire 1.3). */
const INTERVAL_MS = 500;

const FIRST_BACK_OFF_MS = 1000;
const LONGEST_BACK_OFF_MS = 60_000;

/** A webhook that somebody subscribes later makes all polls empty; looked for this often at most, in ms. */
const SUBSCRIPTION_CHECK_MS = 5_000;

/** An execution that n8n holds back, or runs in another process, is waited for no longer, in ms. */
const HAND_OVER_MS = 30_000;
const LOOK_MS = 5;

/** Steps in which a pause notices that the trigger was switched off, in ms. */
const NAP_MS = 250;

/** What is kept over restarts, in n8n's static data. */
interface Memory extends IDataObject {
	/** Where the next poll begins. */
	marker?: string;
	/** The bot whose marker it is. */
	bot?: string;
}

/** Triggers that poll, by bot. */
const pollers = new Map<string, Poller>();

/** Asks for the events of a bot until it is stopped. Nothing that it does rejects unseen. */
export class Poller {
	private readonly abortion = new AbortController();

	private readonly trigger: string;

	// Read at once: n8n resolves expressions in the form only while it starts the trigger.
	private readonly events: string[];

	private readonly passes: Filter;

	private checkedAt = Date.now();

	constructor(
		private readonly context: ITriggerFunctions,
		private readonly service: Service,
		private readonly bot: string,
	) {
		this.trigger = triggerKey(context);
		this.events = chosenEvents(context);
		this.passes = readFilters(formOf(context), this.events);
	}

	/** Whether another trigger than this one polls for the bot. */
	static isTaken(bot: string, trigger: string): boolean {
		const other = pollers.get(bot);
		return other !== undefined && other.trigger !== trigger;
	}

	/** Runs until `stop`, or until the service refuses the token. Never rejects. */
	async run(): Promise<void> {
		pollers.get(this.bot)?.stop();
		pollers.set(this.bot, this);
		let failures = 0;
		while (!this.isStopped) {
			const startedAt = Date.now();
			try {
				await this.round();
				failures = 0;
			} catch (error) {
				if (this.isStopped) return;
				if (this.isFatal(error)) return this.giveUp(error);
				failures++;
				const reason = error instanceof Error ? error.message : 'unknown reason';
				this.context.logger.warn(`Polling for events failed and goes on: ${reason}`);
			}
			const backOff = Math.min(FIRST_BACK_OFF_MS * 2 ** (failures - 1), LONGEST_BACK_OFF_MS);
			await this.pause(startedAt + INTERVAL_MS - Date.now() + (failures > 0 ? backOff : 0));
		}
	}

	/** Ends the poll that is under way and all to come. */
	stop(): void {
		this.abortion.abort();
		if (pollers.get(this.bot) === this) pollers.delete(this.bot);
	}

	private get isStopped(): boolean {
		return this.abortion.signal.aborted;
	}

	/** One poll. Its marker is kept only once all its events were handed over, so none is lost to a crash. */
	private async round(): Promise<void> {
		const { context } = this;
		const memory: Memory = context.getWorkflowStaticData('node');
		const marker = memory.bot === this.bot ? memory.marker : undefined;
		const batch: Batch = await poll(this.service, {
			marker,
			events: this.events,
			holdSeconds: HOLD_SECONDS,
			signal: this.abortion.signal,
		});
		for (const update of batch.updates) await this.handOver(update);
		// n8n saves this with the next event that is emitted, or when the workflow is switched off.
		if (!this.isStopped) Object.assign(memory, { marker: batch.marker, bot: this.bot });
		if (batch.updates.length === 0) await this.lookForWebhook();
	}

	private async handOver(update: Update): Promise<void> {
		const { context } = this;
		const ledger = ledgerOf(this.trigger);
		const key = identityOf(update);
		if (this.isStopped || (await passOnPress(context, update))) return;
		if (!this.passes(update) || ledger.has(key)) return;
		const done = context.helpers.createDeferredPromise<IRun>();
		let isOver = false;
		const end = (): void => {
			isOver = true;
		};
		done.promise.then(end, end);
		const deadline = Date.now() + HAND_OVER_MS;
		context.emit([[{ json: update }]], undefined, done);
		while (!ledger.has(key) && !isOver && !this.isStopped && Date.now() < deadline) {
			await sleep(LOOK_MS);
		}
	}

	private async lookForWebhook(): Promise<void> {
		if (Date.now() - this.checkedAt < SUBSCRIPTION_CHECK_MS) return;
		await assertNoWebhook(this.context.getNode(), this.service);
		this.checkedAt = Date.now();
	}

	/** What does not get better by waiting: a refused token, a subscribed webhook, a form that cannot be used. */
	private isFatal(error: unknown): error is Error {
		return (
			error instanceof NodeOperationError ||
			(error instanceof NodeApiError && error.httpCode === '401')
		);
	}

	/** n8n runs the error workflow and tries to start the trigger again, a few times. */
	private giveUp(error: Error): void {
		this.stop();
		this.context.logger.error(`Polling for events has ended: ${error.message}`);
		this.context.emitError(error);
	}

	private async pause(ms: number): Promise<void> {
		const end = Date.now() + ms;
		for (let left = ms; left > 0 && !this.isStopped; left = end - Date.now()) {
			await sleep(Math.min(left, NAP_MS));
		}
	}
}
