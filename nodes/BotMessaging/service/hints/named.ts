import type { Failure } from '../errors';
import { RIGHTS } from '../rights';

/** Fields of requests that the service names, by the labels that people see. */
const LABELS: Readonly<Record<string, string>> = {
	action: 'Action',
	admins: 'Administrators',
	alias: 'Alias',
	attachments: 'Attachments',
	block: 'Block',
	buttons: 'Inline Keyboard',
	callback_id: 'Callback ID',
	chat_id: 'Chat ID',
	code: 'Sticker Code',
	commands: 'Commands',
	comment_id: 'Comment',
	contact_id: 'Contact ID',
	count: 'Limit',
	description: 'Description',
	format: 'Format',
	icon: 'Icon URL or Icon Token',
	latitude: 'Latitude',
	limit: 'Limit',
	longitude: 'Longitude',
	marker: 'Marker',
	message_id: 'Message ID',
	message_ids: 'Message IDs',
	mid: 'Message ID',
	name: 'Name of a command',
	notification: 'Notification',
	payload: 'Payload of a button',
	permissions: 'Rights',
	pin: 'Pin',
	text: 'Text, or the text of a button',
	timeout: 'Timeout (Seconds)',
	title: 'Title',
	token: 'Token',
	type: 'Media Type',
	types: 'Event Types',
	update_types: 'Event Types',
	url: 'URL',
	user_id: 'User ID',
	user_ids: 'User IDs',
};

const FIELD = /^(?:Field '(\w+)' (.*)|Missing required parameter: (\w+))/;

/** The next step after a refusal that names a field (wire 8, `proto.payload`). */
export function fieldAdvice(message: string): string | undefined {
	const [match, given, problem, missing] = FIELD.exec(message) ?? [];
	const label = LABELS[given ?? missing ?? ''];
	if (match === undefined || label === undefined) return undefined;
	const isMissing = missing !== undefined || problem === 'cannot be null';
	return isMissing
		? `Fill in ${label} and run again.`
		: `Correct ${label}: the message says what the service accepts.`;
}

/** The next step after a refusal that names a right the bot lacks. */
export function rightAdvice({ status, message }: Failure): string | undefined {
	if (status !== 403) return undefined;
	const right = RIGHTS.find(({ value }) => new RegExp(`\\b${value}\\b`).test(message));
	return (
		right &&
		`Give the bot the right ${right.name} in this chat. Member → Get Own Membership shows the rights it has.`
	);
}
