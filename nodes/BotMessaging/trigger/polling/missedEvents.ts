import { sleep, type Logger } from 'n8n-workflow';
import { identityOf } from '../../events/events';
import type { Update } from '../../events/update';
import { Semaphore } from '../../files/semaphore';
import { BoundedMap } from '../../service/boundedMap';
import type { Connection } from '../../service/connection';
import { reasonOf } from '../../service/failure';
import type { Dispatcher } from '../dispatch/dispatcher';
import type { Requests } from '../subscription/subscription';
import { Deliveries } from './deliveries';
import { poll, type Batch } from './longPoll';

type BotService = Requests & { connection: Pick<Connection, 'botKey'> };

/** Maximum number of batches per call: n8n waits two minutes for a trigger to start. */
const MOST_BATCHES = 20;

/** How far clocks of the service may differ, in ms. Events received before are known by their record. */
const CLOCKS_MS = 60_000;

/** How long the events of a batch have to begin before it is asked for again, in ms. */
const BATCH_PATIENCE_MS = 2000;

/** How long what a trigger has taken from the service is there for the other triggers of its bot, in ms. */
const SHARED_MS = 600_000;

/**
 * Batches that triggers of this process have taken lately, by bot and first event, at most so many: each may hold a hundred
 * events.
 */
const taken = new BoundedMap<string, { bot: string; by: MissedEvents; updates: Update[] }>(100);

/** The turns of each bot to poll: who ends has to know what the others got, as a service may give each event only once. */
const turns = new Map<string, Semaphore>();

/**
 * The events of the time when the bot had no subscription at all. The service keeps them for a day (wire 1.3) and forgets
 * a batch once the next one is requested, so a batch with events that are not done is asked for again. Whichever of the
 * bot's triggers asks first takes them for all.
 */
export class MissedEvents {
	/** Where the next request begins; `undefined` for the first events that the service keeps. */
	private marker?: string;

	private readonly deliveries: Deliveries;

	constructor(
		dispatcher: Pick<Dispatcher, 'handOver'>,
		private readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>,
		isStopped: () => boolean,
	) {
		this.deliveries = new Deliveries(dispatcher, logger, isStopped, false);
	}

	/**
	 * Polls for them and hands them over. Resolves to whether all is done; if not, the next call goes on. After a failed
	 * request, which is logged, the rest counts as done. Never rejects.
	 *
	 * @param since Unix time in ms by the service's clock; older events were received
	 */
	async handOver(service: BotService, since: number): Promise<boolean> {
		const before = this.deliveries.begun;
		let isAll = await this.handOverBatches(service, since).catch((error: unknown) => {
			this.logger.warn(`Missed events could not be asked for: ${reasonOf(error)}`);
			return true;
		});
		for (const { bot, by, updates } of taken.values()) {
			const isOfOther = bot === service.connection.botKey && by !== this;
			if (isAll && isOfOther) isAll = await this.begin(updates, since);
		}
		if (isAll) this.marker = undefined;
		const count = this.deliveries.begun - before;
		if (count > 0) this.logger.info(`Events that came without a subscription: ${count}`);
		return isAll;
	}

	/** Stops at a batch that is not done, at the last one, or after some. Resolves to whether all is done. */
	private async handOverBatches(service: BotService, since: number): Promise<boolean> {
		/** When the latest event so far happened, and the latest of the first batch. */
		let newest = -Infinity;
		const before = this.deliveries.begun;
		let first: number | undefined;
		for (let batches = 0; ; batches++) {
			// There may be more, unless nothing was new: then the service repeats itself forever.
			if (batches === MOST_BATCHES) return this.deliveries.begun === before && newest === first;
			const { marker } = this;
			const batch = await (marker === undefined
				? this.firstBatch(service)
				: this.poll(service, marker));
			newest = Math.max(newest, ...batch.updates.map(({ timestamp }) => timestamp));
			first ??= newest;
			if (!(await this.begin(batch.updates, since))) return false;
			if (batch.updates.length === 0 || batch.marker === marker) return true;
			this.marker = batch.marker;
		}
	}

	/** Hands over those of the events that were missed. Resolves to whether all of them are done. */
	private async begin(updates: Update[], since: number): Promise<boolean> {
		const missed = updates.filter(({ timestamp }) => timestamp >= since - CLOCKS_MS);
		return await this.deliveries.take(missed, BATCH_PATIENCE_MS);
	}

	/**
	 * The first events that the service keeps. Without a marker, some services give no more than the latest event
	 * (interface: GET /updates); a marker before all events gets them all, unless the service refuses it.
	 */
	private async firstBatch(service: BotService): Promise<Batch> {
		const batch = await this.poll(service, undefined);
		if (batch.updates.length > 1) return batch;
		const all = await this.poll(service, '0').catch(() => batch);
		return all.updates.length > batch.updates.length ? all : batch;
	}

	/** Asks for events of all types: the service forgets with the next request what this one leaves out. */
	private async poll(service: BotService, marker: string | undefined): Promise<Batch> {
		const bot = service.connection.botKey;
		const turn = turns.get(bot) ?? new Semaphore(1);
		turns.set(bot, turn);
		return await turn.run(async () => {
			const batch = await poll(service, { marker, events: [], holdSeconds: 0 });
			const { updates } = batch;
			if (updates[0] !== undefined) {
				const key = `${bot} ${identityOf(updates[0])}`;
				taken.set(key, { bot, by: this, updates });
				void sleep(SHARED_MS).then(() => taken.delete(key));
			}
			return batch;
		});
	}
}
