import { asId } from '../world/ids';
import { holds, type Permission } from '../world/rights';
import type { Bot, Chat, Id, Member, StoredMessage } from '../world/types';
import type { World } from '../world/world';
import { accessDenied, chatDenied, chatNotFound, notFound } from './errors';
import type { Call } from './route';

/** A group chat or channel that the bot is a member of. */
export interface MemberPlace {
	chat: Chat;
	me: Member;
}

/** An existing chat by its id. */
export function findChat(world: World, id: Id): Chat {
	if (id === 0n) throw chatDenied('Invalid chatId: 0');
	const chat = world.chats.get(id);
	if (chat === undefined) throw chatNotFound(id);
	return chat;
}

/** The chat of the path, whether or not the bot is in it. */
export function chatOfPath({ world, path }: Call): Chat {
	const text = path.chatId ?? '';
	const id = asId(text);
	if (id === undefined) throw chatNotFound(text);
	return findChat(world, id);
}

/** Whether the bot is in a chat now. */
export function isIn(chat: Chat, bot: Bot): boolean {
	return chat.bots.has(bot);
}

/** The group chat or channel of the path, which the bot must be a member of. */
export function membership(call: Call): MemberPlace {
	const chat = chatOfPath(call);
	if (!isIn(chat, call.bot)) throw chatDenied('Bot is not a member of the chat');
	const me = chat.members.get(call.bot.user_id);
	if (me === undefined) throw accessDenied('Method is not available for dialogs');
	return { chat, me };
}

/** The group chat or channel of the path, which must not be closed and where the bot must be an administrator. */
export function administration(call: Call): MemberPlace {
	const { chat, me } = membership(call);
	if (!me.is_admin && !me.is_owner) {
		throw accessDenied('Bot is not an administrator of the chat');
	}
	if (chat.closed) throw chatDenied('Chat is closed');
	return { chat, me };
}

/** The same, with a right that the bot must hold. */
export function withRight(call: Call, permission: Permission): MemberPlace {
	const found = administration(call);
	requireRight(found.me, permission);
	return found;
}

/** Throws if the member lacks a right. */
export function requireRight(me: Member | undefined, permission: Permission): void {
	if (me === undefined || !holds(me, permission)) {
		throw accessDenied(`No permission: ${permission}`);
	}
}

/** Whether the bot may read messages of others there. */
export function mayRead(chat: Chat, bot: Bot): boolean {
	if (chat.dialog !== undefined) return chat.dialog.bot === bot && !chat.dialog.suspended;
	const me = chat.members.get(bot.user_id);
	return me !== undefined && holds(me, 'read_all_messages');
}

/** A message (not a comment) that the bot wrote or may read. */
export function readableMessage({ world, bot }: Call, mid: string): StoredMessage {
	const message = world.message(mid);
	const visible =
		message !== undefined &&
		message.post === undefined &&
		(mayRead(message.chat, bot) || (message.author === bot && isIn(message.chat, bot)));
	if (!visible) throw notFound(`Message ${mid} not found`);
	return message;
}

/** Throws if the bot may not write into a chat. */
export function requireWriting(chat: Chat, bot: Bot): void {
	const { dialog } = chat;
	if (!isIn(chat, bot)) throw chatDenied('Bot is not a member of the chat');
	if (chat.closed) throw chatDenied('Chat is closed');
	if (dialog !== undefined) {
		if (!dialog.suspended && bot.approved) return;
		throw chatDenied(`Key: error.dialog.suspended, args: [${dialog.user.user_id},].`);
	}
	const me = chat.members.get(bot.user_id);
	if (chat.type === 'chat' || me === undefined) return;
	if (!me.is_admin && !me.is_owner) {
		throw chatDenied('chat.send.msg.no.permission.because.not.admin');
	}
	if (!holds(me, 'write')) throw chatDenied('chat.send.msg.no.permission');
}
