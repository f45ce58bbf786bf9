import type { JsonObject } from '../json';
import type { UpdateType } from '../updates/types';
import { dialogId } from './ids';
import { changed } from './membership';
import { tell, tick } from './publish';
import { renderUserWithPhoto } from './render';
import type { Bot, Chat, Person } from './types';
import type { World } from './world';

/** Longer deep link payloads are dropped. */
const LONGEST_START_PAYLOAD = 512;

/** What a person can do to a dialog, and the updates the bot gets. */
export type DialogAction = 'stop' | 'clear' | 'remove' | 'mute' | 'unmute';

/** The dialog of a bot and a person, if they have one. */
export function findDialog(world: World, bot: Bot, userId: bigint): Chat | undefined {
	const chat = world.chats.get(dialogId(bot.user_id, userId));
	return chat?.dialog?.bot === bot && chat.dialog.user.user_id === userId ? chat : undefined;
}

/**
 * Finds the dialog, or opens it without sending an event.
 * @throws RangeError if another chat has its ID, which only unlucky choices of IDs can cause
 */
export function openDialog(world: World, bot: Bot, user: Person): Chat {
	const present = findDialog(world, bot, user.user_id);
	if (present !== undefined) return present;
	const chat_id = dialogId(bot.user_id, user.user_id);
	if (world.chats.has(chat_id)) throw new RangeError(`Chat ${chat_id} exists: choose other ids`);
	const chat = world.addChat({
		chat_id,
		type: 'dialog',
		dialog: { bot, user, suspended: false },
		bots: new Set([bot]),
	});
	changed(world, chat);
	return chat;
}

/** A person presses Start, perhaps after following a deep link with a payload. */
export function start(world: World, bot: Bot, user: Person, payload?: string): Chat {
	const chat = openDialog(world, bot, user);
	if (chat.dialog !== undefined) chat.dialog.suspended = false;
	const fits = payload !== undefined && payload.length <= LONGEST_START_PAYLOAD;
	notice(world, chat, 'bot_started', {
		user_id: user.user_id,
		payload: fits ? payload : undefined,
	});
	return chat;
}

/** A person stops the bot, or clears, removes, mutes or unmutes the dialog. */
export function treatDialog(
	world: World,
	chat: Chat,
	action: DialogAction,
	muted_until?: number,
): void {
	const { dialog } = chat;
	if (dialog === undefined) return;
	switch (action) {
		case 'stop':
			dialog.suspended = true;
			return notice(world, chat, 'bot_stopped');
		case 'remove':
			dialog.suspended = true;
			notice(world, chat, 'bot_stopped');
			forget(world, chat);
			return notice(world, chat, 'dialog_removed');
		case 'clear':
			forget(world, chat);
			return notice(world, chat, 'dialog_cleared');
		case 'mute':
			dialog.muted_until = muted_until ?? world.now() + 86_400_000;
			return notice(world, chat, 'dialog_muted', { muted_until: dialog.muted_until });
		case 'unmute':
			dialog.muted_until = undefined;
			return notice(world, chat, 'dialog_unmuted');
	}
}

function notice(world: World, chat: Chat, type: UpdateType, fields: JsonObject = {}): void {
	const { dialog } = chat;
	if (dialog === undefined) return;
	tick(world, chat);
	const about = { chat_id: chat.chat_id, user: renderUserWithPhoto(dialog.user) };
	tell(world, chat, dialog.bot, type, () => ({ ...about, ...fields }));
	changed(world, chat);
}

function forget(world: World, chat: Chat): void {
	for (const message of chat.messages) world.messages.delete(message.mid);
	chat.messages = [];
	chat.messages_count = 0;
}
