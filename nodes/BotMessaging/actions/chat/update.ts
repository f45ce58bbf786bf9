import type { INodeProperties } from 'n8n-workflow';
import type { ExactJson } from '../../service/json';
import { chatMessageField } from '../../form/locator';
import { notifyOption, optionsField, OPTIONS } from '../../form/options';
import { chatIdField, chatKey, chatPath } from '../../form/recipient';
import { outputFields, shown, simpleChat } from '../../form/simplify';
import type { Form } from '../../form/form';
import type { RequestOperation } from '../operation';

const FIELDS = 'updateFields';

const updateFields: INodeProperties = {
	displayName: 'Update Fields',
	name: FIELDS,
	type: 'collection',
	placeholder: 'Add Field',
	default: {},
	description: 'What to change. Everything that is not added here stays as it is.',
	options: [
		{
			displayName: 'Description',
			name: 'description',
			type: 'string',
			typeOptions: { rows: 3 },
			default: '',
			placeholder: 'e.g. Questions about deliveries',
			description: 'Up to 16000 characters. Leave it empty to remove the description.',
		},
		{
			displayName: 'Icon Token',
			name: 'icon_token',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description: 'Token of an uploaded image, for the new icon',
		},
		{
			displayName: 'Icon URL',
			name: 'icon_url',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://example.com/icon.png',
			description: 'Public address of an image, for the new icon',
		},
		{
			...chatMessageField,
			displayName: 'Pin',
			name: 'pin',
			required: false,
			description: 'The message of the chat to pin, from the list of recent ones or by ID',
		},
		{
			displayName: 'Title',
			name: 'title',
			type: 'string',
			default: '',
			placeholder: 'e.g. Warehouse shift',
			description: 'Name of the chat or channel, 1 to 200 characters',
		},
	],
};

/** PATCH /chats/{chatId} */
export const operation: RequestOperation = {
	value: 'update',
	name: 'Update',
	action: 'Update a chat',
	description: 'Change title, description, icon or pinned message of a chat or channel',
	fields: [chatIdField, updateFields, ...outputFields(simpleChat), optionsField([notifyOption])],
	lane: chatKey,
	request: (form) => ({
		method: 'PATCH',
		twice: 'same',
		path: chatPath(form),
		body: { ...changes(form), notify: form.part(OPTIONS).flag('notify') },
	}),
	output: (answer, form) => shown(form, answer, simpleChat),
};

/** The fields that were added, empty ones included: an empty description removes the old one. */
function changes(form: Form): { [key: string]: ExactJson } {
	const fields = form.part(FIELDS);
	const given = {
		title: fields.has('title') ? fields.text('title') : undefined,
		description: fields.has('description') ? fields.text('description') : undefined,
		icon: icon(fields),
		pin: fields.has('pin') ? fields.requiredText('pin') : undefined,
	};
	if (Object.values(given).every((value) => value === undefined)) {
		form.refuse(FIELDS, 'has no field', 'Add what is to be changed, such as Title.');
	}
	return given;
}

function icon(fields: Form): ExactJson {
	if (fields.has('icon_url') && fields.has('icon_token')) {
		fields.refuse(
			'icon_url',
			'cannot be combined with Icon Token',
			'The icon comes from one place. Remove one of the two fields.',
		);
	}
	if (fields.has('icon_url')) return { url: fields.requiredText('icon_url') };
	return fields.has('icon_token') ? { token: fields.requiredText('icon_token') } : undefined;
}
