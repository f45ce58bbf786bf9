import { deletionRequest } from '../../form/message/requests';
import { messageIdField } from '../../form/target';
import type { RequestOperation } from '../operation';

/** DELETE /messages */
export const operation: RequestOperation = {
	value: 'delete',
	name: 'Delete',
	action: 'Delete message',
	description: 'Delete a message of the bot, or of others where it has the right to',
	fields: [messageIdField],
	request: (form) => deletionRequest(form.requiredText('message_id')),
};
