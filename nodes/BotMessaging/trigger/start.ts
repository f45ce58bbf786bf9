import type { ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';
import { openDispatcher } from './dispatcher';
import { polls } from './parameters';
import { startPolling } from './polling';
import { watch } from './watchdog';

/**
 * Starts what an active workflow keeps running: the dispatcher of its events, and the watchdog of its subscription or
 * long polling.
 */
export async function start(this: ITriggerFunctions): Promise<ITriggerResponse> {
	const dispatcher = openDispatcher(this);
	let receiver: ITriggerResponse | undefined;
	try {
		receiver = polls(this) ? await startPolling(this, dispatcher) : watch(this, dispatcher);
	} finally {
		if (!receiver) dispatcher.close(this);
	}
	return {
		closeFunction: async () => {
			dispatcher.close(this);
			await receiver.closeFunction?.();
		},
	};
}
