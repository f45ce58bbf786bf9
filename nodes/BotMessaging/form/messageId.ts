import type { INodeProperties } from 'n8n-workflow';
import type { Form } from './form';

/** The field for one message. */
export const messageIdField: INodeProperties = {
	displayName: 'Message ID',
	name: 'message_id',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. mid.ffffbf3668e29b35019f9a4d46a01f01',
	description: 'ID of the message: the message_id of its events, or body.mid of a message',
};

/** The field for the channel post that comments belong to. */
export const postIdField: INodeProperties = {
	...messageIdField,
	displayName: 'Post ID',
	description: 'ID of the channel post: the message_id of its events, or body.mid of the post',
};

/** Path of a message, or of something that belongs to it. */
export const messagePath = (form: Form, below = ''): string =>
	`/messages/${segment(form, 'message_id')}${below}`;

/** The value of a field as one segment of a path. */
export function segment(form: Form, name: string): string {
	const text = form.requiredText(name);
	// Addresses are tidied up on the way: these two would name another resource.
	if (text === '.' || text === '..') form.refuse(name, `is not an ID: ${text}`);
	return encodeURIComponent(text);
}

/** A message ID holds the chat's ID in two's complement, then the number of the message (wire 2). */
const MID = /^mid\.([0-9a-f]{16})[0-9a-f]{16}$/i;

/** The chat a message or comment belongs to, read out of its ID; `undefined` for an ID of another shape. */
export function chatOfMessage(mid: string): bigint | undefined {
	const digits = MID.exec(mid)?.[1];
	return digits === undefined ? undefined : BigInt.asIntN(64, BigInt(`0x${digits}`));
}
