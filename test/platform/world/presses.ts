import type { JsonObject } from '../json';
import { opaqueId } from './ids';
import { tell, tellBots, tick } from './publish';
import { renderMessage, renderUser } from './render';
import type { Bot, Button, Person, StoredAttachment, StoredMessage } from './types';
import type { World } from './world';

/** How many notifications are kept. */
const NOTIFICATIONS_KEPT = 10_000;

/** The keyboard of a message, row by row. */
export function keyboardOf(message: StoredMessage): Button[][] | undefined {
	for (const attachment of message.attachments) {
		if (attachment.type === 'inline_keyboard') return attachment.buttons;
	}
	return undefined;
}

/**
 * A person presses a callback button of a bot's message: the bot gets a message_callback.
 * @returns the callback ID, which the bot's answer will refer to
 */
export function pressCallback(
	world: World,
	message: StoredMessage,
	bot: Bot,
	user: Person,
	payload: string | undefined,
): string {
	const { chat } = message;
	const timestamp = tick(world, chat);
	const single = world.base.settings.callbackIds === 'press' ? [String(timestamp)] : [];
	const callback_id = opaqueId('press', message.mid, String(user.user_id), ...single);
	world.presses.set(callback_id, { callback_id, bot, user, message });
	user.last_activity_time = timestamp;
	const callback = { timestamp, callback_id, payload, user: renderUser(user) };
	const shown = { ...message, attachments: relabelled(message.attachments, callback_id) };
	const fields = (): JsonObject => ({
		callback,
		message: message.removed ? undefined : renderMessage(world, shown, bot),
	});
	if (chat.dialog !== undefined) tell(world, chat, bot, 'message_callback', fields);
	else tellBots(world, { ...chat, bots: new Set([bot]) }, 'message_callback', fields);
	return callback_id;
}

/** Shows a person the one-time notification of an answer. */
export function notify(world: World, callbackId: string, text: string): void {
	const press = world.presses.get(callbackId);
	if (press === undefined) return;
	const notification = {
		time: world.now(),
		callback_id: callbackId,
		bot_id: press.bot.user_id,
		user_id: press.user.user_id,
		chat_id: press.message.chat.chat_id,
		text,
	};
	world.notifications.push(notification);
	if (world.notifications.length > NOTIFICATIONS_KEPT) world.notifications.shift();
	world.base.events.emit(() => ({ type: 'notification', ...notification }));
}

function relabelled(attachments: StoredAttachment[], callback_id: string): StoredAttachment[] {
	return attachments.map((attachment) =>
		attachment.type === 'inline_keyboard' ? { ...attachment, callback_id } : attachment,
	);
}
