import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { asObject, at, listAt, nameOf, textAt } from '../service/read';
import type { Form } from './form';

/** Whether an operation gives the facts that a workflow needs, or everything the service answered. */
export const simplifyField: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** An object of the service for the output: simplified by `simple` where the form says so. */
export function shown(
	form: Form,
	object: unknown,
	simple: (object: unknown) => IDataObject,
): IDataObject {
	return form.flag('simplify') ? withoutGaps(simple(object)) : asObject(object);
}

const withoutGaps = (facts: IDataObject): IDataObject =>
	Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== undefined));

/** A text, number, switch or list of the service as it is. */
const fact = (object: unknown, ...keys: string[]): IDataObject[string] => {
	const value = at(object, ...keys);
	if (Array.isArray(value)) return value;
	const isScalar = typeof value === 'string' || typeof value === 'number';
	return isScalar || typeof value === 'boolean' ? value : undefined;
};

/** A message or comment (wire 3.3), with the names that the trigger gives to the same facts. */
export const simpleMessage = (message: unknown): IDataObject => ({
	message_id: textAt(message, 'body', 'mid'),
	chat_id: textAt(message, 'recipient', 'chat_id'),
	chat_type: textAt(message, 'recipient', 'chat_type'),
	post_id: textAt(message, 'recipient', 'post_id'),
	timestamp: fact(message, 'timestamp'),
	user_id: textAt(message, 'sender', 'user_id'),
	user_name: nameOf(at(message, 'sender')),
	text: textAt(message, 'body', 'text'),
	attachments: fact(message, 'body', 'attachments'),
	link_type: textAt(message, 'link', 'type'),
	link_message_id: textAt(message, 'link', 'message', 'mid'),
	url: textAt(message, 'url'),
});

/** A member of a chat (wire 3.1). */
export const simpleMember = (member: unknown): IDataObject => ({
	user_id: textAt(member, 'user_id'),
	user_name: nameOf(member),
	username: textAt(member, 'username'),
	is_bot: fact(member, 'is_bot'),
	is_owner: fact(member, 'is_owner'),
	is_admin: fact(member, 'is_admin'),
	permissions: fact(member, 'permissions'),
	alias: textAt(member, 'alias'),
	join_time: fact(member, 'join_time'),
	last_activity_time: fact(member, 'last_activity_time'),
});

/** A chat (interface: Chat); of a dialog also whom it is with. */
export const simpleChat = (chat: unknown): IDataObject => ({
	chat_id: textAt(chat, 'chat_id'),
	chat_type: textAt(chat, 'type'),
	status: textAt(chat, 'status'),
	title: textAt(chat, 'title'),
	description: textAt(chat, 'description'),
	participants_count: fact(chat, 'participants_count'),
	owner_id: textAt(chat, 'owner_id'),
	link: textAt(chat, 'link'),
	user_id: textAt(chat, 'dialog_with_user', 'user_id'),
	user_name: nameOf(at(chat, 'dialog_with_user')),
	pinned_message_id: textAt(chat, 'pinned_message', 'body', 'mid'),
});

/** Every object of a list in an answer, for the output. */
export const shownList = (
	form: Form,
	answer: unknown,
	key: string,
	simple: (object: unknown) => IDataObject,
): IDataObject[] => listAt(answer, key).map((object) => shown(form, object, simple));
