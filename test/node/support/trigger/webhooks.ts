import {
	NodeHelpers,
	resolveWebhookDescriptionField,
	type IHttpRequestMethods,
	type INode,
	type IWebhookData,
	type IWebhookDescription,
	type IWorkflowExecuteAdditionalData,
	type Workflow,
} from 'n8n-workflow';

type Resolved = string | number | boolean | unknown[] | undefined;

/** Resolves the expression in a field of the description, such as `httpMethod`. */
function resolve(
	workflow: Workflow,
	node: INode,
	description: IWebhookDescription,
	field: 'path' | 'isFullPath' | 'restartWebhook' | 'httpMethod' | 'responseMode' | 'responseCode',
): Resolved {
	const native = resolveWebhookDescriptionField(node, description, field);
	if (native.resolved) return String(native.value);
	const value: unknown = description[field];
	if (typeof value !== 'string' && typeof value !== 'boolean') return undefined;
	return workflow.expression.getSimpleParameterValue(node, value, 'internal', {});
}

/** How a webhook answers: `onReceived` with status 200, unless the description says otherwise. */
export function responseOf(workflow: Workflow, node: INode, { webhookDescription }: IWebhookData) {
	const mode = resolve(workflow, node, webhookDescription, 'responseMode') ?? 'onReceived';
	const code = resolve(workflow, node, webhookDescription, 'responseCode') ?? 200;
	return { mode: String(mode), code: Number(code), data: webhookDescription.responseData };
}

/**
 * The webhooks that n8n registers for a node when its workflow is activated: not those whose method resolves to an
 * empty string, nor those that only resume a waiting execution.
 */
export function webhooksOf(
	workflow: Workflow,
	node: INode,
	additionalData: IWorkflowExecuteAdditionalData,
): IWebhookData[] {
	const { description } = workflow.nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
	return (description.webhooks ?? [])
		.filter(({ restartWebhook }) => restartWebhook !== true)
		.flatMap((webhookDescription) => {
			const field = (name: 'path' | 'isFullPath' | 'httpMethod') =>
				resolve(workflow, node, webhookDescription, name);
			const trimmed = String(field('path') ?? '').replace(/^\/|\/$/g, '');
			const isFullPath = field('isFullPath') === true;
			return methodsIn(field('httpMethod') ?? 'GET').map((httpMethod) => ({
				httpMethod,
				node: node.name,
				path: NodeHelpers.getNodeWebhookPath(workflow.id, node, trimmed, isFullPath),
				webhookDescription,
				workflowId: workflow.id,
				workflowExecuteAdditionalData: additionalData,
			}));
		});
}

const METHODS: IHttpRequestMethods[] = ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT'];

function methodsIn(list: NonNullable<Resolved>): IHttpRequestMethods[] {
	const named = String(list)
		.split(',')
		.map((name) => name.trim());
	return METHODS.filter((method) => named.includes(method));
}
