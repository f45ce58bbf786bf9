import { chatIdField, chatPath } from '../../form/recipient';
import { shown, simpleChat, simplifyField } from '../../form/simplify';
import type { RequestOperation } from '../operation';

/** GET /chats/{chatId} */
export const operation: RequestOperation = {
	value: 'get',
	name: 'Get',
	action: 'Get a chat',
	description: 'Get title, status, link and pinned message of a chat or channel',
	fields: [chatIdField, simplifyField],
	request: (form) => ({ method: 'GET', path: chatPath(form) }),
	output: (answer, form) => shown(form, answer, simpleChat),
};
