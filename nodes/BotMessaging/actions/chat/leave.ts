import { chatIdField, chatPath } from '../../form/target';
import type { RequestOperation } from '../operation';

/** DELETE /chats/{chatId}/members/me */
export const operation: RequestOperation = {
	value: 'leave',
	name: 'Leave',
	action: 'Leave chat',
	description: 'Let the bot leave a group chat or channel',
	fields: [chatIdField],
	request: (form) => ({ method: 'DELETE', twice: 'gone', path: chatPath(form, '/members/me') }),
};
