import { chatIdField, chatKey, chatPath } from '../../form/target';
import type { RequestOperation } from '../operation';

/** DELETE /chats/{chatId}/pin */
export const operation: RequestOperation = {
	value: 'unpin',
	name: 'Unpin',
	action: 'Unpin pinned message',
	description: 'Unpin the pinned message of a chat; the message itself stays',
	fields: [chatIdField],
	lane: chatKey,
	request: (form) => ({ method: 'DELETE', twice: 'gone', path: chatPath(form, '/pin') }),
};
