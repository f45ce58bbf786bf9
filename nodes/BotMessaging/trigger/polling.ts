import { NodeOperationError, type ITriggerFunctions, type ITriggerResponse } from 'n8n-workflow';
import { openService } from '../service/client';
import { readConnection } from '../service/connection';
import { triggerKey } from './parameters';
import { assertNoWebhook } from './poll';
import { Poller } from './poller';

/**
 * Starts polling for an active workflow.
 *
 * @throws NodeOperationError when another workflow polls for the bot, or a webhook is subscribed
 * @throws NodeApiError when the service refuses the token
 */
export async function startPolling(context: ITriggerFunctions): Promise<ITriggerResponse> {
	const { botKey } = await readConnection(context);
	// Its own pauses are longer than the patience of a request, and can be ended.
	const service = await openService(context, { patienceMs: 0 });
	if (Poller.isTaken(botKey, triggerKey(context))) {
		throw new NodeOperationError(
			context.getNode(),
			'Another active workflow polls for the events of this bot',
			{
				description:
					'Each event goes to one of those who poll. Deactivate the other workflow, or receive by webhook.',
			},
		);
	}
	const poller = new Poller(context, service, botKey);
	await assertNoWebhook(context.getNode(), service);
	void poller.run();
	return {
		closeFunction: async () => {
			poller.stop();
		},
	};
}
