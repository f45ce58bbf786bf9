import { choice, menuField } from '../../form/fields';
import { chatIdField, chatKey, chatPath } from '../../form/target';
import type { RequestOperation } from '../operation';

const actionField = menuField(
	'Action',
	'action',
	{ default: 'typing_on', description: 'What people see the bot doing for a few seconds' },
	[
		choice('Mark Messages as Seen', 'mark_seen'),
		choice('Sending Audio', 'sending_audio'),
		choice('Sending File', 'sending_file'),
		choice('Sending Photo', 'sending_photo'),
		choice('Sending Video', 'sending_video'),
		choice('Typing', 'typing_on'),
	],
);

/** POST /chats/{chatId}/actions */
export const operation: RequestOperation = {
	value: 'sendAction',
	name: 'Send Action',
	action: 'Send action to chat',
	description: 'Show people what the bot is doing, such as typing, or mark their messages as seen',
	fields: [chatIdField, actionField],
	lane: chatKey,
	request: (form) => ({
		method: 'POST',
		twice: 'same',
		path: chatPath(form, '/actions'),
		body: { action: form.choice(actionField) },
	}),
};
