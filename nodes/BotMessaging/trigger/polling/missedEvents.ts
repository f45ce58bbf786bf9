import type { Logger } from 'n8n-workflow';
import { identityOf } from '../../events/events';
import type { Update } from '../../events/update';
import { isLasting } from '../../service/errors';
import { reasonOf } from '../../service/failure';
import type { Service } from '../../service/types';
import type { Fate } from '../dispatch/chatLine';
import { PROBLEMS, type Dispatcher } from '../dispatch/dispatcher';
import { poll, type Batch } from './longPoll';

interface Missed {
	/** Types of events; all when empty. */
	events: string[];
	/** Unix time in ms by the service's clock; older events were received. `undefined` asks for nothing. */
	since: number | undefined;
	/** Whether they are asked for again later if the service cannot answer. Otherwise, those left by then are lost. */
	canWait?: boolean;
	/** Kept between the calls of one search, which changes it. */
	progress: Progress;
}

export interface Progress {
	/** Where the next request begins; `undefined` for the first events that the service keeps. */
	marker?: string;
}

/** Maximum number of batches per call: n8n waits two minutes for a trigger to start. */
const MOST_BATCHES = 20;

/** How far clocks of the service may differ, in ms. Events received before are known by their record. */
const CLOCKS_MS = 60_000;

/** How long the events of a batch have to begin, in ms. */
const BATCH_PATIENCE_MS = 2000;

/**
 * Polls for the events of the time when the bot had no subscription at all, and hands them over. The service keeps them
 * for a day (wire 1.3) and forgets a batch once the next one is requested. So this stops at a batch with events that
 * are not done. Resolves to whether all is done; a failed request is logged, not retried, and counts as done unless the
 * search `canWait`. Never rejects.
 */
export async function handOverMissed(
	service: Pick<Service, 'request'>,
	dispatcher: Pick<Dispatcher, 'handOver'>,
	{ events, since, canWait = false, progress }: Missed,
	logger: Pick<Logger, 'info' | 'warn' | 'error'>,
): Promise<boolean> {
	if (since === undefined) return true;
	const handOver = async (update: Update): Promise<Fate> => {
		try {
			const fate = await dispatcher.handOver(update, BATCH_PATIENCE_MS);
			if (fate !== 'failed') return fate;
			throw new Error(PROBLEMS[fate]);
		} catch (error) {
			// One event must not block the others.
			logger.error(`A missed event was passed over: ${identityOf(update)}: ${reasonOf(error)}`);
			return 'ignored';
		}
	};
	let count = 0;
	let isAll = true;
	/** When the latest event so far happened, and the latest of the first batch. */
	let newest = -Infinity;
	let first: number | undefined;
	try {
		for (let batches = 0; ; batches++) {
			if (batches === MOST_BATCHES) {
				// There may be more, unless nothing was new: then the service repeats itself forever.
				isAll = count === 0 && newest === first;
				break;
			}
			const { marker } = progress;
			const batch =
				marker === undefined
					? await firstBatch(service, events, canWait)
					: await poll(service, { marker, events, holdSeconds: 0 });
			newest = Math.max(newest, ...batch.updates.map(({ timestamp }) => timestamp));
			first ??= newest;
			const missed = batch.updates.filter(({ timestamp }) => timestamp >= since - CLOCKS_MS);
			const fates = await Promise.all(missed.map(handOver));
			count += fates.filter((fate) => fate === 'begun').length;
			isAll = fates.every((fate) => PROBLEMS[fate] === undefined);
			if (!isAll || batch.updates.length === 0 || batch.marker === marker) break;
			progress.marker = batch.marker;
		}
		if (count > 0) logger.info(`Events that came without a subscription: ${count}`);
	} catch (error) {
		logger.warn(`Missed events could not be asked for: ${reasonOf(error)}`);
		isAll = !canWait || isLasting(error);
	}
	if (isAll) delete progress.marker;
	return isAll;
}

/**
 * The first events that the service keeps. Without a marker, some services give no more than the latest event (interface:
 * GET /updates); a marker before all events gets them all, unless the service refuses it.
 *
 * @throws when that fails for now and the search can wait; otherwise what there is by then is returned
 */
async function firstBatch(
	service: Pick<Service, 'request'>,
	events: string[],
	canWait: boolean,
): Promise<Batch> {
	const batch = await poll(service, { marker: undefined, events, holdSeconds: 0 });
	if (batch.updates.length > 1) return batch;
	const all = await poll(service, { marker: '0', events, holdSeconds: 0 }).catch(
		(error: unknown) => {
			if (canWait && !isLasting(error)) throw error;
			return batch;
		},
	);
	return all.updates.length > batch.updates.length ? all : batch;
}
