import type { IDataObject } from 'n8n-workflow';
import { truncate } from '../service/errorMessages';
import { at, nameOf, textAt } from '../service/read';
import { attachedTo, chatIn, keyboardOf, linkFields, plainIn, textIn, type Value } from './output';

/** One event as the service delivers it (wire 4.1), with identifiers beyond 2^53 as strings. */
export interface Update extends IDataObject {
	update_type: string;
	/** Unix time in ms. */
	timestamp: number;
}

/** Deepest nesting accepted; real events have about ten levels. Far deeper ones would overflow the stack later. */
const DEEPEST = 64;

/** Whether a parsed value is one event: an object with a type and a time. */
export const isUpdate = (value: unknown): value is Update =>
	typeof at(value, 'update_type') === 'string' &&
	Number.isSafeInteger(at(value, 'timestamp')) &&
	!isDeeper(value, DEEPEST);

/** Says in a log that something is no event, with no more of it than its type: the rest may be personal. */
export const noEvent = (values: unknown[]): string =>
	`An event has a type, a time in ms and at most ${DEEPEST} levels, unlike ${values
		.map((value) => `"${truncate(textAt(value, 'update_type') ?? '', 64)}"`)
		.join(', ')}`;

const isDeeper = (value: unknown, levels: number): boolean =>
	typeof value === 'object' &&
	value !== null &&
	(levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1)));

/** Where events of one shape keep their facts, and which of them they have. */
export interface Shape {
	chat(update: Update): string | undefined;
	/** The kinds of chat that it can be, as far as the event tells: `dialog`, `chat` (group), `channel`. */
	chatTypes(update: Update): readonly string[];
	/** The person of the event: who caused it, or who was added or removed. */
	user(update: Update): unknown;
	messageId(update: Update): string | undefined;
	/** What was written: the text of a message, the payload of a button or start link, a new title. */
	text(update: Update): string | undefined;
	/** The fields of the simplified event. At most ten have a value at a time. */
	facts: readonly FactName[];
	/** Whether the event is about something that its user wrote: only such events of bots can be ignored. */
	written: boolean;
	/** What two deliveries of an event share besides its type (wire 4.3); with a gap, it is the whole event. */
	identity(update: Update): Array<string | undefined>;
}

/** Reads one fact. `ownId`: user ID of the bot, if known. */
type Fact = (update: Update, places: Shape, ownId?: string) => Value;

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

const CHANNEL = ['channel'];
const GROUP = ['chat'];
const DIALOG = ['dialog'];

/** Only dialogs have positive IDs (wire 2); groups and channels cannot be told apart by theirs. */
function typesById(id = ''): readonly string[] {
	if (/^[1-9]/.test(id)) return DIALOG;
	return /^-[1-9]/.test(id) ? [...GROUP, ...CHANNEL] : [];
}

const time = (update: Update): string => String(update.timestamp);

const userWithId = (update: Update): unknown => ({ user_id: at(update, 'user_id') });

const NAMES = ['user_id', 'user_name', 'username'] as const;
const PERSON = [...NAMES, 'user_locale'] as const;

export const message: Shape = {
	chat: (update) => chatIn(at(update, 'message')),
	chatTypes: (update) => {
		const type = textAt(update, 'message', 'recipient', 'chat_type');
		return type === undefined ? typesById(message.chat(update)) : [type];
	},
	user: (update) => at(update, 'message', 'sender'),
	messageId: textIn('message', 'body', 'mid'),
	text: textIn('message', 'body', 'text'),
	// A message has a reply or a forward, never both. Some services tell comments as messages with a post.
	facts: [
		'event',
		'chat_id',
		'post_id',
		...PERSON,
		'message_id',
		'text',
		'attachments',
		'reply_to',
		'forwarded',
	],
	written: true,
	identity: (update) => [textAt(update, 'message', 'body', 'mid')],
};

export const comment: Shape = {
	...message,
	chatTypes: () => CHANNEL,
	facts: ['event', 'timestamp', 'chat_id', 'post_id', ...NAMES, 'message_id', 'text', 'reply_to'],
};

/** A message may be edited any number of times, so the time belongs to the identity. */
export const edited = (shape: Shape): Shape => ({
	...shape,
	identity: (update) => [...shape.identity(update), time(update)],
});

/** The ID may be that of the keyboard rather than of the press, so the identity includes time, user and payload. */
export const callback: Shape = {
	...message,
	user: (update) => at(update, 'callback', 'user'),
	text: textIn('callback', 'payload'),
	facts: ['event', 'chat_id', ...PERSON, 'message_id', 'text', 'callback_id', 'payload'],
	written: false,
	identity: (update) => [
		textAt(update, 'callback', 'callback_id'),
		textAt(update, 'callback', 'timestamp'),
		textAt(update, 'callback', 'user', 'user_id'),
		textAt(update, 'callback', 'payload'),
	],
};

export const inChat: Shape = {
	chat: textIn('chat_id'),
	chatTypes: (update) => {
		const isChannel = at(update, 'is_channel');
		if (typeof isChannel !== 'boolean') return typesById(inChat.chat(update));
		return isChannel ? CHANNEL : GROUP;
	},
	user: (update) => at(update, 'user'),
	messageId: textIn('message_id'),
	text: (update) => textAt(update, 'title') ?? textAt(update, 'payload'),
	facts: ['event', 'timestamp', 'chat_id', 'chat_type', ...NAMES],
	written: false,
	identity: (update) => [
		time(update),
		textAt(update, 'chat_id'),
		textAt(update, 'user', 'user_id'),
	],
};

/** The same shape with further facts. */
export const withFacts = (shape: Shape, ...facts: FactName[]): Shape => ({
	...shape,
	facts: [...shape.facts, ...facts],
});

export const inDialog: Shape = { ...withFacts(inChat, 'user_locale'), chatTypes: () => DIALOG };

/** Like messages themselves, removed ones can be comments. */
export const removal: Shape = {
	...inChat,
	user: userWithId,
	text: () => undefined,
	facts: ['event', 'timestamp', 'chat_id', 'chat_type', 'post_id', 'user_id', 'message_id'],
	identity: (update) => [textAt(update, 'message_id')],
};

export const rights: Shape = {
	...inChat,
	user: userWithId,
	facts: ['event', 'timestamp', 'chat_id', 'chat_type', 'user_id', 'is_admin', 'permissions'],
	identity: (update) => [textAt(update, 'chat_id'), textAt(update, 'bot_id'), time(update)],
};

export const commentRemoval: Shape = { ...removal, chatTypes: () => CHANNEL };
