import { HookContext } from 'n8n-core';
import type {
	IWebhookData,
	Workflow,
	WorkflowActivateMode,
	WorkflowExecuteMode,
} from 'n8n-workflow';

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
