import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import type { Failure, Hint } from './failure';
import { CHAT_HINTS } from './hints/chats';
import { CONTENT_HINTS } from './hints/content';
import { FIELD_HINTS } from './hints/fields';
import { KEYBOARD_HINTS } from './hints/keyboard';
import { meantStatus, PATH_HINTS, statusAdvice } from './hints/status';
import { systemAdvice } from './hints/system';
import { textAt } from './read';
import { isTransient } from './retry';

/**
 * The error that n8n shows: `description` is the next step, and the service's words where `message` has others. It has
 * `httpCode` and `context.code`, and nothing of the request, so no token.
 */
export function toNodeError(node: INode, failure: Failure): NodeApiError {
	const { status, code, message: words } = failure;
	const isOutside = node.type.endsWith('Trigger');
	const { title, advice } = explain({ ...failure, isOutside });
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
	// n8n rewrites messages that mention certain system codes: restore ours.
	error.message = message;
	error.context.code = code;
	return error;
}

/** Rethrows a request's error, stating what was already `done` before it: whoever runs the work again needs to know. */
export function throwAfter(done: string | undefined, error: unknown): never {
	if (done !== undefined && error instanceof NodeApiError) {
		error.description = `${done} ${error.description ?? ''}`;
	}
	throw error;
}

/** Rethrows an error with the next step in its message, and nowhere else: some places of n8n show only the message. */
export function throwWithAdvice(error: unknown): never {
	if ((error instanceof NodeApiError || error instanceof NodeOperationError) && error.description) {
		error.message = `${error.message.replace(/\.$/, '')}. ${error.description}`;
		error.description = undefined;
	}
	throw error;
}

/**
 * Whether waiting does not help: the service itself refuses the token or the request, or something in n8n is in the way.
 * A refusal without a code is that of a proxy before the service, which may be up again soon, as may the network.
 */
export function isLasting(error: unknown): boolean {
	if (!(error instanceof NodeApiError)) return error instanceof NodeOperationError;
	const status = Number(error.httpCode);
	const code = textAt(error.context, 'code');
	const isRefusal = status > 0 && status < 500 && code !== undefined;
	return status === 401 || (isRefusal && !isTransient({ status, code }));
}

/** The first hint that fits gives the advice: known wordings, then messages that name a right or a field. */
export const HINTS: readonly Hint[] = [
	...PATH_HINTS,
	...CHAT_HINTS,
	...KEYBOARD_HINTS,
	...CONTENT_HINTS,
	...FIELD_HINTS,
];

/** `title` says what happened where the message does not say it best; `advice` is the next step, never empty. */
export function explain(failure: Failure): { title?: string; advice: string } {
	const { status, code, message, isOutside = false } = failure;
	if (failure.advice !== undefined) return { advice: failure.advice };
	if (status === undefined) return { advice: systemAdvice(failure) };
	const wordsFor = (words: Hint['title']): string | undefined =>
		typeof words === 'function' ? words(failure) : words;
	for (const hint of HINTS) {
		const fits =
			(isOutside || !hint.isOutside) &&
			[status, meantStatus(failure)].includes(hint.status ?? status) &&
			(hint.code ?? code) === code &&
			(hint.text?.test(message) ?? true);
		const advice = fits ? wordsFor(hint.advice) : undefined;
		if (advice !== undefined) return { title: wordsFor(hint.title), advice };
	}
	return { advice: statusAdvice(failure) };
}
