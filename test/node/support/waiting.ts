import './environment';
import type { Response } from 'express';
import { parse, stringify } from 'flatted';
import { Container } from '@n8n/di';
import {
	generateUrlSignature,
	InstanceSettings,
	prepareUrlForSigning,
	validateUrlSignature,
} from 'n8n-core';
import {
	createRunExecutionData,
	deepCopy,
	Workflow,
	type INode,
	type INodeExecutionData,
	type IRunExecutionData,
	type IWebhookResponseData,
} from 'n8n-workflow';
import { createServer, type Server } from 'node:http';
import { leadingTo, nodeOf } from '../../support/node';
import { close, listen } from '../../support/server';
import { forExecution } from './additionalData';
import { CredentialStore, type CredentialData } from './credentials';
import { toWorkflowNode, type NodeUse } from './engine';
import { nextExecutionId, startExecution, type Ended } from './execution';
import { NodeRegistry, PassThrough } from './nodeTypes';
import { newScope, within, type LogLine } from './scope';
import { startServices } from './services';
import { readBody, Refusal, webServer, type WebhookRequest } from './trigger/exchange';
import { answer, runWebhook } from './trigger/webhookCall';
import { storedWorkflow } from './workflow';

export interface WaitingUse extends NodeUse {
	credentials?: CredentialData;
	/** Whether the node after it leads back to it, so that each answer makes it ask again. */
	loop?: boolean;
	/** Whether the node before it leads to it twice, so that another run is lined up behind the one that waits. */
	twice?: boolean;
}

const START = 'start';

/**
 * An n8n with one execution that can wait: `Start` leads to the node, the node to `Next`. While it waits, the execution
 * is stored in a database; it resumes by its resume address, or when its time is up.
 */
export class WaitingHost {
	/** As stored in the database. */
	status: Ended['status'] = 'new';

	/** Inputs of `Next`, run by run; empty as long as the gate is closed. */
	passed: INodeExecutionData[][] = [];

	/** How often n8n resumed the execution because its webhook threw. */
	opened = 0;

	/** How often somebody answered while the execution ran. */
	early = 0;

	error: Ended['error'];

	/** What something in front of n8n answers instead of it; `undefined` when nothing is in the way. */
	barrier?: Refusal;

	/** How long n8n's database takes to give what a request needs once its body is read, in ms. */
	readingMs = 0;

	/** Resolves when n8n's concurrency limit lets an answered execution continue. */
	admission = async (): Promise<void> => {};

	private readonly scope = newScope();

	private readonly executionId = nextExecutionId();

	private readonly node: INode;

	private stored = '';

	private constructor(
		private readonly use: WaitingUse,
		private readonly server: Server,
		private readonly url: string,
	) {
		this.node = toWorkflowNode(use, use.credentials);
		const answer = webServer(
			async (...exchange) => await within(this.scope, async () => await this.resume(...exchange)),
		);
		server.on('request', answer);
	}

	/** What the node and the engine logged while requests to the execution were handled. */
	get logs(): LogLine[] {
		return this.scope.logs;
	}

	/** `stop()` must be called at the end. */
	static async start(use: WaitingUse): Promise<WaitingHost> {
		await startServices();
		const server = createServer();
		const port = await listen(server);
		return new WaitingHost(use, server, `http://127.0.0.1:${port}`);
	}

	/** Runs the workflow until it waits or ends. */
	async run(items: INodeExecutionData[] = [{ json: {} }]): Promise<void> {
		const workflow = this.load();
		const start = workflow.getNode('Start')!;
		const data = createRunExecutionData({
			executionData: {
				nodeExecutionStack: [{ node: start, data: { main: [items] }, source: null }],
			},
		});
		await this.execute(workflow, data);
	}

	/** What n8n does when the waiting time is up: resumes the execution with the node's input. */
	async timeOut(): Promise<void> {
		await this.execute(this.load(), parse(this.stored));
	}

	/** The address of the execution, with this in its query, signed as n8n does. */
	resumeUrl(extend: (query: URLSearchParams) => void = () => {}): string {
		const url = new URL(`${this.url}/webhook-waiting/${this.executionId}/${this.node.id}`);
		extend(url.searchParams);
		const { hmacSignatureSecret } = Container.get(InstanceSettings);
		const signature = generateUrlSignature(prepareUrlForSigning(url), hmacSignatureSecret);
		url.searchParams.set('signature', signature);
		return url.toString();
	}

	/** Lets an answered execution wait for n8n's concurrency limit until the result is called. */
	holdUp(): () => void {
		let admit = (): void => {};
		const admitted = new Promise<void>((resolve) => {
			admit = resolve;
		});
		this.admission = async () => await admitted;
		return admit;
	}

	/** Cuts off all connections, as a gateway in front of n8n may, while n8n goes on with what it was asked for. */
	cutOff(): void {
		this.server.closeAllConnections();
	}

	/** Stops the web server. */
	async stop(): Promise<void> {
		await close(this.server);
	}

	private load(): Workflow {
		const { node, use } = this;
		const step = (name: string): INode => nodeOf({ id: name, name, type: START });
		const { main = [] } = leadingTo(node.name);
		const asks = use.twice ? main.map((lines) => [...(lines ?? []), ...(lines ?? [])]) : main;
		return new Workflow({
			...storedWorkflow({
				id: 'waiting',
				nodes: [step('Start'), deepCopy(node), step('Next')],
				connections: {
					Start: { main: asks },
					[node.name]: leadingTo('Next'),
					...(use.loop && { Next: leadingTo(node.name) }),
				},
			}),
			nodeTypes: new NodeRegistry({ [START]: new PassThrough(), [node.type]: use.node }),
		});
	}

	private additionalData() {
		const instance = {
			credentials: new CredentialStore(this.use.credentials ?? {}),
			publicUrl: this.url,
		};
		return forExecution(
			instance,
			'trigger',
			this.executionId,
			storedWorkflow({ nodes: [], connections: {} }),
		);
	}

	private async execute(workflow: Workflow, data: IRunExecutionData): Promise<void> {
		this.status = 'running';
		const ended = await startExecution({
			workflow,
			data,
			mode: 'trigger',
			scope: this.scope,
			additionalData: this.additionalData(),
		});
		this.stored = stringify(ended.data);
		this.error = ended.error;
		this.passed = (ended.data.resultData.runData.Next ?? []).map(
			({ data: output }) => output?.main?.[0] ?? [],
		);
		this.status = ended.status;
	}

	/** What n8n does from a request to a waiting execution until its next run. */
	private async resume(request: WebhookRequest, response: Response): Promise<void> {
		if (this.barrier) throw this.barrier;
		const url = new URL(request.url ?? '/', this.url);
		const { hmacSignatureSecret } = Container.get(InstanceSettings);
		const signature = url.searchParams.get('signature') ?? '';
		if (!validateUrlSignature(signature, url, hmacSignatureSecret)) {
			throw new Refusal(401, { message: 'Invalid token' });
		}
		if (this.status === 'running') {
			this.early++;
			const message = `The execution "${this.executionId}" is running already.`;
			throw new Refusal(409, { code: 409, message });
		}
		const isKnown = request.method === 'GET' || request.method === 'POST';
		if (this.status !== 'waiting' || !isKnown) {
			response.status(200).send('<html><title>No action required</title></html>');
			return;
		}
		const data: IRunExecutionData = parse(this.stored);
		const workflow = this.load();
		const [entry] = data.executionData?.nodeExecutionStack ?? [];
		if (!entry) throw new Error('Nothing waits');
		entry.node.disabled = true;
		data.waitTill = undefined;
		data.resultData.runData[this.node.name]?.pop();
		await readBody(request, this.node.typeVersion);
		if (this.readingMs > 0) await new Promise((resolve) => setTimeout(resolve, this.readingMs));
		const { workflowData, webhookResponse } = await this.callWebhook(
			workflow,
			data,
			request,
			response,
		);
		if (!workflowData) return;
		await this.admission();
		// n8n checks in its database that the execution is still waiting.
		if (this.status !== 'waiting') {
			throw new Refusal(500, { code: 0, message: 'There was a problem executing the workflow' });
		}
		entry.data.main = workflowData;
		void this.execute(workflow, data);
		answer(response, 200, webhookResponse);
	}

	private async callWebhook(
		workflow: Workflow,
		data: IRunExecutionData,
		request: WebhookRequest,
		response: Response,
	): Promise<IWebhookResponseData> {
		const { node, use } = this;
		const additionalData = this.additionalData();
		const webhook = {
			httpMethod: 'GET' as const,
			node: node.name,
			path: node.id,
			workflowId: 'waiting',
			webhookDescription: use.node.description.webhooks![0]!,
			workflowExecuteAdditionalData: additionalData,
		};
		const run = { workflow, webhook, mode: 'trigger' as const, request, response };
		try {
			return await runWebhook(run, additionalData, data);
		} catch (error) {
			this.opened++;
			answer(response, 500, { code: 0, message: String(error) });
			return { workflowData: [[{ json: {} }]] };
		}
	}
}
