import { createHash } from 'crypto';
import { SHAPES, type Shape } from './shapes';
import type { Update } from './update';

/** One type of event. */
interface EventType {
	/** Label in the event list. */
	name: string;
	/** When it happens, one short sentence. */
	description: string;
	shape: Shape;
}

/** Every current type of event (wire 4.1): the one table that lists, filters, names and compares them. */
export const EVENTS: Readonly<Record<string, EventType>> = {
	message_created: {
		name: 'Message Created',
		description: 'A message was written to the bot, or in a chat it administers',
		shape: SHAPES.message,
	},
	message_callback: {
		name: 'Button Pressed',
		description: 'A button of an inline keyboard was pressed',
		shape: SHAPES.callback,
	},
	message_edited: {
		name: 'Message Edited',
		description: 'A message was edited',
		shape: SHAPES.editedMessage,
	},
	message_removed: {
		name: 'Message Removed',
		description: 'A message was deleted',
		shape: SHAPES.removal,
	},
	comment_created: {
		name: 'Comment Created',
		description: 'A comment was written below a channel post',
		shape: SHAPES.comment,
	},
	comment_edited: {
		name: 'Comment Edited',
		description: 'A comment was edited',
		shape: SHAPES.editedComment,
	},
	comment_removed: {
		name: 'Comment Removed',
		description: 'A comment was deleted',
		shape: SHAPES.commentRemoval,
	},
	bot_started: {
		name: 'Bot Started',
		description: 'A person started the bot',
		shape: SHAPES.started,
	},
	bot_stopped: {
		name: 'Bot Stopped',
		description: 'A person stopped the bot',
		shape: SHAPES.inDialog,
	},
	bot_added: {
		name: 'Bot Added to Chat',
		description: 'The bot was added to a group chat or channel',
		shape: SHAPES.inChat,
	},
	bot_removed: {
		name: 'Bot Removed From Chat',
		description: 'The bot was removed from a group chat or channel',
		shape: SHAPES.inChat,
	},
	bot_admin_permissions_changed: {
		name: 'Bot Rights Changed',
		description: 'The rights of the bot as an administrator were changed',
		shape: SHAPES.rights,
	},
	user_added: {
		name: 'User Added',
		description: 'A person joined or was added',
		shape: SHAPES.added,
	},
	user_removed: {
		name: 'User Removed',
		description: 'A person left or was removed',
		shape: SHAPES.removed,
	},
	chat_title_changed: {
		name: 'Chat Title Changed',
		description: 'A group chat or channel got a new title',
		shape: SHAPES.titled,
	},
	dialog_cleared: {
		name: 'Dialog Cleared',
		description: 'A person cleared the dialog with the bot',
		shape: SHAPES.inDialog,
	},
	dialog_removed: {
		name: 'Dialog Removed',
		description: 'A person deleted the dialog with the bot',
		shape: SHAPES.inDialog,
	},
	dialog_muted: {
		name: 'Dialog Muted',
		description: 'A person switched off notifications of the dialog',
		shape: SHAPES.muted,
	},
	dialog_unmuted: {
		name: 'Dialog Unmuted',
		description: 'A person switched notifications of the dialog on again',
		shape: SHAPES.inDialog,
	},
};

/** The places of an event's facts; `undefined` for a type that this version does not know. */
export const shapeOf = ({ update_type: type }: Update): Shape | undefined =>
	Object.hasOwn(EVENTS, type) ? EVENTS[type]?.shape : undefined;

/** A key that two deliveries share exactly when they are the same event. */
export function identityOf(update: Update): string {
	const parts = shapeOf(update)?.identity(update) ?? [undefined];
	const isComplete = parts.every((part) => part !== undefined);
	return JSON.stringify([update.update_type, ...(isComplete ? parts : [{ all: digest(update) }])]);
}

/** A digest of everything that an event says, whatever the order of its keys. */
const digest = (update: Update): string =>
	createHash('sha256').update(JSON.stringify(update, sortKeys)).digest('base64url');

const sortKeys = (_: string, value: unknown): unknown =>
	typeof value !== 'object' || value === null || Array.isArray(value)
		? value
		: Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
