import { at } from '../../service/read';
import { chatIdField, chatPath } from '../../form/target';
import { outputFields, outputOf, simpleMessage } from '../../form/simplify';
import type { RequestOperation } from '../operation';

/** GET /chats/{chatId}/pin */
export const operation: RequestOperation = {
	value: 'get',
	name: 'Get',
	action: 'Get pinned message',
	description: 'Retrieve the pinned message of a chat; gives no item when nothing is pinned',
	fields: [chatIdField, ...outputFields(simpleMessage)],
	request: (form) => ({ method: 'GET', path: chatPath(form, '/pin') }),
	output: (answer, form) => {
		const message = at(answer, 'message');
		return message === undefined ? [] : outputOf(form, message, simpleMessage);
	},
};
