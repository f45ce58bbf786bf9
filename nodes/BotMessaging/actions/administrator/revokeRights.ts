import { administratorField, chatIdField, chatPath } from '../../form/target';
import type { RequestOperation } from '../operation';

/** DELETE /chats/{chatId}/members/admins/{userId} */
export const operation: RequestOperation = {
	value: 'revokeRights',
	name: 'Revoke Rights',
	action: 'Revoke rights of administrator',
	description: 'Make an administrator an ordinary member again; they stay in the chat',
	fields: [chatIdField, administratorField],
	request: (form) => ({
		method: 'DELETE',
		twice: 'gone',
		path: chatPath(form, `/members/admins/${form.id('user_id')}`),
	}),
};
