import type { INodeProperties } from 'n8n-workflow';
import { NO_ID } from './advice';
import { choice, menuField, stringField, switchField } from './fields';
import { chatOfMessageId } from '../events/output';
import { asSegment, type QueryValue } from '../service/types';
import type { Form } from './form';

/** Examples of identifiers. */
const USER_ID = '110022334';
const MESSAGE_ID = 'mid.ffffbf3668e29b35019f9a4d46a01f01';

export const chatIdField = stringField('Chat ID', 'chat_id', {
	required: true,
	placeholder: 'e.g. -71234567890123',
	description:
		"ID of the dialog, group chat or channel: the chat_id of its events. A user's ID is not the ID of the dialog with them.",
});

export const notifyOption = switchField('Notify', 'notify', {
	default: true,
	description: 'Whether members get a system notification',
});

export const userIdsField = (note: string): INodeProperties =>
	stringField('User IDs', 'user_ids', {
		required: true,
		placeholder: 'e.g. 110022334, 130000777',
		description: `Comma-separated list of user IDs, or an array of them from an expression. ${note}`,
	});

const sendToField = menuField('Send To', 'send_to', { default: 'chat' }, [
	choice('Chat', 'chat', 'A dialog, group chat or channel, by its chat ID'),
	choice('User', 'user', 'A person who has started the bot, by their user ID'),
]);

/** Recipient of a message: a chat, or a person who has started the bot. */
export const recipientFields: INodeProperties[] = [
	sendToField,
	{
		...chatIdField,
		description:
			"ID of the dialog, group chat or channel: the chat_id of its events. The ID of a user does not work here; choose 'User' in 'Send To' for that.",
		displayOptions: { show: { send_to: ['chat'] } },
	},
	stringField('User ID', 'user_id', {
		required: true,
		placeholder: `e.g. ${USER_ID}`,
		description: 'ID of a person who has started the bot: the user_id of their events',
		displayOptions: { show: { send_to: ['user'] } },
	}),
];

export const messageIdField = stringField('Message ID', 'message_id', {
	required: true,
	placeholder: `e.g. ${MESSAGE_ID}`,
	description: 'ID of the message: the message_id of its events, or body.mid of a message',
});

/** The channel post that comments belong to. */
export const postIdField: INodeProperties = {
	...messageIdField,
	displayName: 'Post ID',
	description:
		'ID of the channel post: the post_id of its comments, the message_id of its own events, or body.mid of the post',
};

interface Locator {
	description: string;
	/** Name of the search method in `listSearch`. */
	search: string;
	/** What can be typed in instead. */
	by?: 'ID' | 'URL';
	example: string;
}

/** A field whose value is chosen from a searchable list, or typed in. */
const locatorField = (
	displayName: string,
	name: string,
	{ description, search, by = 'ID', example }: Locator,
): INodeProperties => ({
	displayName,
	name,
	description,
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Choose…',
			typeOptions: { searchListMethod: search, searchable: true },
		},
		{
			displayName: `By ${by}`,
			name: by.toLowerCase(),
			placeholder: `e.g. ${example}`,
			type: 'string',
		},
	],
});

/** A member of the chat that Chat ID names. */
export const memberField = locatorField('Member', 'user_id', {
	description: 'The member of the chat, from the list or by user ID',
	search: 'searchMembers',
	example: USER_ID,
});

/** An administrator of the chat that Chat ID names. */
export const administratorField = locatorField('Administrator', 'user_id', {
	description: 'The administrator of the chat, from the list or by user ID',
	search: 'searchAdministrators',
	example: USER_ID,
});

/**
 * A message of the chat that Chat ID names. Another name than that of Message ID: if a person changes the resource, n8n
 * keeps what fields of one name hold, and would show a chosen message as [object Object].
 */
export const chatMessageField = locatorField('Message', 'pin', {
	description: 'The message of the chat, from the list of recent ones or by ID',
	search: 'searchMessages',
	example: MESSAGE_ID,
});

/** A comment on the post that Post ID names. */
export const commentField = locatorField('Comment', 'comment_id', {
	description: 'The comment on the post, from the list or by ID: the message_id of its events',
	search: 'searchComments',
	example: MESSAGE_ID,
});

/** A subscription of the bot. Its name is not that of URL, for the reason given at `chatMessageField`. */
export const subscriptionField = locatorField('Subscription', 'subscription', {
	description: 'The subscription, from the list or by the address that the service calls',
	search: 'searchSubscriptions',
	by: 'URL',
	example: 'https://flow.example.com/webhook/7f/bot',
});

/** Path of the chat that Chat ID names, or of something below it. */
export const chatPath = (form: Form, below = ''): string => `/chats/${form.id('chat_id')}${below}`;

/** Path of a message, or of something below it. */
export const messagePath = (form: Form, below = ''): string =>
	`/messages/${segment(form, 'message_id')}${below}`;

/** The value of a field as one segment of a path. */
export function segment(form: Form, name: string): string {
	const text = form.requiredText(name);
	return asSegment(text) ?? form.refuse(name, `is not an ID: ${text}`);
}

/** Whether a message goes to a person; everything else goes to a chat. */
export const isToUser = (form: Form): boolean => form.choice(sendToField) === 'user';

/** The recipient as the one query parameter that POST /messages takes. Nobody has the ID 0 (wire 2). */
export function recipientQuery(form: Form): Record<string, QueryValue> {
	const name = isToUser(form) ? 'user_id' : 'chat_id';
	const id = form.id(name);
	return id === 0n ? form.refuse(name, 'is 0, which is no ID', NO_ID) : { [name]: id };
}

/** Key of a chat: operations on it keep their order, and messages to it share its rate limit. */
export const keyOfChat = (id: string | bigint): string => `chat ${id}`;

/** Keys that messages to a chat can have: in a dialog, which alone has a positive ID (wire 2), also that of the person. */
export const keysOfChat = (chat: string, person?: string): string[] => [
	keyOfChat(chat),
	...(chat.startsWith('-') || person === undefined ? [] : [`user ${person}`]),
];

/** Key of the recipient of a message. */
export const recipientKey = (form: Form): string =>
	isToUser(form) ? `user ${form.id('user_id')}` : chatKey(form);

/** Key of the chat that Chat ID names. */
export const chatKey = (form: Form): string => keyOfChat(form.id('chat_id'));

/** Key of the chat of a message or comment, read from its ID; `undefined` for an ID of another shape. */
export function chatKeyOfMessage(mid: string): string | undefined {
	const chat = chatOfMessageId(mid);
	return chat === undefined ? undefined : keyOfChat(chat);
}
