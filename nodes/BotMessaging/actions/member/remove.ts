import { switchField } from '../../form/fields';
import { chatIdField, chatPath, memberField } from '../../form/target';
import type { RequestOperation } from '../operation';

/** DELETE /chats/{chatId}/members */
export const operation: RequestOperation = {
	value: 'remove',
	name: 'Remove',
	action: 'Remove member',
	description: 'Remove a member from a chat, and block them if you like',
	fields: [chatIdField, memberField],
	options: [
		switchField('Block', 'block', {
			default: true,
			description:
				'Whether to block the user as well, so that they cannot come back. Works only in chats with a public or private link.',
		}),
	],
	request: (form) => {
		const options = form.options;
		options.refuseGivenNothing('block');
		return {
			method: 'DELETE',
			twice: 'gone',
			path: chatPath(form, '/members'),
			query: { user_id: form.id('user_id'), block: options.flag('block') },
		};
	},
};
