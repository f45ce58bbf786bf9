import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { at, textAt } from '../service/read';
import { FACTS } from './facts';
import { SHAPES, type Shape } from './shapes';
import { tell, type Fields, type View } from './tell';
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

/**
 * One event as the JSON of an item. An event of a type that this version does not know is told as it was delivered.
 *
 * @param ownId user ID of the bot, where it is known
 */
export function tellEvent(update: Update, view: View, ownId?: string): IDataObject {
	const shape = shapeOf(update);
	if (shape) return tell(update, view, simpleOf(shape), ownId);
	return view === 'raw' ? update : { event: update.update_type, ...update };
}

function simpleOf(shape: Shape) {
	const more: Fields<Update> = Object.fromEntries(
		Object.entries(FACTS).map(([name, { of }]) => [
			name,
			(update: Update, ownId?: string) => of(update, shape, ownId),
		]),
	);
	const fields: Fields<Update> = Object.fromEntries(
		shape.facts.flatMap((name) => (more[name] ? [[name, more[name]]] : [])),
	);
	return { fields, more };
}

/**
 * What n8n's agents and memories look for in an item: `chatInput` and `sessionId`.
 *
 * @param isPersonal whether each person of a chat has a conversation with the agent, and so a memory, of their own
 */
export function forAgents(update: Update, isPersonal: boolean): IDataObject {
	const shape = shapeOf(update);
	const forwarded = textAt(update, 'message', 'link', 'message', 'text');
	const user = textAt(shape?.user(update), 'user_id') ?? '';
	const chat = shape?.chat(update) ?? user;
	return {
		chatInput: shape?.text(update) ?? forwarded ?? '',
		sessionId: isPersonal ? `${chat}/${user}` : chat,
	};
}

/** Whether only the bot's own user ID tells if a message answers one of the bot: in chats with several bots. */
export const needsOwnId = (update: Update): boolean =>
	at(update, 'message', 'link', 'type') === 'reply' &&
	at(update, 'message', 'link', 'sender', 'is_bot') === true &&
	textAt(update, 'message', 'recipient', 'chat_type') !== 'dialog';
