import {
	NodeOperationError,
	type IExecuteFunctions,
	type IHookFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IRun,
	type ITriggerFunctions,
	type ITriggerResponse,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

/** n8n's calls to the node, in order. */
type Told = [what: string, ...details: unknown[]];

/** A trigger node to test the harness with: does what the webhook's body says. */
export class ProbeTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Probe Trigger',
		name: 'probeTrigger',
		group: ['trigger'],
		version: 1,
		description: 'Tries what n8n offers a trigger node',
		defaults: { name: 'Probe Trigger' },
		inputs: [],
		outputs: ['main'],
		webhooks: [
			{
				name: 'default',
				httpMethod: '={{ $parameter["byWebhook"] ? "POST" : "" }}',
				responseMode: 'onReceived',
				path: 'webhook',
			},
		],
		properties: [
			{ displayName: 'By Webhook', name: 'byWebhook', type: 'boolean', default: true },
			{ displayName: 'Minute', name: 'minute', type: 'number', default: 5 },
		],
	};

	readonly told: Told[] = [];

	/** What `checkExists` answers. */
	exists = false;

	/** What `create` throws, if anything. */
	refusal?: Error;

	readonly webhookMethods: INodeType['webhookMethods'] = hooksOf(this);

	readonly trigger = triggerOf(this);

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await receive(this);
	}

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const items = this.getInputData();
		const keys = items.map(({ json }) => String(json.key));
		const { new: fresh } = await this.helpers.checkProcessedAndRecord(keys, 'node', {
			mode: 'entries',
			maxEntries: 10,
		});
		return [items.filter(({ json }) => fresh.includes(String(json.key)))];
	}
}

function hooksOf(probe: ProbeTrigger): INodeType['webhookMethods'] {
	const tell = (what: string, context: IHookFunctions) => {
		const state = { ...context.getWorkflowStaticData('node') };
		const how = `${context.getMode()}/${context.getActivationMode()}`;
		probe.told.push([what, how, context.getNodeWebhookUrl('default'), state]);
	};
	return {
		default: {
			async checkExists(this: IHookFunctions) {
				tell('checkExists', this);
				return await Promise.resolve(probe.exists);
			},
			async create(this: IHookFunctions) {
				tell('create', this);
				if (probe.refusal) throw probe.refusal;
				this.getWorkflowStaticData('node').created = true;
				return await Promise.resolve(true);
			},
			async delete(this: IHookFunctions) {
				tell('delete', this);
				return await Promise.resolve(true);
			},
		},
	};
}

function triggerOf(probe: ProbeTrigger) {
	return async function (this: ITriggerFunctions): Promise<ITriggerResponse> {
		const state = this.getWorkflowStaticData('node');
		probe.told.push(['trigger', `${this.getMode()}/${this.getActivationMode()}`, { ...state }]);
		const minute = Number(this.getNodeParameter('minute'));
		const tick = async () => {
			const key = `tick ${String(state.ticks ?? 0)} of ${this.getWorkflow().id}`;
			state.ticks = Number(state.ticks ?? 0) + 1;
			const done = this.helpers.createDeferredPromise<IRun>();
			this.emit([[{ json: { key } }]], undefined, done, key);
			this.emit([[{ json: { key } }]], undefined, undefined, key);
			await done.promise;
		};
		this.helpers.registerCron({ expression: `0 ${minute} * * * *` }, tick);
		const closeFunction = async () => {
			await Promise.resolve(probe.told.push(['close']));
		};
		return { closeFunction };
	};
}

async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const { deed = '', key = '' } = context.getBodyData();
	const { rawBody } = context.getRequestObject();
	const state = context.getWorkflowStaticData('node');
	state.requests = Number(state.requests ?? 0) + 1;
	const answers: Record<string, () => IWebhookResponseData> = {
		ignore: () => ({}),
		throw: () => {
			throw new NodeOperationError(context.getNode(), 'The probe throws');
		},
		refuse: () => {
			context.getResponseObject().status(403).send('Not you');
			return { noWebhookResponse: true };
		},
	};
	const mode = context.getMode();
	const json = { key, mode, raw: String(rawBody), requests: state.requests };
	return await Promise.resolve(answers[String(deed)]?.() ?? { workflowData: [[{ json }]] });
}
