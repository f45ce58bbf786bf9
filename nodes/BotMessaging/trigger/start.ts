import type { ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';
import { throwWithAdvice } from '../service/errors';
import { openDispatcher } from './dispatch/dispatcher';
import { startPolling } from './polling/poller';
import { polls, readTriggerSettings } from './settings/parameters';
import { startWatchdog } from './watchdog';

/** Starts what runs while a workflow is active. Advice is in the message: n8n shows nothing else in a publication. */
export async function start(this: ITriggerFunctions): Promise<ITriggerResponse> {
	return await startReceiving(this).catch(throwWithAdvice);
}

async function startReceiving(context: ITriggerFunctions): Promise<ITriggerResponse> {
	// Now, as n8n resolves expressions in the form only while it starts a trigger.
	const settings = readTriggerSettings(context);
	const dispatcher = openDispatcher(context, settings);
	let stop: (() => Promise<void>) | undefined;
	try {
		stop = polls(context)
			? await startPolling(context, dispatcher, settings)
			: startWatchdog(context, dispatcher, settings);
	} finally {
		if (!stop) dispatcher.close(context);
	}
	return {
		closeFunction: async () => {
			dispatcher.close(context);
			await stop();
		},
	};
}
