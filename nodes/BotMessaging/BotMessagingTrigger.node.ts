import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';
import { testCredential } from './service/credentialTest';
import { executeTrigger } from './trigger/execute';
import { eventLabels, triggerProperties } from './trigger/settings/parameters';
import { receive, webhook } from './trigger/receive';
import { lifecycle } from './trigger/lifecycle';
import { start } from './trigger/start';

/** The trigger node: maintains its subscription and starts the workflow for each event. */
export class BotMessagingTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Bot Messaging Trigger',
		name: 'botMessagingTrigger',
		icon: {
			light: 'file:../../icons/bot-messaging.svg',
			dark: 'file:../../icons/bot-messaging.dark.svg',
		},
		group: ['trigger'],
		// Not 1: for version 1, n8n evaluates an expression on each webhook, which costs as much as everything else.
		version: 2,
		subtitle: eventLabels,
		description: 'Starts the workflow when a bot gets a message or another event',
		eventTriggerDescription: 'Waiting for an event: write to the bot or press one of its buttons',
		activationMessage: 'Events of the bot now start this workflow.',
		defaults: { name: 'Bot Messaging Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'botMessagingApi', required: true, testedBy: 'testCredential' }],
		webhooks: [webhook],
		properties: triggerProperties,
	};

	methods = { credentialTest: { testCredential } };

	webhookMethods = { default: lifecycle };

	/** Handles a webhook request of the service. */
	webhook = receive;

	/** Starts what runs while the workflow is active. */
	trigger = start;

	/** Runs first in each execution, once n8n has stored it. */
	execute = executeTrigger;
}
