import { attachmentsGiven, refuseMissingAttachments } from '../../form/message/attachmentList';
import { messageText, pushOption } from '../../form/message/content';
import { keyboardRows } from '../../form/message/keyboard';
import { messageLink } from '../../form/message/link';
import { editRequest } from '../../form/message/requests';
import { messageIdField, recipientFields, recipientKey, recipientQuery } from '../../form/target';
import { attachmentOptions } from '../../form/upload';
import type { Form } from '../../form/form';
import type { RunOperation } from '../operation';
import { messageBodies, newMessageFields, postMessage } from './send';

/** The ID of the message to edit, `undefined` for a new one. Expressions have to give something to replace it with. */
function messageToEdit(form: Form): string | undefined {
	const message_id = form.text('message_id').trim();
	if (message_id === '') return undefined;
	form.refuseGivenNothing('text');
	refuseMissingAttachments(form);
	return message_id;
}

/** The ID of the message whose waiting edits an item overwrites. Throws if its own content cannot be sent. */
function overwritten(form: Form): string | undefined {
	const message_id = messageToEdit(form);
	if (message_id === undefined) return undefined;
	messageText(form);
	attachmentsGiven(form);
	keyboardRows(form);
	form.options.flag('notify');
	return message_id;
}

/** POST /messages, or PUT /messages for a message that exists already */
export const operation: RunOperation = {
	value: 'sendOrEdit',
	name: 'Send or Edit',
	action: 'Send or edit message',
	description:
		'Send a new message, or edit the one with the given ID (upsert), for example to let an answer grow',
	fields: [
		...recipientFields,
		{
			...messageIdField,
			required: false,
			placeholder: 'e.g. {{ $json.message_id }}',
			description:
				"ID of the message to edit: the text, attachments and buttons below replace its own, while 'Reply To' only applies to a new message. If empty, a new message is sent. If several edits of one message are waiting, only the newest is sent.",
		},
		...newMessageFields,
	],
	options: [pushOption],
	delivery: attachmentOptions,
	lane: recipientKey,
	replaces: overwritten,
	run: async (call) => {
		const { form } = call;
		recipientQuery(form);
		const message_id = messageToEdit(form);
		const isNew = message_id === undefined;
		// An edited message keeps its reply link.
		const link = isNew ? messageLink(call) : undefined;
		const [body = {}] = await messageBodies(call, [messageText(form)], link);
		if (isNew) return [await postMessage(call, body)];
		// Fields left empty are cleared.
		const { text = '', attachments = [] } = body;
		const whole = { ...body, text, attachments };
		const answer = await call.service.request(editRequest(message_id, whole, recipientKey(form)));
		return [{ json: { success: true, ...answer, message_id } }];
	},
};
