import type { INodeProperties } from 'n8n-workflow';
import { choice, menuField, showWhen, switchField } from '../fields';
import { toJson, type ExactJson, type JsonObject } from '../../service/json';
import { TEXT_LIMIT } from '../../service/limits';
import { listAt } from '../../service/read';
import { withoutKeyboard } from '../../events/output';
import type { Call } from '../call';
import type { Form } from '../form';
import { attachmentRequest, chosenAttachments, refuseMissingAttachments } from './attachmentList';
import { attachmentFields } from './attachments';
import { formatField, messageText, textField } from './content';
import { messageOfForm } from '../history';
import { messageLink } from './link';
import { keyboardFields, keyboardRows, withKeyboard } from './keyboard';

const REMOVE_TEXT = 'remove_text';

export const removeTextOption = switchField('Remove Text', REMOVE_TEXT, {
	default: true,
	description: "Whether to remove the text of the message. 'Text' has to be empty then.",
});

/** What to do with attachments and keyboard; the service changes them together (interface: attachments). */
const changeField = menuField(
	'Attachments and Keyboard',
	'attachments_change',
	{ default: 'keep' },
	[
		choice('Keep', 'keep', 'Leave attachments and keyboard as they are'),
		choice('Remove All', 'remove', 'Leave only the text'),
		choice('Replace', 'replace', 'Replace all of them with those below'),
		choice(
			'Replace Keyboard Only',
			'replace_keyboard',
			'Change or remove the buttons, and keep the attachments',
		),
	],
);

type Change = (typeof changeField.options)[number]['value'];

/** The form of a message that replaces another one. */
export function replacementFields(changes: Change[], preset: Change): INodeProperties[] {
	return [
		{
			...textField,
			description: `New text of the message, up to ${TEXT_LIMIT} characters. Leave it empty to keep the text; to remove it, add the option 'Remove Text'.`,
		},
		formatField,
		{
			...changeField,
			default: preset,
			options: changeField.options.filter(({ value }) => changes.includes(value)),
		},
		...showWhen({ attachments_change: ['replace'] }, attachmentFields),
		...showWhen({ attachments_change: ['replace', 'replace_keyboard'] }, keyboardFields),
	];
}

/** The body of a replacing message (interface: NewMessageBody), with its files uploaded. */
export async function replacementBody(call: Call): Promise<JsonObject> {
	const { form } = call;
	const options = form.options;
	const text = options.flag(REMOVE_TEXT) ? removedText(form, options) : messageText(form);
	const link = messageLink(call);
	const notify = options.flag('notify');
	// Last, so that no file is uploaded for a message that is refused.
	const attachments = await changed(call);
	if ((text.text ?? attachments ?? link) === undefined) {
		form.refuseEmpty('text', 'Nothing would change. Fill it in, or change what is attached.');
	}
	return { ...text, attachments, link, notify };
}

/** The empty text, which removes the old one. */
function removedText(form: Form, options: Form): { text: string } {
	if (form.text('text')) {
		options.refuse(REMOVE_TEXT, "cannot be combined with 'Text'", 'Empty one of the two.');
	}
	return { text: '' };
}

/** The new attachments: `undefined` changes nothing, an empty list removes all. */
async function changed(call: Call): Promise<ExactJson> {
	const change = call.form.choice(changeField);
	if (change === 'remove') return [];
	if (change === 'keep') return undefined;
	if (change === 'replace') refuseMissingAttachments(call.form);
	const keyboard = keyboardRows(call.form);
	const others = await (change === 'replace' ? chosenAttachments(call) : presentAttachments(call));
	return withKeyboard(others, keyboard);
}

/** The current attachments of the message except its keyboard, in the form that can be sent again. */
async function presentAttachments(call: Call): Promise<ExactJson[]> {
	const present = withoutKeyboard(listAt(await messageOfForm(call), 'body', 'attachments'));
	return present.map((attachment) => attachmentRequest(toJson(attachment)));
}
