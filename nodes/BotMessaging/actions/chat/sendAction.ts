import { chatIdField, chatKey, chatPath } from '../../form/target';
import type { RequestOperation } from '../operation';

/** POST /chats/{chatId}/actions */
export const operation: RequestOperation = {
	value: 'sendAction',
	name: 'Send Action',
	action: 'Send action to chat',
	description: 'Show people what the bot is doing, such as typing, or mark their messages as seen',
	fields: [
		chatIdField,
		{
			displayName: 'Action',
			name: 'action',
			type: 'options',
			options: [
				{ name: 'Mark Messages as Seen', value: 'mark_seen' },
				{ name: 'Sending Audio', value: 'sending_audio' },
				{ name: 'Sending File', value: 'sending_file' },
				{ name: 'Sending Photo', value: 'sending_photo' },
				{ name: 'Sending Video', value: 'sending_video' },
				{ name: 'Typing', value: 'typing_on' },
			],
			default: 'typing_on',
			description: 'What people see the bot doing for a few seconds',
		},
	],
	lane: chatKey,
	request: (form) => ({
		method: 'POST',
		twice: 'same',
		path: chatPath(form, '/actions'),
		body: { action: form.requiredText('action') },
	}),
};
