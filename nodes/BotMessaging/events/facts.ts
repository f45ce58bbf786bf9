import { at, nameOf, textAt } from '../service/read';
import { attachedTo, keyboardOf, linkFields, plainIn, textIn, type Value } from './tell';
import type { Update } from './update';

/** Reads the facts of an event from where its type keeps them. */
export interface Places {
	chat(update: Update): string | undefined;
	/** The kinds of chat that it can be, as far as the event tells: `dialog`, `chat` (group), `channel`. */
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

const fact = (description: string, of: Fact['of']): Fact => ({ description, of });

/** Everything that simplified events can tell, by field name. */
export const FACTS = {
	event: fact('Type of the event', ({ update_type: type }) => type),
	timestamp: fact('When it happened, Unix time in milliseconds', ({ timestamp }) => timestamp),
	chat_id: fact('Chat it happened in', (update, { chat }) => chat(update)),
	chat_type: fact(
		'`dialog`, `chat` (group) or `channel`, where the event tells it',
		(update, { chatTypes }) => {
			const [type, other] = chatTypes(update);
			return other === undefined ? type : undefined;
		},
	),
	post_id: fact(
		'Channel post that the comment belongs to',
		(update) => textAt(update, 'message', 'recipient', 'post_id') ?? textAt(update, 'post_id'),
	),
	user_id: fact(
		'Who caused it; for _User Added_ and _User Removed_, who was added or removed',
		(update, { user }) => textAt(user(update), 'user_id'),
	),
	user_name: fact('Their first and last name', (update, { user }) => nameOf(user(update))),
	username: fact('Their public user name, if they have one', (update, { user }) =>
		textAt(user(update), 'username'),
	),
	user_locale: fact('Their language, such as `en`; in dialogs', textIn('user_locale')),
	is_bot: fact('Whether they are a bot', (update, { user }) => plainIn('is_bot')(user(update))),
	inviter_id: fact(
		'Who added the person; missing when they joined by a link',
		textIn('inviter_id'),
	),
	admin_id: fact('Who removed the person; missing when they left', textIn('admin_id')),
	message_id: fact('Message or comment it is about', (update, { messageId }) => messageId(update)),
	text: fact('Text of that message', textIn('message', 'body', 'text')),
	attachments: fact(
		'Attachments of the message, as the service delivers them, without its keyboard',
		(update) => attachedTo(at(update, 'message', 'body')),
	),
	markup: fact(
		'Marks in that text, such as bold: `type`, and `from` and `length` in UTF-16 code units',
		plainIn('message', 'body', 'markup'),
	),
	keyboard: fact('Buttons below the message, row by row, as _Keyboard JSON_ takes them', (update) =>
		keyboardOf(at(update, 'message', 'body')),
	),
	url: fact('Public link of a channel post', textIn('message', 'url')),
	views: fact('How often a channel post was seen', plainIn('message', 'stat', 'views')),
	reply_to: fact(
		'Message that this one answers: `message_id`, `chat_id`, `sender_id`, `sender_name`, `is_own` (whether the bot wrote it), `text`, `attachments`',
		(update, _, ownId) => linkFields.reply_to(at(update, 'message'), ownId),
	),
	forwarded: fact(
		'Message that this one forwards, with the same fields except `is_own`',
		(update) => linkFields.forwarded(at(update, 'message')),
	),
	callback_id: fact(
		'What _Callback → Answer_ needs after the press of a button',
		textIn('callback', 'callback_id'),
	),
	payload: fact(
		'Payload of the pressed button, or of the link that started the bot',
		(update) => textAt(update, 'callback', 'payload') ?? textAt(update, 'payload'),
	),
	title: fact('New title of the chat', textIn('title')),
	muted_until: fact(
		'When notifications come on again, Unix time in milliseconds',
		plainIn('muted_until'),
	),
	is_admin: fact('Whether the bot is an administrator now', plainIn('is_admin')),
	permissions: fact('Rights of the bot now', plainIn('permissions')),
};

export type FactName = keyof typeof FACTS;
