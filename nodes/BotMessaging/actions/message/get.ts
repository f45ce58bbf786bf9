import { messageIdField, messagePath } from '../../form/target';
import { outputFields, outputOf, simpleMessage } from '../../form/simplify';
import type { RequestOperation } from '../operation';

/** GET /messages/{messageId} */
export const operation: RequestOperation = {
	value: 'get',
	name: 'Get',
	action: 'Get message',
	description: 'Retrieve one message by its ID',
	fields: [messageIdField, ...outputFields(simpleMessage)],
	request: (form) => ({ method: 'GET', path: messagePath(form) }),
	output: (answer, form) => outputOf(form, answer, simpleMessage),
};
