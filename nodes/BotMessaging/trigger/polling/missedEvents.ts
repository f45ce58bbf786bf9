import { sleep, type Logger } from 'n8n-workflow';
import { identityOf, type Update } from '../../events/events';
import { BoundedMap } from '../../service/boundedMap';
import type { Connection } from '../../service/connection';
import { reasonOf } from '../../service/failure';
import type { Dispatcher } from '../dispatch/dispatcher';
import type { Requests } from '../subscription/subscription';
import { Deliveries } from './deliveries';
import { poll, reportOthers, type Batch, type PollLogger } from './longPoll';

type BotService = Requests & { connection: Pick<Connection, 'botKey'> };

/** Maximum number of batches per call: n8n waits two minutes for a trigger to start. */
const MOST_BATCHES = 20;

/** How far clocks of the service may differ, in ms. Events received before are known by their record. */
const CLOCKS_MS = 60_000;

/** How long a round waits for the events of a batch to begin, in ms. */
const BATCH_PATIENCE_MS = 2000;

/** How long what a trigger has taken from the service is there for the other triggers of its bot, in ms. */
const SHARED_MS = 600_000;

/** Maximum number of batches that are there for them: each may hold a hundred events. */
const MOST_SHARED = 100;

/**
 * The events of the time when the bot had no subscription at all, for one of its triggers. What one trigger takes from the
 * service is for all: a service may give each event only once.
 */
export class MissedEvents {
	/** Batches that have yet to be handed over, by their first events. */
	private readonly waiting = new Map<string, Update[]>();

	private readonly deliveries: Deliveries;

	private since = Infinity;

	constructor(
		dispatcher: Pick<Dispatcher, 'handOver'>,
		readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>,
		readonly isStopped: () => boolean,
	) {
		this.deliveries = new Deliveries(dispatcher, logger, isStopped, false);
	}

	get begun(): number {
		return this.deliveries.begun;
	}

	/**
	 * Polls for those since Unix ms `since` (of the service) and hands them over. Resolves to whether all is done; if
	 * not, the next call goes on. After a failed request, which is logged, the rest counts as done. Never rejects.
	 */
	async handOver(service: BotService, since: number): Promise<boolean> {
		const { begun } = this;
		const { botKey } = service.connection;
		const search = searches.get(botKey) ?? new Search();
		searches.set(botKey, search);
		this.since = since;
		const isAll = await search.join(this, service);
		const count = this.begun - begun;
		if (count > 0) this.logger.info(`Events that came without a subscription: ${count}`);
		return isAll;
	}

	/** Adds a batch to what this trigger has to hand over. */
	expect(key: string, updates: Update[]): void {
		this.waiting.set(key, updates);
	}

	/** Hands over what waits, one batch after the other. Resolves to whether all is done, soon. */
	async handOverWaiting(): Promise<boolean> {
		for (const [key, updates] of this.waiting) {
			const missed = updates.filter(({ timestamp }) => timestamp >= this.since - CLOCKS_MS);
			if (!(await this.deliveries.take(missed, BATCH_PATIENCE_MS))) return false;
			if (this.waiting.get(key) === updates) this.waiting.delete(key);
		}
		return true;
	}
}

/**
 * The search for the missed events of a bot, for all of its triggers that take part. The service keeps them for a day (wire
 * 1.3) and forgets a batch once the next one is requested, so each trigger has to be done with a batch before.
 */
class Search {
	private readonly participants = new Set<MissedEvents>();

	/** Where the next request begins; `undefined` for the first events that the service keeps. */
	private marker?: string;

	private round?: Promise<boolean>;

	/** Batches that were taken from the service lately, by their first events. */
	private readonly taken = new BoundedMap<string, Update[]>(MOST_SHARED);

	get isUnderWay(): boolean {
		this.dropStopped();
		return this.participants.size > 0;
	}

	/** Lets a trigger take part, from now on, in one round for all. Resolves to whether all is done. */
	async join(participant: MissedEvents, service: Requests): Promise<boolean> {
		this.dropStopped();
		if (this.participants.size === 0) this.marker = undefined;
		if (!this.participants.has(participant)) {
			for (const [key, updates] of this.taken) participant.expect(key, updates);
			this.participants.add(participant);
		}
		this.round ??= this.searchOnce(participant, service).finally(() => {
			this.round = undefined;
		});
		const isAll = (await this.round) && (await participant.handOverWaiting());
		if (isAll) this.participants.delete(participant);
		return isAll;
	}

	private dropStopped(): void {
		for (const participant of this.participants)
			if (participant.isStopped()) this.participants.delete(participant);
	}

	private async searchOnce({ logger, isStopped }: MissedEvents, service: Requests) {
		const isAll = await this.handOverBatches(service, logger).catch((error: unknown) => {
			logger.warn(`Missed events could not be asked for: ${reasonOf(error)}`);
			return !isStopped();
		});
		if (isAll) this.marker = undefined;
		return isAll;
	}

	/** Stops at a batch that is not done, at the last one, or after some. Resolves to whether all is done. */
	private async handOverBatches(service: Requests, logger: PollLogger): Promise<boolean> {
		/** When the latest event so far happened, and the latest of the first batch. */
		let newest = -Infinity;
		let first: number | undefined;
		const before = this.begun;
		for (let batches = 0; await this.handOverTaken(); batches++) {
			// There may be more, unless nothing was new: then the service repeats itself forever.
			if (batches === MOST_BATCHES) return this.begun === before && newest === first;
			const { marker } = this;
			const batch = await (marker === undefined ? firstBatch : pollAt)(service, logger, marker);
			this.share(batch.updates);
			newest = Math.max(newest, ...batch.updates.map(({ timestamp }) => timestamp));
			first ??= newest;
			this.marker = batch.marker;
			const isEmpty = batch.updates.length + batch.others.length === 0;
			if (isEmpty || batch.marker === marker) return await this.handOverTaken();
		}
		return false;
	}

	/** Number of events that have started an execution. */
	private get begun(): number {
		return [...this.participants].reduce((sum, { begun }) => sum + begun, 0);
	}

	/** Hands over what was taken. Resolves to whether all triggers are done with it. */
	private async handOverTaken(): Promise<boolean> {
		this.dropStopped();
		const areDone = await Promise.all(
			[...this.participants].map(async (each) => await each.handOverWaiting()),
		);
		return areDone.every((isDone) => isDone);
	}

	/** Shares a batch with all triggers, those that come later included. */
	private share(updates: Update[]): void {
		if (updates[0] === undefined) return;
		const key = identityOf(updates[0]);
		this.taken.set(key, updates);
		void sleep(SHARED_MS).then(() => this.taken.delete(key));
		for (const participant of this.participants) participant.expect(key, updates);
	}
}

/** Asks for events of all types: the service forgets with the next request what this one leaves out. */
async function pollAt(service: Requests, logger: PollLogger, marker?: string): Promise<Batch> {
	const batch = await poll(service, { marker, events: [], holdSeconds: 0 });
	reportOthers(logger, batch);
	return batch;
}

/**
 * The first events that the service keeps. Without a marker, some services give no more than the latest event
 * (interface: GET /updates); a marker before all events gets them all, unless the service refuses it.
 */
async function firstBatch(service: Requests, logger: PollLogger): Promise<Batch> {
	const batch = await pollAt(service, logger);
	if (batch.updates.length > 1) return batch;
	const all = await pollAt(service, logger, '0').catch(() => batch);
	const [[first], [next]] = [batch.updates, all.updates];
	// What came in between, of a service that gives each event only once.
	if (first && next && first.timestamp < next.timestamp) {
		return { ...all, updates: [first, ...all.updates] };
	}
	return all.updates.length > batch.updates.length ? all : batch;
}

/** The search of each bot that this process has searched for. */
const searches = new Map<string, Search>();

/** Whether triggers search for the missed events of a bot. */
export const isSearching = (bot: string): boolean => searches.get(bot)?.isUnderWay === true;
