import { sleep, type IExecuteFunctions } from 'n8n-workflow';
import { openService } from '../service/client';
import { readFilters } from './filters';
import { chosenEvents, formOf } from './parameters';
import { assertNoWebhook, poll } from './longPoll';
import type { Update } from '../events/update';

/** How long a test run waits for an event, in ms: as long as n8n waits for a test webhook. */
const PATIENCE_MS = 120_000;

const HOLD_SECONDS = 25;
const PAUSE_MS = 1000;

/**
 * Waits for one event in a run from the editor. No marker is passed, so nothing counts as read and an active
 * workflow gets the event as well. Returns the latest event that passes the filters, `undefined` when there was none.
 */
export async function waitForTestEvent(context: IExecuteFunctions): Promise<Update | undefined> {
	const signal = context.getExecutionCancelSignal();
	const service = await openService(context, {}, () => signal?.aborted === true);
	await assertNoWebhook(context.getNode(), service);
	const events = chosenEvents(context);
	const passes = readFilters(formOf(context), events);
	const end = Date.now() + PATIENCE_MS;
	while (Date.now() < end) {
		const { updates } = await poll(service, {
			marker: undefined,
			events,
			holdSeconds: HOLD_SECONDS,
			signal,
		});
		const latest = updates.filter(passes).at(-1);
		if (latest) return latest;
		await sleep(PAUSE_MS);
	}
	return undefined;
}
