import {
	NodeHelpers,
	resolveWebhookDescriptionField,
	UnexpectedError,
	type INode,
	type IWebhookData,
	type IWebhookDescription,
	type IWorkflowExecuteAdditionalData,
	type Workflow,
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
