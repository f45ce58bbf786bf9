import type { JsonObject } from '../json';
import { findDialog } from '../world/dialogs';
import { edit, newestFirst, post, remove } from '../world/messages';
import { keyboardOf } from '../world/presses';
import { renderMessage } from '../world/render';
import { holds } from '../world/rights';
import type { Bot, Chat, Content, StoredMessage } from '../world/types';
import { findChat, isIn, mayRead, readableMessage, requireWriting } from './access';
import { checkNotEmpty, type NewMessage, readMessage, resolveLink } from './content/message';
import { accessDenied, ApiError, badRequest, chatDenied, missing, notFound } from './errors';
import { admitWrite } from './limits';
import { type Call, failure, type Routes, SUCCESS } from './route';

/** How long messages in dialogs can be edited, unless they have a keyboard. */
const EDITABLE_MS = 7 * 24 * 60 * 60 * 1000;

export const messageRoutes: Routes = {
	'POST /messages': send,
	'GET /messages': list,
	'GET /messages/:messageId': (call) =>
		renderMessage(call.world, readableMessage(call, call.path.messageId ?? ''), call.bot),
	'PUT /messages': change,
	'DELETE /messages': removeMessage,
};

async function send(call: Call) {
	const { world, bot, query, body } = call;
	const user_id = query.id('user_id');
	const chat_id = query.id('chat_id');
	const link_preview = query.flag('disable_link_preview') !== true;
	const wanted = readMessage(body, world);
	if (wanted.link === undefined) checkNotEmpty(wanted);
	if ((user_id === undefined) === (chat_id === undefined)) throw badRequest('Unknown recipient');
	const chat = chat_id === undefined ? dialogWith(call, user_id) : findChat(world, chat_id);
	requireWriting(chat, bot);
	const content = complete(wanted, call, chat);
	checkNotEmpty(content);
	await admitWrite(call, chat);
	const message = post(world, chat, bot, content, { notify: wanted.notify, link_preview });
	return { message: renderMessage(world, message, bot) };
}

function dialogWith({ world, bot }: Call, userId = 0n): Chat {
	if (userId === bot.user_id) throw chatDenied('Invalid chatId: 0');
	const dialog = findDialog(world, bot, userId);
	if (dialog === undefined) throw new ApiError(404, 'dialog.not.found', 'Dialog not found');
	return dialog;
}

/** The content of a message for a chat. @throws ApiError if it cannot be there */
function complete(
	{ text, markup, attachments, link, notify }: NewMessage,
	{ world, bot }: Call,
	target: Chat,
): Content {
	if (target.type === 'channel' && notify === false) {
		throw badRequest("Field 'notify' must be true or omitted for channels");
	}
	// A bot can reply to and forward the messages of its chats.
	const sees = (origin: Chat) => isIn(origin, bot);
	return {
		text,
		markup: markup ?? [],
		attachments: attachments ?? [],
		link: resolveLink(link, world, { target, sees }),
	};
}

function list(call: Call): JsonObject {
	const { world, bot, query } = call;
	const ids = query.list('message_ids');
	const chatId = query.id('chat_id');
	const count = query.integer('count', { min: 1, max: 100 }) ?? 50;
	// `from` and `to` are the old names; `from` is the later bound.
	const before = query.id('before') ?? query.id('from');
	const after = query.id('after') ?? query.id('to');
	if (ids !== undefined) return { messages: byIds(call, ids) };
	if (chatId === undefined) throw missing('chat_id');
	const chat = findChat(world, chatId);
	if (!isIn(chat, bot)) throw chatDenied('Bot is not a member of the chat');
	if (chat.dialog?.suspended === true) {
		throw chatDenied(`Key: error.dialog.suspended, args: [${chat.dialog.user.user_id},].`);
	}
	if (!mayRead(chat, bot)) throw accessDenied('No permission: read_all_messages');
	const found = between(chat.messages, count, before, after);
	return { messages: found.map((message) => renderMessage(world, message, bot)) };
}

/** The newest messages of a list within both bounds (Unix ms, inclusive), newest first. */
export function between(
	messages: readonly StoredMessage[],
	count: number,
	before?: bigint,
	after?: bigint,
): StoredMessage[] {
	const found: StoredMessage[] = [];
	for (const message of newestFirst(messages)) {
		if (found.length === count || (after !== undefined && BigInt(message.timestamp) < after)) break;
		if (before === undefined || BigInt(message.timestamp) <= before) found.push(message);
	}
	return found;
}

function byIds(call: Call, ids: string[]): JsonObject[] {
	const visible = ids.flatMap((mid) => {
		try {
			return readableMessage(call, mid);
		} catch (error) {
			if (error instanceof ApiError) return [];
			throw error;
		}
	});
	visible.sort((one, other) => Number(other.seq - one.seq));
	return visible.map((message) => renderMessage(call.world, message, call.bot));
}

async function change(call: Call) {
	const { world, bot, query, body } = call;
	if (body.has('message_id')) throw badRequest('Unknown field: message_id');
	const mid = query.required('message_id', query.text('message_id'));
	const wanted = readMessage(body, world);
	const message = existing(call, mid);
	if (message.author !== bot) throw accessDenied('Only own messages can be edited');
	requireWriting(message.chat, bot);
	requireEditing(message, bot);
	if (isTooOld(message, world.now())) return failure('Message is too old to be edited');
	await rewrite(call, message, wanted);
	return SUCCESS;
}

/** Replaces the content of a message; fields that were not given stay unchanged. */
export async function rewrite(
	call: Call,
	message: StoredMessage,
	wanted: NewMessage,
): Promise<void> {
	const { world, bot } = call;
	const { text, markup, attachments, link } = complete(wanted, call, message.chat);
	const changes: Partial<Content> = {
		...(text === undefined ? {} : { text: text === '' ? undefined : text, markup }),
		...(wanted.attachments === undefined ? {} : { attachments }),
		...(link === undefined ? {} : { link }),
	};
	checkNotEmpty({ ...message, ...changes });
	await admitWrite(call, message.chat);
	edit(world, message, changes, bot);
}

function requireEditing({ chat }: StoredMessage, bot: Bot): void {
	if (chat.type !== 'channel') return;
	const me = chat.members.get(bot.user_id);
	if (me === undefined || !(holds(me, 'edit') || holds(me, 'write'))) {
		throw accessDenied('No permission: edit');
	}
}

function isTooOld(message: StoredMessage, now: number): boolean {
	const limited = message.chat.type === 'dialog' && keyboardOf(message) === undefined;
	return limited && now - message.timestamp > EDITABLE_MS;
}

function existing({ world, bot }: Call, mid: string): StoredMessage {
	const message = world.message(mid);
	if (message === undefined || message.post !== undefined || !isIn(message.chat, bot)) {
		throw notFound(`Message ${mid} not found`);
	}
	return message;
}

function removeMessage(call: Call) {
	const { world, bot, query } = call;
	const mid = query.required('message_id', query.text('message_id'));
	const message = existing(call, mid);
	requireDeleting(message, bot);
	remove(world, message, bot);
	return SUCCESS;
}

/** A bot can delete its own messages; others need the right that this kind of chat has for it. */
function requireDeleting({ author, chat }: StoredMessage, bot: Bot): void {
	if (author === bot && chat.type !== 'channel') return;
	const me = chat.members.get(bot.user_id);
	const right = chat.type === 'channel' ? 'delete' : 'write';
	const own = author === bot && me !== undefined && holds(me, 'write');
	if (own || (me !== undefined && holds(me, right))) return;
	throw accessDenied('Insufficient permissions to delete message');
}
