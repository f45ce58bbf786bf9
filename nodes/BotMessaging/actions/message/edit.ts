import { at } from '../../service/read';
import { contentOptions, linkOptions } from '../fields/content';
import { messageIdField } from '../fields/messageId';
import { optionsField } from '../fields/options';
import { chatKeyOfMessage } from '../fields/recipient';
import { replacementBody, replacementFields } from '../fields/replacement';
import { uploadOptions, waitForAttachmentsOption } from '../fields/upload';
import type { Form } from '../form';
import type { RunOperation } from '../operation';

const laneOf = (form: Form): string => {
	const mid = form.requiredText('message_id');
	return chatKeyOfMessage(mid) ?? mid;
};

/** PUT /messages */
export const operation: RunOperation = {
	value: 'edit',
	name: 'Edit',
	action: 'Edit a message',
	description: 'Change a message of the bot',
	fields: [
		messageIdField,
		...replacementFields(['keep', 'replace', 'replace_keyboard', 'remove'], 'keep'),
		optionsField([...contentOptions, ...linkOptions, ...uploadOptions, waitForAttachmentsOption]),
	],
	lane: laneOf,
	run: async (call) => {
		const { form, service } = call;
		const message_id = form.requiredText('message_id');
		const body = await replacementBody(call, message_id);
		const answer = await service.request({
			method: 'PUT',
			path: '/messages',
			query: { message_id },
			body,
			chat: chatKeyOfMessage(message_id),
		});
		return [{ json: { success: at(answer, 'success') === true, message_id } }];
	},
};
