import { chatIdField, chatPath } from '../../form/target';
import type { RequestOperation } from '../operation';

/** DELETE /chats/{chatId}/pin */
export const operation: RequestOperation = {
	value: 'unpin',
	name: 'Unpin',
	action: 'Unpin pinned message',
	description: 'Unpin the pinned message of a chat; the message itself stays',
	fields: [chatIdField],
	request: (form) => ({ method: 'DELETE', twice: 'gone', path: chatPath(form, '/pin') }),
};
