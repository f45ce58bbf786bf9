import { at, nameOf, textAt } from '../service/read';
import { attachedTo, linkFields, plain, type Value } from './tell';
import type { Update } from './update';

/** Where an event keeps what its facts are made of. */
export interface Places {
	chat(update: Update): string | undefined;
	/** What kind of chat it can be, as far as the event tells: `dialog`, `chat` (group), `channel`. */
	chatTypes(update: Update): readonly string[];
	/** The person of the event: who caused it, or who was added or removed. */
	user(update: Update): unknown;
	messageId(update: Update): string | undefined;
	/** What was written: the text of a message, the payload of a button or start link, a new title. */
	text(update: Update): string | undefined;
}

interface Fact {
	description: string;
	of(update: Update, places: Places, ownId?: string): Value;
}

const facts = {
	event: { description: 'Type of the event', of: ({ update_type: type }) => type },
	timestamp: {
		description: 'When it happened, Unix time in milliseconds',
		of: ({ timestamp }) => timestamp,
	},
	chat_id: { description: 'Chat it happened in', of: (update, { chat }) => chat(update) },
	chat_type: {
		description: '`dialog`, `chat` (group) or `channel`, where the event tells it',
		of: (update, { chatTypes }) => {
			const [type, other] = chatTypes(update);
			return other === undefined ? type : undefined;
		},
	},
	post_id: {
		description: 'Channel post that the comment belongs to',
		of: (update) => textAt(update, 'message', 'recipient', 'post_id') ?? textAt(update, 'post_id'),
	},
	user_id: {
		description: 'Who caused it; of _User Added_ and _User Removed_ who was added or removed',
		of: (update, { user }) => textAt(user(update), 'user_id'),
	},
	user_name: {
		description: 'Their first and last name',
		of: (update, { user }) => nameOf(user(update)),
	},
	username: {
		description: 'Their public user name, if they have one',
		of: (update, { user }) => textAt(user(update), 'username'),
	},
	user_locale: {
		description: 'Their language, such as `en`; in dialogs',
		of: (update) => textAt(update, 'user_locale'),
	},
	is_bot: {
		description: 'Whether they are a bot',
		of: (update, { user }) => plain(user(update), 'is_bot'),
	},
	inviter_id: {
		description: 'Who added the person; missing when they joined by a link',
		of: (update) => textAt(update, 'inviter_id'),
	},
	admin_id: {
		description: 'Who removed the person; missing when they left',
		of: (update) => textAt(update, 'admin_id'),
	},
	message_id: {
		description: 'Message or comment it is about',
		of: (update, { messageId }) => messageId(update),
	},
	text: {
		description: 'Text of that message',
		of: (update) => textAt(update, 'message', 'body', 'text'),
	},
	attachments: {
		description: 'Attachments of the message, as the service delivers them, without its keyboard',
		of: (update) => attachedTo(at(update, 'message', 'body')),
	},
	reply_to: {
		description:
			'Message that this one answers: `message_id`, `chat_id`, `sender_id`, `sender_name`, `is_own` (whether the bot wrote it), `text`, `attachments`',
		of: (update, _, ownId) => linkFields.reply_to(at(update, 'message'), ownId),
	},
	forwarded: {
		description: 'Message that this one passes on, with the same fields but `is_own`',
		of: (update) => linkFields.forwarded(at(update, 'message')),
	},
	callback_id: {
		description: 'What _Callback → Answer_ needs after the press of a button',
		of: (update) => textAt(update, 'callback', 'callback_id'),
	},
	payload: {
		description: 'Payload of the pressed button, or of the link that started the bot',
		of: (update) => textAt(update, 'callback', 'payload') ?? textAt(update, 'payload'),
	},
	title: { description: 'New title of the chat', of: (update) => textAt(update, 'title') },
	muted_until: {
		description: 'When notifications come on again, Unix time in milliseconds',
		of: (update) => plain(update, 'muted_until'),
	},
	is_admin: {
		description: 'Whether the bot is an administrator now',
		of: (update) => plain(update, 'is_admin'),
	},
	permissions: {
		description: 'Rights of the bot now',
		of: (update) => plain(update, 'permissions'),
	},
} satisfies Record<string, Fact>;

/** Name of a field of simplified events. */
export type FactName = keyof typeof facts;

/** Everything that simplified events can tell, by the names of the fields. */
export const FACTS: Readonly<Record<FactName, Fact>> = facts;
