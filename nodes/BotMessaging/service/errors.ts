import { NodeApiError, type INode } from 'n8n-workflow';
import { fieldAdvice, rightAdvice } from './hints/named';
import { SAID } from './hints/said';
import { statusAdvice } from './hints/status';
import { systemAdvice } from './hints/system';

/** What is known of a request that failed: an answer that says so, or no answer at all. */
export interface Failure {
	/** HTTP status, absent when there was no answer. */
	status?: number;
	/** The service's code such as `chat.not.found`, or the system's such as `ECONNREFUSED`. */
	code?: string;
	/** What happened, in the service's words where it said any. */
	message: string;
	/** The next step, where whoever noticed the failure knows it better than the table of hints. */
	advice?: string;
}

/**
 * Finds the next step for a failure; never empty. What is known best comes first: the failure's own advice, then what
 * the service said, the right or the field that it names, then what the status means.
 */
export function adviceFor(failure: Failure): string {
	const { status, code, message, advice } = failure;
	if (advice !== undefined) return advice;
	if (status === undefined) return systemAdvice(code, message);
	const said = SAID.find(
		(row) =>
			(row.status ?? status) === status &&
			(row.code ?? code) === code &&
			(row.text?.test(message) ?? true),
	);
	return said?.advice ?? rightAdvice(failure) ?? fieldAdvice(message) ?? statusAdvice(failure);
}

/**
 * Turns a failure into the error that n8n shows: `message` in the service's words, `description` the next step,
 * `httpCode`, and the service's code in `context.code`. Nothing of the request, so no token, is kept in it.
 */
export function toNodeError(node: INode, failure: Failure): NodeApiError {
	const error = new NodeApiError(
		node,
		{ message: failure.message },
		{
			message: failure.message,
			description: adviceFor(failure),
			httpCode: failure.status === undefined ? undefined : String(failure.status),
		},
	);
	// n8n rewrites messages that mention some system codes; the service's words stand.
	error.message = failure.message;
	error.context.code = failure.code;
	return error;
}
