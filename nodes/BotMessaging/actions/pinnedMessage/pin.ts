import { chatIdField, chatKey, chatMessageField, chatPath, notifyOption } from '../../form/target';
import type { RequestOperation } from '../operation';

/** PUT /chats/{chatId}/pin */
export const operation: RequestOperation = {
	value: 'pin',
	name: 'Pin',
	action: 'Pin message',
	description: 'Pin a message of a chat in place of the one that is pinned',
	fields: [chatIdField, chatMessageField],
	options: [notifyOption],
	lane: chatKey,
	request: (form) => ({
		method: 'PUT',
		twice: 'same',
		path: chatPath(form, '/pin'),
		body: {
			message_id: form.requiredText('pin'),
			notify: form.options.flag('notify'),
		},
	}),
};
