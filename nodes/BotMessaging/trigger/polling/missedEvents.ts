import type { Logger } from 'n8n-workflow';
import { identityOf } from '../../events/events';
import type { Update } from '../../events/update';
import { settledWithin } from '../../service/clock';
import { isLasting } from '../../service/errors';
import { reasonOf } from '../../service/failure';
import type { Fate } from '../dispatch/chatLine';
import { PROBLEMS, type Dispatcher } from '../dispatch/dispatcher';
import type { Requests } from '../subscription/subscription';
import { poll, type Batch } from './longPoll';

/** Maximum number of batches per call: n8n waits two minutes for a trigger to start. */
const MOST_BATCHES = 20;

/** How far clocks of the service may differ, in ms. Events received before are known by their record. */
const CLOCKS_MS = 60_000;

/** How long the events of a batch have to begin, in ms. */
const BATCH_PATIENCE_MS = 2000;

/** How long n8n has to take an answer to Send and Wait, which its concurrency limit may hold up for long, in ms. */
const TAKING_PATIENCE_MS = 20_000;

/**
 * The events of the time when the bot had no subscription at all. The service keeps them for a day (wire 1.3) and forgets
 * a batch once the next one is requested, so a batch with events that are not done is asked for again.
 */
export class MissedEvents {
	/** Where the next request begins; `undefined` for the first events that the service keeps. */
	private marker?: string;

	/** @param events types of events; all when empty */
	constructor(
		private readonly events: string[],
		private readonly dispatcher: Pick<Dispatcher, 'handOver'>,
		private readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>,
	) {}

	/**
	 * Polls for them and hands them over. Resolves to whether all is done; if not, the next call goes on. A failed request
	 * is logged, not retried. Never rejects.
	 *
	 * @param since Unix time in ms by the service's clock; older events were received. `undefined` asks for nothing
	 * @param canWait whether a later call goes on if the service cannot answer; otherwise the rest counts as done
	 */
	async handOver(service: Requests, since: number | undefined, canWait: boolean): Promise<boolean> {
		if (since === undefined) return true;
		let isAll: boolean;
		try {
			isAll = await this.handOverBatches(service, since, canWait);
		} catch (error) {
			this.logger.warn(`Missed events could not be asked for: ${reasonOf(error)}`);
			isAll = !canWait || isLasting(error);
		}
		if (isAll) this.marker = undefined;
		return isAll;
	}

	/** Stops at a batch that is not done, at the last one, or after some. Resolves to whether all is done. */
	private async handOverBatches(
		service: Requests,
		since: number,
		canWait: boolean,
	): Promise<boolean> {
		let count = 0;
		let isAll = true;
		/** When the latest event so far happened, and the latest of the first batch. */
		let newest = -Infinity;
		let first: number | undefined;
		for (let batches = 0; ; batches++) {
			if (batches === MOST_BATCHES) {
				// There may be more, unless nothing was new: then the service repeats itself forever.
				isAll = count === 0 && newest === first;
				break;
			}
			const { marker } = this;
			const batch = await (marker === undefined
				? this.firstBatch(service, canWait)
				: this.poll(service, marker));
			newest = Math.max(newest, ...batch.updates.map(({ timestamp }) => timestamp));
			first ??= newest;
			const missed = batch.updates.filter(({ timestamp }) => timestamp >= since - CLOCKS_MS);
			const fates = await Promise.all(missed.map(async (update) => await this.fateOf(update)));
			count += fates.filter((fate) => fate === 'begun').length;
			isAll = fates.every((fate) => PROBLEMS[fate] === undefined);
			if (!isAll || batch.updates.length === 0 || batch.marker === marker) break;
			this.marker = batch.marker;
		}
		if (count > 0) this.logger.info(`Events that came without a subscription: ${count}`);
		return isAll;
	}

	/** Hands an event over. One that fails is passed over: it must not block the others. */
	private async fateOf(update: Update): Promise<Fate> {
		try {
			const handing = this.dispatcher.handOver(update, BATCH_PATIENCE_MS);
			if (!(await settledWithin(TAKING_PATIENCE_MS, handing))) return 'late';
			const fate = await handing;
			if (fate !== 'failed') return fate;
			throw new Error(PROBLEMS[fate]);
		} catch (error) {
			const reason = reasonOf(error);
			this.logger.error(`A missed event was passed over: ${identityOf(update)}: ${reason}`);
			return 'ignored';
		}
	}

	/**
	 * The first events that the service keeps. Without a marker, some services give no more than the latest event
	 * (interface: GET /updates); a marker before all events gets them all, unless the service refuses it.
	 *
	 * @throws when that fails for now and the search can wait; otherwise what there is by then is returned
	 */
	private async firstBatch(service: Requests, canWait: boolean): Promise<Batch> {
		const batch = await this.poll(service, undefined);
		if (batch.updates.length > 1) return batch;
		const all = await this.poll(service, '0').catch((error: unknown) => {
			if (canWait && !isLasting(error)) throw error;
			return batch;
		});
		return all.updates.length > batch.updates.length ? all : batch;
	}

	private async poll(service: Requests, marker: string | undefined): Promise<Batch> {
		return await poll(service, { marker, events: this.events, holdSeconds: 0 });
	}
}
