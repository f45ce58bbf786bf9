import { HookContext } from 'n8n-core';
import {
	NodeHelpers,
	resolveWebhookDescriptionField,
	UnexpectedError,
	type INode,
	type IWebhookData,
	type IWebhookDescription,
	type IWorkflowExecuteAdditionalData,
	type Workflow,
	type WorkflowActivateMode,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

/** The method of a webhook, by the expression in its description if n8n does not resolve it itself. */
function methodOf(workflow: Workflow, node: INode, description: IWebhookDescription): string {
	const native = resolveWebhookDescriptionField(node, description, 'httpMethod');
	if (native.resolved) return String(native.value);
	const expression = String(description.httpMethod);
	return String(workflow.expression.getSimpleParameterValue(node, expression, 'internal', {}));
}

/**
 * The webhooks that n8n registers for a node when its workflow is activated: not those whose method resolves to an
 * empty string. Only methods that the package uses are played.
 */
export function webhooksOf(
	workflow: Workflow,
	node: INode,
	additionalData: IWorkflowExecuteAdditionalData,
): IWebhookData[] {
	const { description } = workflow.nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
	return (description.webhooks ?? []).flatMap((webhookDescription) => {
		const httpMethod = methodOf(workflow, node, webhookDescription);
		if (httpMethod === '') return [];
		if (httpMethod !== 'POST') throw new UnexpectedError(`${httpMethod} is not played here`);
		const path = NodeHelpers.getNodeWebhookPath(workflow.id, node, webhookDescription.path, false);
		return [
			{
				httpMethod,
				node: node.name,
				path,
				webhookDescription,
				workflowId: workflow.id,
				workflowExecuteAdditionalData: additionalData,
			},
		];
	});
}

/** Calls one of the node's `webhookMethods`; a missing one counts as false. */
async function callHook(
	method: 'checkExists' | 'create' | 'delete',
	workflow: Workflow,
	webhook: IWebhookData,
	mode: WorkflowExecuteMode,
	activation: WorkflowActivateMode,
): Promise<boolean> {
	const node = workflow.getNode(webhook.node);
	if (!node) return false;
	const { webhookMethods } = workflow.nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
	const hook = webhookMethods?.[webhook.webhookDescription.name]?.[method];
	const { workflowExecuteAdditionalData: additionalData } = webhook;
	const context = new HookContext(workflow, node, additionalData, mode, activation, webhook);
	return (await hook?.call(context)) ?? false;
}

/** Calls `checkExists`, and `create` if that returns false. */
export async function createIfMissing(
	workflow: Workflow,
	webhook: IWebhookData,
	mode: WorkflowExecuteMode,
	activation: WorkflowActivateMode,
): Promise<void> {
	const exists = await callHook('checkExists', workflow, webhook, mode, activation);
	if (!exists) await callHook('create', workflow, webhook, mode, activation);
}

/** Calls `delete`, in the mode that n8n always uses for it. */
export async function remove(workflow: Workflow, webhook: IWebhookData): Promise<void> {
	await callHook('delete', workflow, webhook, 'internal', 'update');
}
