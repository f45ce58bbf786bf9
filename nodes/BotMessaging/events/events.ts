import { at, textAt } from '../service/read';
import type { Update } from './update';

/** Where an event keeps what filters, output and de-duplication need. */
export interface EventType {
	/** Label in the event list. */
	name: string;
	/** When it happens, one short sentence. */
	description: string;
	shape: Shape;
}

/** Events of one shape keep the same facts at the same places. */
export interface Shape {
	chat(update: Update): string | undefined;
	chatType(update: Update): string | undefined;
	/** Who caused the event. */
	user(update: Update): unknown;
	messageId(update: Update): string | undefined;
	/** What was written: the text of a message, the payload of a button or start link, a new title. */
	text(update: Update): string | undefined;
	/** Whether the event is something that its user wrote, so that bots can be told from people. */
	written: boolean;
	/** What makes two deliveries the same event, besides its type (wire 4.3). */
	identity(update: Update): Array<string | undefined>;
}

const time = (update: Update): string => String(update.timestamp);

const message: Shape = {
	chat: (update) => textAt(update, 'message', 'recipient', 'chat_id'),
	chatType: (update) => textAt(update, 'message', 'recipient', 'chat_type'),
	user: (update) => at(update, 'message', 'sender'),
	messageId: (update) => textAt(update, 'message', 'body', 'mid'),
	text: (update) => textAt(update, 'message', 'body', 'text'),
	written: true,
	identity: (update) => [textAt(update, 'message', 'body', 'mid')],
};

/** The same message may be edited any number of times. */
const edit: Shape = {
	...message,
	identity: (update) => [textAt(update, 'message', 'body', 'mid'), time(update)],
};

/** The id may stand for the keyboard rather than the press, so time and payload belong to the identity. */
const callback: Shape = {
	...message,
	user: (update) => at(update, 'callback', 'user'),
	text: (update) => textAt(update, 'callback', 'payload'),
	written: false,
	identity: (update) => [
		textAt(update, 'callback', 'callback_id'),
		textAt(update, 'callback', 'timestamp'),
		textAt(update, 'callback', 'user', 'user_id'),
		textAt(update, 'callback', 'payload'),
	],
};

const CHANNEL = 'channel';
const GROUP = 'chat';
const DIALOG = 'dialog';

const groupOrChannel = (update: Update): string | undefined => {
	const isChannel = at(update, 'is_channel');
	if (typeof isChannel !== 'boolean') return undefined;
	return isChannel ? CHANNEL : GROUP;
};

/** Dialogs alone have positive identifiers (wire 2); groups and channels cannot be told apart by them. */
const dialogById = (update: Update): string | undefined =>
	/^[1-9]/.test(textAt(update, 'chat_id') ?? '') ? DIALOG : undefined;

const removal: Shape = {
	chat: (update) => textAt(update, 'chat_id'),
	chatType: dialogById,
	user: (update) => userWithId(at(update, 'user_id')),
	messageId: (update) => textAt(update, 'message_id'),
	text: () => undefined,
	written: false,
	identity: (update) => [textAt(update, 'message_id')],
};

const commentRemoval: Shape = { ...removal, chatType: () => CHANNEL };

const inChat: Shape = {
	chat: (update) => textAt(update, 'chat_id'),
	chatType: groupOrChannel,
	user: (update) => at(update, 'user'),
	messageId: () => undefined,
	text: (update) => textAt(update, 'title') ?? textAt(update, 'payload'),
	written: false,
	identity: (update) => [
		time(update),
		textAt(update, 'chat_id'),
		textAt(update, 'user', 'user_id'),
	],
};

const inDialog: Shape = { ...inChat, chatType: () => DIALOG };

const permissions: Shape = {
	...inChat,
	user: (update) => userWithId(at(update, 'user_id')),
	identity: (update) => [textAt(update, 'chat_id'), textAt(update, 'bot_id'), time(update)],
};

const userWithId = (id: unknown): unknown => (id === undefined ? undefined : { user_id: id });

/** Every current type of event (wire 4.1): the one table that lists, filters, names and compares them. */
export const EVENTS: Readonly<Record<string, EventType>> = {
	message_created: {
		name: 'Message Created',
		description: 'A message was written to the bot, or in a chat it administers',
		shape: message,
	},
	message_callback: {
		name: 'Button Pressed',
		description: 'A button of an inline keyboard was pressed',
		shape: callback,
	},
	message_edited: { name: 'Message Edited', description: 'A message was edited', shape: edit },
	message_removed: {
		name: 'Message Removed',
		description: 'A message was deleted',
		shape: removal,
	},
	comment_created: {
		name: 'Comment Created',
		description: 'A comment was written below a channel post',
		shape: message,
	},
	comment_edited: { name: 'Comment Edited', description: 'A comment was edited', shape: edit },
	comment_removed: {
		name: 'Comment Removed',
		description: 'A comment was deleted',
		shape: commentRemoval,
	},
	bot_started: { name: 'Bot Started', description: 'A person started the bot', shape: inDialog },
	bot_stopped: { name: 'Bot Stopped', description: 'A person stopped the bot', shape: inDialog },
	bot_added: {
		name: 'Bot Added to Chat',
		description: 'The bot was added to a group chat or channel',
		shape: inChat,
	},
	bot_removed: {
		name: 'Bot Removed From Chat',
		description: 'The bot was removed from a group chat or channel',
		shape: inChat,
	},
	bot_admin_permissions_changed: {
		name: 'Bot Rights Changed',
		description: 'The rights of the bot as an administrator were changed',
		shape: permissions,
	},
	user_added: { name: 'User Added', description: 'A person joined or was added', shape: inChat },
	user_removed: {
		name: 'User Removed',
		description: 'A person left or was removed',
		shape: inChat,
	},
	chat_title_changed: {
		name: 'Chat Title Changed',
		description: 'A group chat or channel got a new title',
		shape: inChat,
	},
	dialog_cleared: {
		name: 'Dialog Cleared',
		description: 'A person cleared the dialog with the bot',
		shape: inDialog,
	},
	dialog_removed: {
		name: 'Dialog Removed',
		description: 'A person deleted the dialog with the bot',
		shape: inDialog,
	},
	dialog_muted: {
		name: 'Dialog Muted',
		description: 'A person switched off notifications of the dialog',
		shape: inDialog,
	},
	dialog_unmuted: {
		name: 'Dialog Unmuted',
		description: 'A person switched notifications of the dialog on again',
		shape: inDialog,
	},
};

/** The places of an event's facts; `undefined` for a type that this version does not know. */
export const shapeOf = ({ update_type: type }: Update): Shape | undefined =>
	Object.hasOwn(EVENTS, type) ? EVENTS[type]?.shape : undefined;

/** A key that two deliveries share exactly when they are the same event. */
export function identityOf(update: Update): string {
	const identity = shapeOf(update)?.identity(update) ?? [JSON.stringify(update)];
	return JSON.stringify([update.update_type, ...identity.map((part) => part ?? null)]);
}
