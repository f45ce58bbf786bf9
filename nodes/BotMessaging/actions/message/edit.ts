import { pushOption } from '../../form/message/content';
import { linkOptions } from '../../form/message/link';
import { editRequest } from '../../form/message/requests';
import { chatKeyOfMessage, messageIdField } from '../../form/target';
import {
	removeTextOption,
	replacementBody,
	replacementFields,
} from '../../form/message/replacement';
import { attachmentOptions } from '../../form/upload';
import type { RunOperation } from '../operation';

/** PUT /messages */
export const operation: RunOperation = {
	value: 'edit',
	name: 'Edit',
	action: 'Edit message',
	description: 'Change a message of the bot',
	fields: [
		messageIdField,
		...replacementFields(['keep', 'replace', 'replace_keyboard', 'remove'], 'keep'),
	],
	options: [pushOption, ...linkOptions, removeTextOption],
	delivery: attachmentOptions,
	lane: (form) => {
		const message_id = form.requiredText('message_id');
		return chatKeyOfMessage(message_id) ?? message_id;
	},
	run: async (call) => {
		const message_id = call.form.requiredText('message_id');
		const body = await replacementBody(call);
		const answer = await call.service.request(editRequest(message_id, body));
		return [{ json: { success: true, ...answer, message_id } }];
	},
};
