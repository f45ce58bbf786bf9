import { chatIdField, chatPath } from '../../form/target';
import { outputFields, outputOf, simpleChat } from '../../form/simplify';
import type { RequestOperation } from '../operation';

/** GET /chats/{chatId} */
export const operation: RequestOperation = {
	value: 'get',
	name: 'Get',
	action: 'Get chat',
	description: 'Retrieve title, status, link and pinned message of a chat or channel',
	fields: [chatIdField, ...outputFields(simpleChat)],
	request: (form) => ({ method: 'GET', path: chatPath(form) }),
	output: (answer, form) => outputOf(form, answer, simpleChat),
};
