import { messageIdField, messagePath } from '../fields/messageId';
import { shown, simpleMessage, simplifyField } from '../fields/simplify';
import type { RequestOperation } from '../operation';

/** GET /messages/{messageId} */
export const operation: RequestOperation = {
	value: 'get',
	name: 'Get',
	action: 'Get a message',
	description: 'Get one message by its ID',
	fields: [messageIdField, simplifyField],
	request: (form) => ({ method: 'GET', path: messagePath(form) }),
	output: (answer, form) => shown(form, answer, simpleMessage),
};
