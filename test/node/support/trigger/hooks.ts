import { HookContext } from 'n8n-core';
import type {
	IWebhookData,
	Workflow,
	WorkflowActivateMode,
	WorkflowExecuteMode,
} from 'n8n-workflow';

/** Calls one of the node's `webhookMethods`, if it has them; a missing one says false. */
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

/** `checkExists`, and `create` if that says no. */
export async function createIfMissing(
	workflow: Workflow,
	webhook: IWebhookData,
	mode: WorkflowExecuteMode,
	activation: WorkflowActivateMode,
): Promise<void> {
	const exists = await callHook('checkExists', workflow, webhook, mode, activation);
	if (!exists) await callHook('create', workflow, webhook, mode, activation);
}

/** `delete`, in the mode in which n8n always calls it. */
export async function remove(workflow: Workflow, webhook: IWebhookData): Promise<void> {
	await callHook('delete', workflow, webhook, 'internal', 'update');
}
