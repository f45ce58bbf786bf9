import { collectAsked, MESSAGE_BOUNDS, messageIdsField, timeOptions } from '../../form/history';
import { choice } from '../../form/fields';
import { getByFields, pagingFields } from '../../form/paging';
import { chatIdField } from '../../form/target';
import { outputFields, outputOf, simpleMessage } from '../../form/simplify';
import type { RunOperation } from '../operation';

const MESSAGES = {
	place: choice('Chat', 'chat', 'The newest messages of a chat'),
	ids: messageIdsField(
		'Message IDs',
		'message_ids',
		'e.g. mid.ffffbf3668e29b35019f9a4d46a01f01',
		'. Messages that do not exist are left out.',
	),
	known: 'Messages with known IDs',
	bounds: MESSAGE_BOUNDS,
};

/** GET /messages */
export const operation: RunOperation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many messages',
	description: 'Retrieve a list of messages from a chat or by their IDs, newest first',
	fields: [
		...getByFields(MESSAGES, [chatIdField, ...pagingFields]),
		...outputFields(simpleMessage),
	],
	options: timeOptions('messages', MESSAGES),
	run: async (call) => {
		const { form } = call;
		const ofChat = () => ({ chat_id: form.id('chat_id') });
		const messages = await collectAsked(call, MESSAGES, '/messages', ofChat);
		return messages.map((message) => ({ json: outputOf(form, message, simpleMessage) }));
	},
};
