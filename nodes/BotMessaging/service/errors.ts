import { NodeApiError, type INode } from 'n8n-workflow';
import type { Failure } from './failure';
import { explain } from './hints';

/**
 * Turns a failure into the error that n8n shows: `message` is what happened, in a person's words; `description` the next
 * step, and the service's words where the message is not them; `httpCode`, and the service's code in `context.code`.
 * Nothing of the request, so no token, is kept in it.
 */
export function toNodeError(node: INode, failure: Failure): NodeApiError {
	const { status, code, message: words } = failure;
	const { title, advice } = explain(failure);
	const message = title ?? words;
	const error = new NodeApiError(
		node,
		{ message: words },
		{
			message,
			description: message === words ? advice : `${advice} The service said: ${words}`,
			httpCode: status === undefined ? undefined : String(status),
		},
	);
	// n8n rewrites messages that mention some system codes; these stand.
	error.message = message;
	error.context.code = code;
	return error;
}
