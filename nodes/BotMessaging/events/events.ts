import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { at, entryOf, isObject, textAt } from '../service/read';
import {
	callback,
	comment,
	commentRemoval,
	edited,
	FACTS,
	inChat,
	inDialog,
	message,
	removal,
	rights,
	withFacts,
	type Shape,
	type Update,
} from './facts';
import { linkFields, linkOf, selectFields, type View } from './output';

export { isUpdate, noEvent, type Update } from './facts';

interface EventType {
	name: string;
	description: string;
	shape: Shape;
}

const event = (name: string, description: string, shape: Shape): EventType => ({
	name,
	description,
	shape,
});

/** Every current type of event (wire 4.1): the one table that lists, filters, names and compares them. */
export const EVENTS: Readonly<Record<string, EventType>> = {
	message_created: event(
		'Message Created',
		'A message was written to the bot, or in a chat it administers',
		message,
	),
	message_callback: event('Button Pressed', 'A button of an inline keyboard was pressed', callback),
	message_edited: event('Message Edited', 'A message was edited', edited(message)),
	message_removed: event('Message Removed', 'A message was deleted', removal),
	comment_created: event('Comment Created', 'A comment was written below a channel post', comment),
	comment_edited: event('Comment Edited', 'A comment was edited', edited(comment)),
	comment_removed: event('Comment Removed', 'A comment was deleted', commentRemoval),
	bot_started: event('Bot Started', 'A person started the bot', withFacts(inDialog, 'payload')),
	bot_stopped: event('Bot Stopped', 'A person stopped the bot', inDialog),
	bot_added: event('Bot Added to Chat', 'The bot was added to a group chat or channel', inChat),
	bot_removed: event(
		'Bot Removed From Chat',
		'The bot was removed from a group chat or channel',
		inChat,
	),
	bot_admin_permissions_changed: event(
		'Bot Rights Changed',
		'The rights of the bot as an administrator were changed',
		rights,
	),
	user_added: event('User Added', 'A person joined or was added', withFacts(inChat, 'inviter_id')),
	user_removed: event(
		'User Removed',
		'A person left or was removed',
		withFacts(inChat, 'admin_id'),
	),
	chat_title_changed: event(
		'Chat Title Changed',
		'A group chat or channel got a new title',
		withFacts(inChat, 'title'),
	),
	dialog_cleared: event('Dialog Cleared', 'A person cleared the dialog with the bot', inDialog),
	dialog_removed: event('Dialog Removed', 'A person deleted the dialog with the bot', inDialog),
	dialog_muted: event(
		'Dialog Muted',
		'A person switched off notifications of the dialog',
		withFacts(inDialog, 'muted_until'),
	),
	dialog_unmuted: event(
		'Dialog Unmuted',
		'A person switched notifications of the dialog on again',
		inDialog,
	),
};

/** Where an event keeps its facts; `undefined` for a type that this version does not know. */
export const shapeOf = ({ update_type: type }: Update): Shape | undefined =>
	entryOf(EVENTS, type)?.shape;

/** ID of the chat that an event happened in, if it tells. */
export const chatOf = (update: Update): string | undefined => shapeOf(update)?.chat(update);

/** ID of the person of an event, if it tells. */
export const personOf = (update: Update): string | undefined =>
	textAt(shapeOf(update)?.user(update), 'user_id');

/** A key that two deliveries share exactly when they are the same event. */
export function identityOf(update: Update): string {
	const parts = shapeOf(update)?.identity(update) ?? [undefined];
	const isComplete = parts.every(Boolean);
	return JSON.stringify([update.update_type, ...(isComplete ? parts : [{ all: digest(update) }])]);
}

/** A digest of the whole event, independent of the order of its keys. */
const digest = (update: Update): string =>
	createHash('sha256').update(JSON.stringify(update, sortKeys)).digest('base64url');

const sortKeys = (_: string, value: unknown): unknown =>
	isObject(value)
		? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
		: value;

/**
 * One event as the JSON of an item; `ownId`: user ID of the bot, if known. An event of a type that this version does
 * not know is output as delivered, with its type as `event` unless `raw` is chosen.
 */
export function eventOutput(update: Update, view: View, ownId?: string): IDataObject {
	const shape = shapeOf(update);
	if (!shape) return view === 'raw' ? update : { event: update.update_type, ...update };
	const factOf = (name: string) => entryOf(FACTS, name)?.(update, shape, ownId);
	return selectFields(update, view, shape.facts, factOf);
}

/** The fields that n8n's AI agents and memories look for; `isPersonal`: each person has a memory in each chat. */
export function agentFieldsOf(update: Update, isPersonal: boolean): IDataObject {
	const forwarded = textAt(linkFields.forwarded(at(update, 'message')), 'text');
	const user = personOf(update) ?? '';
	const chat = chatOf(update) ?? user;
	return {
		chatInput: shapeOf(update)?.text(update) || forwarded || '',
		sessionId: isPersonal ? `${chat}/${user}` : chat,
	};
}

/** Whether it takes the bot's user ID to tell if a message replies to it: outside dialogs there may be other bots. */
export const needsOwnId = (update: Update): boolean =>
	at(linkOf(update.message, 'reply'), 'sender', 'is_bot') === true &&
	textAt(update, 'message', 'recipient', 'chat_type') !== 'dialog';
