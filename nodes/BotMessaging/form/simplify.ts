import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { choice, choicesField, menuField, sortedChoices, type Choice } from './fields';
import { EVENTS } from '../events/events';
import { FACTS } from '../events/facts';
import {
	attachedTo,
	chatIn,
	keyboardOf,
	linkFields,
	plainIn,
	selectFields,
	textIn,
	type Value,
	type View,
} from '../events/output';
import { at, entryOf, isObject, nameOf, textAt } from '../service/read';
import type { Form } from './form';

const FIELDS = 'output_fields';

/** `last_activity_time` → `Last Activity Time`, `chat_id` → `Chat ID`. */
const labelOf = (name: string): string =>
	name.replace(
		/(^|_)(id(?![a-z])|url(?![a-z])|[a-z])/g,
		(_, gap: string, part: string) => `${gap && ' '}${part.toUpperCase()}`,
	);

/** Output fields by name, each read from an object of the service. */
type Fields = Readonly<Record<string, (object: unknown) => Value>>;

/** How one kind of object is simplified. */
interface Simple {
	/** The most needed fields, ten at most; the first one identifies the object. */
	fields: Fields;
	more: Fields;
}

/** The fields that choose the output of an operation. */
export const outputFields = ({ fields, more }: Simple): INodeProperties[] =>
	outputFieldsOf(Object.keys({ ...fields, ...more }));

const outputField = menuField(
	'Output',
	'output',
	{ default: 'simplified', description: 'What the items hold' },
	[
		choice('Raw', 'raw', 'Everything as the service gives it'),
		choice('Selected Fields', 'selected', 'The fields that you choose'),
		choice('Simplified', 'simplified', 'The fields that are needed most'),
	],
);

const outputFieldsOf = (names: string[]): INodeProperties[] => [
	outputField,
	choicesField('Fields', FIELDS, {
		options: sortedChoices(names.map((name) => choice(labelOf(name), name))),
		displayOptions: { show: { output: ['selected'] } },
		description: 'Fields of the items, besides the one that identifies them',
	}),
];

export const eventOutputFields = outputFieldsOf(Object.keys(FACTS));

/** Every type of event as a choice, sorted by label. */
export const eventTypeChoices: Array<Choice<string>> = sortedChoices(
	Object.entries(EVENTS).map(([value, { name, description }]) => ({
		...choice(name, value, description),
		// The name in n8n's node panel of a trigger for this event.
		action: `On ${name.toLowerCase()}`,
	})),
);

/** The output that the form chose. */
export function viewOf(form: Form): View {
	const output = form.choice(outputField);
	return output === 'selected' ? form.texts(FIELDS) : output;
}

/** An object of the service as output, in the chosen view. */
export function outputOf(form: Form, object: unknown, { fields, more }: Simple): IDataObject {
	const all = { ...fields, ...more };
	return selectFields(object, viewOf(form), Object.keys(fields), (name) =>
		entryOf(all, name)?.(object),
	);
}

/** Fields common to messages and comments (wire 3.3), named like the same facts in events but for the sender's. */
const messageFields: Fields = {
	message_id: textIn('body', 'mid'),
	chat_id: chatIn,
	timestamp: plainIn('timestamp'),
	sender_id: textIn('sender', 'user_id'),
	sender_name: (message) => nameOf(at(message, 'sender')),
	text: textIn('body', 'text'),
	...linkFields,
};

const moreFields: Fields = {
	markup: plainIn('body', 'markup'),
	sender_is_bot: plainIn('sender', 'is_bot'),
	sender_username: textIn('sender', 'username'),
	views: plainIn('stat', 'views'),
};

/** A message; it can be a reply or a forward, not both. */
export const simpleMessage: Simple = {
	fields: {
		...messageFields,
		chat_type: textIn('recipient', 'chat_type'),
		attachments: (message) => attachedTo(at(message, 'body')),
		url: textIn('url'),
	},
	more: {
		...moreFields,
		keyboard: (message) => keyboardOf(at(message, 'body')),
	},
};

export const simpleComment: Simple = {
	fields: {
		...messageFields,
		post_id: textIn('recipient', 'post_id'),
	},
	more: moreFields,
};

/** A member of a chat (wire 3.1). */
export const simpleMember: Simple = {
	fields: {
		user_id: textIn('user_id'),
		user_name: nameOf,
		username: textIn('username'),
		is_bot: plainIn('is_bot'),
		is_owner: plainIn('is_owner'),
		is_admin: plainIn('is_admin'),
		permissions: plainIn('permissions'),
		alias: textIn('alias'),
		join_time: plainIn('join_time'),
		last_activity_time: plainIn('last_activity_time'),
	},
	more: {
		avatar_url: textIn('avatar_url'),
		description: textIn('description'),
		full_avatar_url: textIn('full_avatar_url'),
		last_access_time: plainIn('last_access_time'),
	},
};

/** A chat (interface: Chat); a dialog has the other person instead of a title and an owner. */
export const simpleChat: Simple = {
	fields: {
		chat_id: textIn('chat_id'),
		chat_type: textIn('type'),
		status: textIn('status'),
		title: (chat) => textAt(chat, 'title') ?? nameOf(at(chat, 'dialog_with_user')),
		description: textIn('description'),
		participants_count: plainIn('participants_count'),
		owner_id: textIn('owner_id'),
		user_id: textIn('dialog_with_user', 'user_id'),
		link: textIn('link'),
		pinned_message_id: textIn('pinned_message', 'body', 'mid'),
	},
	more: {
		icon_url: textIn('icon', 'url'),
		is_public: plainIn('is_public'),
		last_event_time: plainIn('last_event_time'),
		messages_count: plainIn('messages_count'),
		participants: (chat) => {
			const times = at(chat, 'participants');
			return isObject(times) ? times : undefined;
		},
		username: textIn('dialog_with_user', 'username'),
	},
};
