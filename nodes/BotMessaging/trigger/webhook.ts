import { fromFunction, webhookDescriptionFields, type IWebhookDescription } from 'n8n-workflow';

/** A trigger that polls registers no webhook. n8n runs the text of this function, so it stands for itself. */
const method = (parameters: Record<string, unknown>): string =>
	parameters.delivery === 'polling' ? '' : 'POST';

const asExpression: Pick<IWebhookDescription, 'httpMethod'> = {
	httpMethod: `={{ (${String(method)})($parameter) }}`,
};

/**
 * The webhook of the trigger. From n8n 2.40 on its method is found without n8n's expression engine, which makes
 * every event cheaper; older versions do not offer that.
 */
export const webhook: IWebhookDescription = {
	name: 'default',
	...(typeof webhookDescriptionFields === 'function'
		? { ...asExpression, ...webhookDescriptionFields({ httpMethod: fromFunction(method) }) }
		: asExpression),
	// Answered by `handOver`, in the execution.
	responseMode: 'responseNode',
	path: 'webhook',
};
