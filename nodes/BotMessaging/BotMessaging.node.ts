import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';
import { properties, subtitle } from './actions/catalogue';
import { execute } from './actions/execute';
import { searches } from './actions/listSearch';
import { testCredential } from './service/credentialTest';
import { resume, resumeWebhooks, WAITING_TOOLTIP } from './wait/resume';

/** The action node: everything a bot can do, by resource and operation. */
export class BotMessaging implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Bot Messaging',
		name: 'botMessaging',
		icon: {
			light: 'file:../../icons/bot-messaging.svg',
			dark: 'file:../../icons/bot-messaging.dark.svg',
		},
		group: ['output'],
		version: 1,
		subtitle,
		description: 'Send messages, answer buttons and manage chats with a bot',
		defaults: { name: 'Bot Messaging' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'botMessagingApi', required: true, testedBy: 'testCredential' }],
		webhooks: resumeWebhooks,
		waitingNodeTooltip: WAITING_TOOLTIP,
		properties,
	};

	methods = { listSearch: searches, credentialTest: { testCredential } };

	execute = execute;

	webhook = resume;
}
