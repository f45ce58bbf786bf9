import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import type { Failure, Hint } from './failure';
import { CHAT_HINTS } from './hints/chats';
import { CONTENT_HINTS } from './hints/content';
import { FIELD_HINTS } from './hints/fields';
import { KEYBOARD_HINTS } from './hints/keyboard';
import { PATH_HINTS, STATUS_HINTS } from './hints/status';
import { SYSTEM_HINTS, UNKNOWN } from './hints/system';

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

/** Throws the error of a request with what was done before it, if anything was: whoever repeats the work has to know. */
export function throwAfter(done: string | undefined, error: unknown): never {
	if (done !== undefined && error instanceof NodeApiError) {
		error.description = `${done} ${error.description ?? ''}`;
	}
	throw error;
}

/** Throws an error with the next step in its message, where n8n shows nothing else of it. */
export function throwWithAdvice(error: unknown): never {
	if ((error instanceof NodeApiError || error instanceof NodeOperationError) && error.description) {
		error.message = `${error.message.replace(/\.$/, '')}. ${error.description}`;
	}
	throw error;
}

/**
 * What the service, the system or n8n says, and what to do about it: known words, then the right or the field that
 * they name, then what the status means, then what the system says. The first that fits gives the advice.
 */
export const HINTS: readonly Hint[] = [
	...PATH_HINTS,
	...KEYBOARD_HINTS,
	...CHAT_HINTS,
	...CONTENT_HINTS,
	...FIELD_HINTS,
	...STATUS_HINTS,
	...SYSTEM_HINTS,
];

const valueOf = (
	part: string | ((failure: Failure) => string | undefined) | undefined,
	failure: Failure,
): string | undefined => (typeof part === 'function' ? part(failure) : part);

/**
 * Explains a failure: `title` is what happened in a person's words, absent where the message says it best; `advice` is
 * the next step, never empty. Advice of the failure's own goes before the table.
 */
export function explain(failure: Failure): { title?: string; advice: string } {
	const { status, code, message } = failure;
	if (failure.advice !== undefined) return { advice: failure.advice };
	for (const hint of HINTS) {
		const fits =
			(hint.status === undefined ? status !== undefined : hint.status === (status ?? 'none')) &&
			(hint.code ?? code) === code &&
			(hint.text?.test(message) ?? true);
		const advice = fits ? valueOf(hint.advice, failure) : undefined;
		if (advice !== undefined) return { title: valueOf(hint.title, failure), advice };
	}
	return { advice: UNKNOWN };
}
