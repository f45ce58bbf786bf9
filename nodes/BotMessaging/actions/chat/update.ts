import { choice, choicesField, collectionField, jsonField, stringField } from '../../form/fields';
import { toJson, type JsonObject } from '../../service/json';
import { at } from '../../service/read';
import { chatIdField, chatKey, chatMessageField, chatPath, notifyOption } from '../../form/target';
import { outputFields, outputOf, simpleChat } from '../../form/simplify';
import type { Form } from '../../form/form';
import type { RequestOperation } from '../operation';

const FIELDS = 'updateFields';

const nullsField = choicesField('Send Null For', 'send_null_for', {
	options: [
		choice('Description', 'description'),
		choice('Icon', 'icon'),
		choice('Pin', 'pin'),
		choice('Title', 'title'),
	],
	description:
		'Fields that are sent as null. The interface allows this but does not define the effect: a service may reset the field or ignore it.',
});

const updateFields = collectionField('Update Fields', FIELDS, {
	placeholder: 'Add Field',
	description: 'What to change. Everything that is not added here stays as it is.',
	options: [
		stringField('Description', 'description', {
			typeOptions: { rows: 3 },
			placeholder: 'e.g. Questions about deliveries',
			description: 'Up to 16000 characters. Leave it empty to remove the description.',
		}),
		jsonField('Icon Photos', 'icon_photos', {
			example: '{ "key": { "token": "…" } }',
			description: 'The photos of an upload as the upload host gave them, for the new icon',
		}),
		stringField('Icon Token', 'icon_token', {
			typeOptions: { password: true },
			description: 'Token of an image from File → Upload, for the new icon',
		}),
		stringField('Icon URL', 'icon_url', {
			placeholder: 'e.g. https://example.com/icon.png',
			description: 'Public address of an image, for the new icon',
		}),
		{
			...chatMessageField,
			displayName: 'Pin',
			required: false,
			description: 'The message of the chat to pin, from the list of recent ones or by ID',
		},
		nullsField,
		stringField('Title', 'title', {
			placeholder: 'e.g. Warehouse shift',
			description: 'Name of the chat or channel, 1 to 200 characters',
		}),
	],
});

/** PATCH /chats/{chatId} */
export const operation: RequestOperation = {
	value: 'update',
	name: 'Update',
	action: 'Update chat',
	description: 'Change title, description, icon or pinned message of a chat or channel',
	fields: [chatIdField, updateFields, ...outputFields(simpleChat)],
	options: [notifyOption],
	lane: chatKey,
	request: (form) => ({
		method: 'PATCH',
		twice: 'same',
		path: chatPath(form),
		body: { ...changes(form), notify: form.options.flag('notify') },
	}),
	output: (answer, form) => outputOf(form, answer, simpleChat),
};

/** Reads the fields into the request's body. The icon is an image payload (wire 3.7), which one of three fields holds. */
const READERS: Readonly<Record<string, (fields: Form) => JsonObject>> = {
	title: (fields) => ({ title: fields.text('title') }),
	description: (fields) => ({ description: fields.text('description') }),
	pin: (fields) => ({ pin: fields.requiredText('pin') }),
	icon_photos: (fields) => {
		const given = fields.json('icon_photos');
		return { icon: { photos: toJson(at(given, 'photos') ?? given) } };
	},
	icon_token: (fields) => ({ icon: { token: fields.requiredText('icon_token') } }),
	icon_url: (fields) => ({ icon: { url: fields.requiredText('icon_url') } }),
};

/** The fields that were added, including empty ones: an empty description removes the old one. */
function changes(form: Form): JsonObject {
	const fields = form.part(FIELDS);
	fields.refuseGivenNothing(...Object.keys(READERS));
	const added = Object.entries(READERS).filter(([name]) => fields.has(name));
	const [, another] = added.filter(([name]) => name.startsWith('icon_'));
	if (another) {
		fields.refuse(
			another[0],
			'is not the only field for the icon',
			'The icon comes from one place. Remove the other field.',
		);
	}
	const given: JsonObject = Object.fromEntries(
		fields.choices(nullsField).map((name) => [name, null]),
	);
	for (const [, read] of added) Object.assign(given, read(fields));
	if (Object.keys(given).length === 0) {
		form.refuse(FIELDS, 'has no field', "Add what is to be changed, such as 'Title'.");
	}
	return given;
}
