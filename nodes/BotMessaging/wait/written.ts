import { withoutKeyboard } from '../events/tell';
import type { Update } from '../events/update';
import { at, listAt, textAt } from '../service/read';

/** The message that a message replies to or forwards, with its sender; `undefined` when it does not. */
export function linkOf(update: Update, type: 'reply' | 'forward'): unknown {
	const link = at(update, 'message', 'link');
	return at(link, 'type') === type ? link : undefined;
}

/** What a person wrote, or forwarded instead of writing. */
export function contentOf(update: Update): { text: string; attachments: unknown[] } {
	const own = at(update, 'message', 'body');
	const forwarded = at(linkOf(update, 'forward'), 'message');
	const isEmpty = !textAt(own, 'text') && listAt(own, 'attachments').length === 0;
	const body = isEmpty ? forwarded : own;
	const attachments = withoutKeyboard(listAt(body, 'attachments'));
	return { text: textAt(body, 'text') ?? '', attachments };
}

/** The chat ID of a message in a dialog; `undefined` in other chats. */
export const dialogOf = (update: Update): string | undefined =>
	at(update, 'message', 'recipient', 'chat_type') === 'dialog'
		? textAt(update, 'message', 'recipient', 'chat_id')
		: undefined;
