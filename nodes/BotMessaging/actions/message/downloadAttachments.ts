import { choice, menuField, showWhen } from '../../form/fields';
import { attachmentsIn, downloadAttachments } from '../../files/download';
import { downloadOptions, downloadSettings } from '../../form/download';
import { messageOfForm } from '../../form/history';
import { messageIdField } from '../../form/target';
import { outputFields, outputOf, simpleMessage } from '../../form/simplify';
import type { Call } from '../../form/call';
import type { RunOperation } from '../operation';

const sourceField = menuField('Attachments Of', 'message_source', { default: 'item' }, [
	choice(
		'Incoming Item',
		'item',
		'The message that the item is: an event of the trigger, a message, or an answer to Send and Wait',
	),
	choice('Message ID', 'id', 'Any message, by its ID'),
]);

/** Downloads the attachments of a message, found by its ID (GET /messages) or in the input item */
export const operation: RunOperation = {
	value: 'downloadAttachments',
	name: 'Download Attachments',
	action: 'Download attachments of message',
	description:
		'Download images, videos, audio and files of a message, and of the one it replies to or forwards, into binary fields',
	fields: [
		sourceField,
		...showWhen({ message_source: ['id'] }, [messageIdField, ...outputFields(simpleMessage)]),
	],
	options: downloadOptions,
	run: async (call) => {
		const { form, service, context } = call;
		const settings = downloadSettings(form.options);
		const { json, attachments, kept } = await sourceOf(call);
		const { files, missed } = await downloadAttachments(context, service, attachments, settings);
		if (missed[0]) throw missed[0].reason;
		return [{ json, binary: { ...kept, ...files } }];
	},
};

/** The message, its attachments, and the binary fields that the item keeps. */
async function sourceOf(call: Call) {
	const { form, context, itemIndex } = call;
	if (form.choice(sourceField) !== 'id') {
		const item = context.getInputData()[itemIndex];
		return { json: item?.json ?? {}, attachments: attachmentsIn(item?.json), kept: item?.binary };
	}
	const message = await messageOfForm(call);
	return {
		json: outputOf(form, message, simpleMessage),
		attachments: attachmentsIn(message),
		kept: undefined,
	};
}
