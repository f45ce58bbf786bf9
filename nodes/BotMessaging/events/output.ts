import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { listAt, nameOf, textAt } from '../service/read';
import { shapeOf } from './events';
import type { Update } from './update';

/** One event as the item of a workflow: flat with the same names for every type, or as it was delivered. */
export function toItem(update: Update, simplify: boolean): INodeExecutionData {
	return { json: simplify ? simplified(update) : update };
}

interface Fact {
	description: string;
	of(update: Update): IDataObject[string];
}

/** What a workflow needs to know of an event: the fields of the simplified output, in their order. */
export const FACTS: Readonly<Record<string, Fact>> = {
	event: { description: 'Type of the event', of: ({ update_type: type }) => type },
	timestamp: {
		description: 'When it happened, Unix time in milliseconds',
		of: ({ timestamp }) => timestamp,
	},
	chat_id: { description: 'Chat it happened in', of: (update) => shapeOf(update)?.chat(update) },
	chat_type: {
		description: '`dialog`, `chat` (group) or `channel`, where the event tells it',
		of: (update) => shapeOf(update)?.chatType(update),
	},
	user_id: { description: 'Who caused it', of: (update) => textAt(userOf(update), 'user_id') },
	user_name: { description: 'Their first and last name', of: (update) => nameOf(userOf(update)) },
	message_id: {
		description: 'Message or comment it is about',
		of: (update) => shapeOf(update)?.messageId(update),
	},
	text: {
		description: 'Text of that message; the new title of a chat',
		of: (update) => textAt(update, 'message', 'body', 'text') ?? textAt(update, 'title'),
	},
	callback_id: {
		description: 'What _Callback → Answer_ needs after the press of a button',
		of: (update) => textAt(update, 'callback', 'callback_id'),
	},
	payload: {
		description: 'Payload of the pressed button, or of the link that started the bot',
		of: (update) => textAt(update, 'callback', 'payload') ?? textAt(update, 'payload'),
	},
	attachments: {
		description: 'Attachments of the message, as the service delivers them',
		of: (update) => listAt(update, 'message', 'body', 'attachments'),
	},
};

const userOf = (update: Update): unknown => shapeOf(update)?.user(update);

/** Every field is there for every type of event; what an event lacks is null. */
const simplified = (update: Update): IDataObject =>
	Object.fromEntries(Object.entries(FACTS).map(([name, { of }]) => [name, of(update) ?? null]));
