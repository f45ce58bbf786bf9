import { readAttachments, vCard } from '../api/content/attachments';
import { type NewMessage, readMessage, resolveLink } from '../api/content/message';
import { accessDenied, badRequest } from '../api/errors';
import type { Fields } from '../api/fields';
import { between } from '../api/messages';
import type { JsonObject } from '../json';
import { edit, linkTo, post, remove } from '../world/messages';
import { renderMessage } from '../world/render';
import { holds } from '../world/rights';
import type {
	Chat,
	MediaAttachment,
	Person,
	StoredAttachment,
	StoredMessage,
} from '../world/types';
import type { World } from '../world/world';
import {
	actorOf,
	chatOf,
	messageOf,
	personOf,
	type ControlRequest,
	type ControlRoutes,
} from './route';

const MOST_SHOWN = 1000;

/** Default file names. */
const NAMES = {
	image: 'image.jpg',
	video: 'video.mp4',
	audio: 'audio.mp3',
	file: 'file.bin',
} as const;

const TYPES = ['image', 'video', 'audio', 'file'] as const;

export const controlMessageRoutes: ControlRoutes = {
	'GET /chats/:chatId/messages': list,
	'POST /chats/:chatId/messages': write,
	'GET /messages/:messageId': (call) => show(call, messageOf(call)),
	'PATCH /messages/:messageId': change,
	'DELETE /messages/:messageId': removeMessage,
	'POST /messages/:messageId/comments': comment,
};

/** A message as people see it, including what bots do not see. */
function show({ world }: ControlRequest, message: StoredMessage): JsonObject {
	const { edited_at, notify, link_preview, comments } = message;
	return {
		...renderMessage(world, message),
		author_id: message.author.user_id,
		edited_at,
		notify,
		link_preview,
		comments_count: comments.filter(({ removed }) => !removed).length || undefined,
	};
}

function list(call: ControlRequest): JsonObject {
	const limit = call.query.integer('limit', { min: 1, max: MOST_SHOWN }) ?? 100;
	const newest = between(chatOf(call).messages, limit);
	return { messages: newest.map((message) => show(call, message)) };
}

function write(call: ControlRequest): JsonObject {
	const { world, body } = call;
	const chat = chatOf(call);
	const author = actorOf(world, chat, body.looseId('user_id'));
	requireWriter(chat, author);
	const { text, markup = [], attachments = [], link } = readSent(call, author);
	if (chat.dialog !== undefined) chat.dialog.suspended = false;
	const linked = resolveLink(link, world, {
		target: chat,
		sees: (origin) => origin.members.has(author.user_id) || origin.dialog?.user === author,
	});
	const content = { text, markup, attachments, link: linked };
	const message = post(world, chat, author, content, { notify: body.flag('notify') });
	return { message: show(call, message) };
}

/** People write into their dialogs and groups; only administrators write into channels. */
function requireWriter(chat: Chat, author: Person): void {
	if (chat.dialog !== undefined) {
		if (author === chat.dialog.user) return;
		throw accessDenied('Only the person of a dialog can write into it');
	}
	const member = chat.members.get(author.user_id);
	const allowed = member !== undefined && (chat.type === 'chat' || holds(member, 'write'));
	if (!allowed) throw accessDenied(`User ${author.user_id} cannot write into chat ${chat.chat_id}`);
}

/** Reads a person's message like a bot's; its attachments can also be files and contacts. */
function readSent(call: ControlRequest, author: Person): NewMessage {
	const { world, body } = call;
	const attachments = body
		.objects('attachments')
		?.map((fields) => readSentAttachment(fields, world, author));
	const message = readMessage(body.without('attachments'), world);
	return { ...message, attachments: attachments?.flat() };
}

function readSentAttachment(fields: Fields, world: World, author: Person): StoredAttachment[] {
	const file = readSentFile(fields, world);
	if (file !== undefined) return [file];
	const own = fields.text('type') === 'contact' && !fields.has('payload');
	return own ? [contactOf(author)] : readAttachments([fields], world);
}

/**
 * Reads a file that a person sends: `content_base64`, or `size` and `seed` for generated content.
 * @returns undefined if the attachment is something else
 */
function readSentFile(fields: Fields, world: World): MediaAttachment | undefined {
	const type = TYPES.find((known) => known === fields.text('type'));
	const base64 = fields.text('content_base64');
	const size = fields.number('size');
	if (type === undefined || (base64 ?? size) === undefined) return undefined;
	if (size !== undefined && size < 1) throw badRequest('A file has at least one byte');
	const content =
		base64 === undefined
			? { size: size ?? 1, seed: fields.text('seed') ?? 'seed' }
			: Buffer.from(base64, 'base64');
	const name = fields.text('file_name', { min: 1 }) ?? NAMES[type];
	const media = world.base.uploads.accept(type, name, content, fields.text('mime_type'));
	return { type, media, transcription: fields.text('transcription') };
}

/** A person's own contact card. */
export function contactOf(person: Person): StoredAttachment {
	const name = [person.first_name, person.last_name].filter(Boolean).join(' ');
	return { type: 'contact', vcf_info: vCard(name, person.phone), person };
}

function change(call: ControlRequest): JsonObject {
	const { world, body } = call;
	const message = messageOf(call);
	const author = body.has('user_id') ? personOf(world, body.looseId('user_id')) : message.author;
	if (author !== message.author) throw accessDenied('Only the author can edit a message');
	const { text, markup, attachments } = readSent(call, author);
	edit(
		world,
		message,
		{
			...(text === undefined ? {} : { text, markup }),
			...(attachments === undefined ? {} : { attachments }),
		},
		author,
	);
	return { message: show(call, message) };
}

function removeMessage(call: ControlRequest): JsonObject {
	const { world, query } = call;
	const message = messageOf(call);
	const id = query.id('user_id');
	remove(world, message, id === undefined ? message.author : personOf(world, id));
	return { success: true };
}

function comment(call: ControlRequest): JsonObject {
	const { world, body } = call;
	const commented = messageOf(call);
	if (commented.chat.type !== 'channel') throw badRequest('Only channel posts have comments');
	if (commented.chat.comments_disabled) throw badRequest('Comments are disabled in the channel');
	const author = personOf(world, body.looseId('user_id'));
	const { text, markup = [], link } = readSent(call, author);
	const linked = link && resolveComment(commented, link.mid);
	const content = { text, markup, attachments: [], link: linked };
	return { message: show(call, post(world, commented.chat, author, content, { post: commented })) };
}

function resolveComment(commented: StoredMessage, mid: string) {
	const target = commented.comments.find((each) => each.mid === mid && !each.removed);
	if (target === undefined) throw badRequest(`Comment ${mid} does not exist`);
	return linkTo('reply', target);
}
