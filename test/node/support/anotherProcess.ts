import * as n8nWorkflow from 'n8n-workflow';

/** The nodes as another process has them: with n8n's database, but without what those of this one remember. */
export async function nodesOfAnotherProcess() {
	jest.resetModules();
	jest.doMock('n8n-workflow', () => n8nWorkflow);
	const action = await import('../../../nodes/BotMessaging/BotMessaging.node');
	const trigger = await import('../../../nodes/BotMessaging/BotMessagingTrigger.node');
	return { ...action, ...trigger };
}
