import type { INodeProperties } from 'n8n-workflow';
import { chatOfMessage } from './messageId';
import type { JsonObject } from '../service/json';
import type { QueryValue, ServiceRequest } from '../service/types';
import { OPTIONS } from './options';
import type { Form } from './form';

/** The field for a chat that the operation works on. */
export const chatIdField: INodeProperties = {
	displayName: 'Chat ID',
	name: 'chat_id',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. -71234567890123',
	description:
		"ID of the dialog, group chat or channel: the chat_id of its events. A user's ID is not the ID of the dialog with them.",
};

/** The field for several people. */
export const userIdsField: INodeProperties = {
	displayName: 'User IDs',
	name: 'user_ids',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 110022334, 130000777',
	description: 'Comma-separated list of user IDs, or an array of them by an expression',
};

/** Whom a message goes to: a chat, or a person who has started the bot. */
export const recipientFields: INodeProperties[] = [
	{
		displayName: 'Send To',
		name: 'send_to',
		type: 'options',
		options: [
			{
				name: 'Chat',
				value: 'chat',
				description: 'A dialog, group chat or channel, by its chat ID',
			},
			{
				name: 'User',
				value: 'user',
				description: 'A person who has started the bot, by their user ID',
			},
		],
		default: 'chat',
	},
	{
		...chatIdField,
		description:
			"ID of the dialog, group chat or channel: the chat_id of its events. The ID of a user does not work here; choose 'User' in 'Send To' for that.",
		displayOptions: { show: { send_to: ['chat'] } },
	},
	{
		displayName: 'User ID',
		name: 'user_id',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. 110022334',
		description: 'ID of a person who has started the bot: the user_id of their events',
		displayOptions: { show: { send_to: ['user'] } },
	},
];

/** The recipient as the one query parameter that POST /messages takes. */
export function recipientQuery(form: Form): Record<string, QueryValue> {
	return form.text('send_to') === 'user'
		? { user_id: form.id('user_id') }
		: { chat_id: form.id('chat_id') };
}

/** Names the recipient: messages to it keep their order and share its limit per second. */
export function recipientKey(form: Form): string {
	return form.text('send_to') === 'user' ? `user ${form.id('user_id')}` : chatKey(form);
}

/** The request that sends a message to the recipient (interface: POST /messages). */
export const messageRequest = (form: Form, body: JsonObject): ServiceRequest => ({
	method: 'POST',
	twice: 'again',
	path: '/messages',
	query: {
		...recipientQuery(form),
		disable_link_preview: form.part(OPTIONS).flag('disable_link_preview'),
	},
	body,
	chat: recipientKey(form),
});

/** The request that changes a message (interface: PUT /messages). */
export const editRequest = (
	message_id: string,
	body: JsonObject,
	chat = chatKeyOfMessage(message_id),
): ServiceRequest => ({
	method: 'PUT',
	twice: 'same',
	path: '/messages',
	query: { message_id },
	body,
	chat,
});

/** The request that deletes a message (interface: DELETE /messages). */
export const deletionRequest = (message_id: string): ServiceRequest => ({
	method: 'DELETE',
	twice: 'gone',
	path: '/messages',
	query: { message_id },
});

/** The request that answers the press of a button (interface: POST /answers). */
export const answerRequest = (
	callback_id: string,
	body: JsonObject,
	chat: string | undefined,
	disable_link_preview?: boolean,
): ServiceRequest => ({
	method: 'POST',
	twice: 'again',
	path: '/answers',
	query: { callback_id, disable_link_preview },
	body,
	chat,
});

/** Names the chat of Chat ID: what is done there keeps its order. */
export const chatKey = (form: Form): string => keyOf(form.id('chat_id'));

/** Names the chat of a message by the message's ID; `undefined` for an ID that does not tell it. */
export function chatKeyOfMessage(mid: string): string | undefined {
	const chat = chatOfMessage(mid);
	return chat === undefined ? undefined : keyOf(chat);
}

const keyOf = (chat: bigint): string => `chat ${chat}`;

/** Path of the chat of Chat ID, or of something that belongs to it. */
export const chatPath = (form: Form, below = ''): string => `/chats/${form.id('chat_id')}${below}`;
