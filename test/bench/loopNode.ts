import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

/** What a workflow without this package does: requests one after the other with n8n's own helper, nothing else. */
export class LoopNode implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Loop',
		name: 'loop',
		group: ['output'],
		version: 1,
		description: 'Sends one request per item',
		defaults: { name: 'Loop' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'botMessagingApi', required: true }],
		properties: [
			{ displayName: 'Chat ID', name: 'chat_id', type: 'string', default: '={{ $json.chatId }}' },
			{ displayName: 'Text', name: 'text', type: 'string', default: '={{ $json.text }}' },
		],
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const { baseUrl } = await this.getCredentials<{ baseUrl: string }>('botMessagingApi');
		const output: INodeExecutionData[] = [];
		for (let item = 0; item < this.getInputData().length; item++) {
			const json = await this.helpers.httpRequestWithAuthentication.call(this, 'botMessagingApi', {
				method: 'POST',
				url: `${baseUrl}/messages`,
				qs: { chat_id: this.getNodeParameter('chat_id', item) },
				body: { text: this.getNodeParameter('text', item) },
				json: true,
			});
			output.push({ json, pairedItem: { item } });
		}
		return [output];
	}
}
