import { opaqueId, messageId } from './ids';
import { tellBots, tick } from './publish';
import { renderMessage } from './render';
import type {
	Chat,
	Content,
	LinkedMessage,
	Person,
	StoredAttachment,
	StoredMessage,
} from './types';
import type { World } from './world';

/** How a message is sent. */
interface Sending {
	notify?: boolean;
	link_preview?: boolean;
	/** The post that the message is a comment on. */
	post?: StoredMessage;
}

/** Adds a message to a chat, or a comment to a post, and notifies the bots. */
export function post(
	world: World,
	chat: Chat,
	author: Person,
	content: Content,
	{ notify = true, link_preview = true, post: commented }: Sending = {},
): StoredMessage {
	const timestamp = tick(world, chat, true);
	const seq = world.sequence.next(timestamp);
	const mid = messageId(chat.chat_id, seq);
	const message: StoredMessage = {
		...content,
		attachments: named(content.attachments, mid),
		mid,
		seq,
		chat,
		author,
		timestamp,
		removed: false,
		views: 0,
		notify,
		link_preview,
		post: commented,
		comments: [],
	};
	world.messages.set(mid, message);
	(commented?.comments ?? chat.messages).push(message);
	if (commented === undefined) chat.messages_count += 1;
	active(author, chat, timestamp);
	announce(world, message, 'created', author);
	return message;
}

/** Changes the content of a message and notifies the bots. */
export function edit(
	world: World,
	message: StoredMessage,
	changes: Partial<Content>,
	by: Person,
): void {
	message.edited_at = tick(world, message.chat);
	Object.assign(message, changes);
	message.attachments = named(message.attachments, message.mid);
	announce(world, message, 'edited', by);
}

/** Removes a message and notifies the bots. */
export function remove(world: World, message: StoredMessage, by: Person): void {
	const { chat, mid, post: commented } = message;
	tick(world, chat, true);
	message.removed = true;
	if (commented === undefined) chat.messages_count -= 1;
	if (chat.pinned === message) chat.pinned = undefined;
	const fields = { message_id: mid, chat_id: chat.chat_id, user_id: by.user_id };
	const type = commented === undefined ? 'message_removed' : 'comment_removed';
	tellBots(world, chat, type, () => ({ ...fields, post_id: commented?.mid }), by);
	world.base.events.emit(() => ({ type: 'message_removed', ...fields, post_id: commented?.mid }));
}

/** A message inside a reply or forward. Forwarded messages lose their buttons. */
export function linkTo(type: LinkedMessage['type'], message: StoredMessage): LinkedMessage {
	const { chat, mid, seq, text, markup, attachments, author } = message;
	const unsigned = chat.type === 'channel' && !chat.signatures;
	return {
		type,
		sender: unsigned ? undefined : author,
		chat_id: chat.type === 'dialog' ? undefined : chat.chat_id,
		mid,
		seq,
		text,
		markup,
		attachments: attachments.filter((attachment) => attachment.type !== 'inline_keyboard'),
	};
}

/** The messages of a list that were not removed, newest first. */
export function* newestFirst(messages: readonly StoredMessage[]): Generator<StoredMessage> {
	for (let index = messages.length - 1; index >= 0; index -= 1) {
		const message = messages[index];
		if (message !== undefined && !message.removed) yield message;
	}
}

/** Gives keyboards the ID of their message. */
function named(attachments: StoredAttachment[], mid: string): StoredAttachment[] {
	return attachments.map((attachment) =>
		attachment.type === 'inline_keyboard'
			? { ...attachment, callback_id: opaqueId('keyboard', mid) }
			: attachment,
	);
}

function active(author: Person, chat: Chat, time: number): void {
	author.last_activity_time = time;
	const member = chat.members.get(author.user_id);
	if (member !== undefined) member.last_access_time = time;
}

function announce(
	world: World,
	message: StoredMessage,
	what: 'created' | 'edited',
	by: Person,
): void {
	const { chat } = message;
	const type =
		message.post === undefined ? (`message_${what}` as const) : (`comment_${what}` as const);
	tellBots(world, chat, type, (bot) => ({ message: renderMessage(world, message, bot) }), by);
	world.base.events.emit(() => ({
		type: what === 'created' ? 'message' : 'message_edited',
		chat_id: chat.chat_id,
		message: renderMessage(world, message),
	}));
}
