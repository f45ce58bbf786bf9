import type { Response } from 'express';
import { WebhookContext } from 'n8n-core';
import {
	UnexpectedError,
	type INodeExecutionData,
	type IRunExecutionData,
	type IWebhookData,
	type IWebhookResponseData,
	type IWorkflowExecuteAdditionalData,
	type Workflow,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { readBody, type WebhookRequest } from './exchange';
import type { StoredTrigger } from './stored';

/** A request to a webhook of a node. */
interface WebhookRun {
	/** Loaded for this request. */
	workflow: Workflow;
	webhook: IWebhookData;
	/** Of a trigger: `webhook` in production, `manual` in a test. */
	mode: WorkflowExecuteMode;
	request: WebhookRequest;
	response: Response;
}

/** A request to a registered webhook. */
interface WebhookCall extends WebhookRun {
	stored: StoredTrigger;
}

/** n8n's answer if a node's `webhook()` throws. */
const NOT_STARTED = 'Workflow Webhook Error: Workflow could not be started!';

/**
 * Runs the node's `webhook()`, starts an execution if it returns items, and answers, in n8n's order: the execution
 * exists before the answer is sent. Returns whether an execution was started.
 *
 * @throws Refusal for a body that cannot be read
 */
export async function answerWebhook(call: WebhookCall): Promise<boolean> {
	const { stored, workflow, webhook, mode, request, response } = call;
	const node = workflow.getNode(webhook.node) ?? stored.node;
	await readBody(request, node.typeVersion);
	let result: IWebhookResponseData;
	try {
		result = await runWebhook(call, stored.additionalData());
	} catch (error) {
		const failure = error instanceof Error ? error : new Error(String(error));
		answer(response, 500, { code: 0, message: NOT_STARTED });
		stored.start({ mode, handed: [{ json: {} }], failure });
		return true;
	}
	stored.save(workflow);
	const { workflowData, noWebhookResponse } = result;
	if (workflowData === undefined) {
		if (!noWebhookResponse) answer(response, 200, { message: 'Webhook call received' });
		return false;
	}
	const { responseMode } = webhook.webhookDescription;
	if (responseMode !== 'responseNode') {
		throw new UnexpectedError(`The response mode "${responseMode}" is not played here`);
	}
	void answerFromExecution(call, workflowData[0] ?? []);
	return true;
}

/** Sends the answer of a node in the execution, or n8n's own at the end if there is none. */
async function answerFromExecution(call: WebhookCall, handed: INodeExecutionData[]) {
	const { stored, mode, response } = call;
	const { result } = stored.start({
		mode,
		handed,
		onResponse: (said) => {
			if (typeof said !== 'object' || Buffer.isBuffer(said)) return;
			if ('body' in said) answer(response, Number(said.statusCode ?? 200), said.body);
		},
	});
	const { error } = await result;
	if (error) answer(response, 500, { message: 'Error in workflow' });
	else answer(response, 200, undefined);
}

/** Runs a node's `webhook()`, for an execution that waits with the `data` of that. */
export async function runWebhook(
	{ workflow, webhook, mode, request, response }: WebhookRun,
	additionalData: IWorkflowExecuteAdditionalData,
	data: IRunExecutionData | null = null,
): Promise<IWebhookResponseData> {
	const node = workflow.getNode(webhook.node)!;
	const nodeType = workflow.nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
	if (!nodeType.webhook) throw new UnexpectedError('Node does not have any webhooks defined');
	const served = { ...additionalData, httpRequest: request, httpResponse: response };
	const context = new WebhookContext(workflow, node, served, mode, webhook, [], data);
	return await nodeType.webhook.call(context);
}

/** Answers a request, unless it is answered already. */
export function answer(response: Response, status: number, body: unknown): void {
	if (response.headersSent) return;
	response.status(status);
	if (typeof body === 'string') response.send(body);
	else response.json(body);
}
