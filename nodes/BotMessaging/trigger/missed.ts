import type { ITriggerFunctions } from 'n8n-workflow';
import { identityOf } from '../events/events';
import type { Update } from '../events/update';
import type { Service } from '../service/types';
import { passOnPress } from '../wait/press';
import { dispatcherOf } from './dispatcher';
import { poll } from './longPoll';
import { triggerKey } from './parameters';

/** Batches of one hundred events that are asked for at most. */
const MOST_BATCHES = 50;

/** An event has so long to begin, in ms, before the next ones are asked for. */
const PATIENCE_MS = 25_000;

/**
 * Asks for the events that came while no webhook was subscribed, and hands them over. The service keeps them for polling,
 * a day long (wire 1.3), and forgets those it gave as soon as the next ones are asked for. Resolves to their number.
 *
 * @param events types of events, all when empty
 * @param since Unix time in ms: what is older was received
 */
export async function handOverMissed(
	context: ITriggerFunctions,
	service: Service,
	{ events, since }: { events: string[]; since: number },
): Promise<number> {
	const told = new Set<string>();
	let marker: string | undefined;
	for (let batches = 0; batches < MOST_BATCHES; batches++) {
		const batch = await poll(service, { marker, events, holdSeconds: 0 });
		const missed = batch.updates.filter(
			(update) => update.timestamp >= since && !told.has(identityOf(update)),
		);
		await Promise.all(missed.map(async (update) => await handOver(context, update)));
		for (const update of missed) told.add(identityOf(update));
		if (batch.updates.length === 0 || batch.marker === marker) break;
		marker = batch.marker;
	}
	return told.size;
}

/** Never rejects: one event must not keep the others back. */
async function handOver(context: ITriggerFunctions, update: Update): Promise<void> {
	const dispatcher = dispatcherOf(triggerKey(context));
	try {
		if (!dispatcher || (await passOnPress(context, update)) === 'done') return;
		if (!dispatcher.passes(update)) return;
		const fate = await dispatcher.take(update, PATIENCE_MS);
		if (fate !== 'failed' && fate !== 'full') return;
		throw new Error('n8n could not start its execution');
	} catch (error) {
		const reason = error instanceof Error ? error.message : 'unknown reason';
		context.logger.error(`A missed event was passed over: ${identityOf(update)}: ${reason}`);
	}
}
