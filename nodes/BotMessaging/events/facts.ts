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

/** Reads one fact. `ownId`: user ID of the bot, if known. */
type Fact = (update: Update, places: Places, ownId?: string) => Value;

/** Everything that simplified events can tell, by field name. */
export const FACTS = {
	event: ({ update_type: type }) => type,
	timestamp: ({ timestamp }) => timestamp,
	chat_id: (update, { chat }) => chat(update),
	chat_type: (update, { chatTypes }) => {
		const [type, other] = chatTypes(update);
		return other === undefined ? type : undefined;
	},
	post_id: (update) =>
		textAt(update, 'message', 'recipient', 'post_id') ?? textAt(update, 'post_id'),
	user_id: (update, { user }) => textAt(user(update), 'user_id'),
	user_name: (update, { user }) => nameOf(user(update)),
	username: (update, { user }) => textAt(user(update), 'username'),
	user_locale: textIn('user_locale'),
	is_bot: (update, { user }) => plainIn('is_bot')(user(update)),
	inviter_id: textIn('inviter_id'),
	admin_id: textIn('admin_id'),
	message_id: (update, { messageId }) => messageId(update),
	text: textIn('message', 'body', 'text'),
	attachments: (update) => attachedTo(at(update, 'message', 'body')),
	markup: plainIn('message', 'body', 'markup'),
	keyboard: (update) => keyboardOf(at(update, 'message', 'body')),
	url: textIn('message', 'url'),
	views: plainIn('message', 'stat', 'views'),
	reply_to: (update, _, ownId) => linkFields.reply_to(at(update, 'message'), ownId),
	forwarded: (update) => linkFields.forwarded(at(update, 'message')),
	callback_id: textIn('callback', 'callback_id'),
	payload: (update) => textAt(update, 'callback', 'payload') ?? textAt(update, 'payload'),
	title: textIn('title'),
	muted_until: plainIn('muted_until'),
	is_admin: plainIn('is_admin'),
	permissions: plainIn('permissions'),
} satisfies Record<string, Fact>;

export type FactName = keyof typeof FACTS;
