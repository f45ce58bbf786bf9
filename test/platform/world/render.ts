import { createHmac } from 'node:crypto';
import type { JsonObject } from '../json';
import { thumbnailOf } from './placeholders';
import { shownPermissions } from './rights';
import type {
	Bot,
	Button,
	Chat,
	LinkedMessage,
	MediaAttachment,
	Member,
	Person,
	StoredAttachment,
	StoredMessage,
} from './types';
import type { World } from './world';

/** A user as shown as sender of messages. Absent values are left out. */
export function renderUser(person: Person): JsonObject {
	const { user_id, first_name, last_name, username, is_bot, last_activity_time } = person;
	const name = last_name ? `${first_name} ${last_name}` : first_name;
	return { user_id, first_name, last_name, username, is_bot, last_activity_time, name };
}

/** A user as shown in events about people and in lists of members. */
export function renderUserWithPhoto(person: Person): JsonObject {
	const { description, avatar_url, full_avatar_url } = person;
	return { ...renderUser(person), description, avatar_url, full_avatar_url };
}

/** A bot as it sees itself. */
export function renderBot(bot: Bot): JsonObject {
	const commands = bot.commands.length === 0 ? undefined : bot.commands;
	return { ...renderUserWithPhoto(bot), commands };
}

/** A member of a chat. Only administrators and the owner have permissions. */
export function renderMember(member: Member): JsonObject {
	const { person, is_owner, is_admin, join_time, last_access_time, alias } = member;
	return {
		...renderUserWithPhoto(person),
		last_access_time,
		is_owner,
		is_admin: is_admin || is_owner,
		join_time,
		...(is_admin || is_owner ? { permissions: shownPermissions(member), alias } : {}),
	};
}

/** A chat as one bot sees it: only administrators see owner and participants. */
export function renderChat(world: World, chat: Chat, viewer: Bot): JsonObject {
	const { chat_id, type, title, dialog, description, link, pinned } = chat;
	const common = { chat_id, type, status: statusFor(chat, viewer) };
	if (dialog !== undefined) {
		return {
			...common,
			last_event_time: chat.last_event_time,
			participants_count: 2,
			is_public: false,
			dialog_with_user: renderUserWithPhoto(dialog.user),
		};
	}
	const me = chat.members.get(viewer.user_id);
	const forAdmins = me?.is_admin === true || me?.is_owner === true;
	return {
		...common,
		title,
		icon: chat.icon_url === undefined ? undefined : { url: chat.icon_url },
		last_event_time: chat.last_event_time,
		participants_count: chat.members.size,
		...(forAdmins ? { owner_id: ownerId(chat), participants: participants(chat) } : {}),
		is_public: chat.is_public,
		link,
		description,
		messages_count: chat.messages_count,
		pinned_message: pinned === undefined ? undefined : renderMessage(world, pinned, viewer),
	};
}

/** A message as one bot sees it, or without a viewer, as the platform's own windows do. */
export function renderMessage(world: World, message: StoredMessage, viewer?: Bot): JsonObject {
	const { chat, link, post } = message;
	const unsigned = chat.type === 'channel' && post === undefined && !chat.signatures;
	const published = chat.type === 'channel' && post === undefined;
	return {
		sender: unsigned ? undefined : renderUser(message.author),
		recipient: renderRecipient(message),
		timestamp: message.timestamp,
		link: link === undefined ? undefined : renderLink(world, link, viewer),
		body:
			viewer !== undefined && isBare(world, message) ? null : renderBody(world, message, viewer),
		stat: published ? { views: message.views } : undefined,
		url: published && chat.is_public ? `${chat.link ?? ''}/${message.seq}` : undefined,
	};
}

/** Whether a message is only a forward; some services show those without a body (wire 3.3). */
function isBare(world: World, { text, attachments, link }: StoredMessage): boolean {
	const only = text === undefined && attachments.length === 0 && link?.type === 'forward';
	return only && world.base.settings.nullBodies;
}

function renderRecipient({ chat, author, post }: StoredMessage): JsonObject {
	const { dialog } = chat;
	const other = dialog === undefined || author === dialog.user ? dialog?.bot : dialog.user;
	return {
		chat_id: chat.chat_id,
		chat_type: chat.type,
		user_id: other?.user_id,
		post_id: post?.mid,
	};
}

function renderLink(world: World, link: LinkedMessage, viewer?: Bot): JsonObject {
	const { type, sender, chat_id } = link;
	return {
		type,
		sender: sender === undefined ? undefined : renderUser(sender),
		chat_id,
		message: renderBody(world, link, viewer),
	};
}

type Body = Pick<LinkedMessage, 'mid' | 'seq' | 'text' | 'markup' | 'attachments'>;

function renderBody(world: World, body: Body, viewer?: Bot): JsonObject {
	const { mid, seq, text, markup, attachments } = body;
	const rendered = attachments.map((attachment) => renderAttachment(world, attachment, viewer));
	return {
		mid,
		seq,
		text,
		attachments: rendered.length === 0 ? undefined : rendered,
		markup: markup.length === 0 ? undefined : markup,
	};
}

function statusFor(chat: Chat, viewer: Bot): string {
	if (chat.closed) return 'closed';
	if (chat.dialog !== undefined) return chat.dialog.suspended ? 'suspended' : 'active';
	return chat.members.has(viewer.user_id) ? 'active' : (chat.former.get(viewer.user_id) ?? 'left');
}

function ownerId(chat: Chat): bigint | undefined {
	for (const member of chat.members.values()) if (member.is_owner) return member.person.user_id;
	return undefined;
}

function participants(chat: Chat): JsonObject {
	return Object.fromEntries(
		[...chat.members].map(([id, member]) => [String(id), member.last_access_time]),
	);
}

/** An attachment as received. The hash of a contact card is made with the viewing bot's token. */
function renderAttachment(world: World, attachment: StoredAttachment, viewer?: Bot): JsonObject {
	switch (attachment.type) {
		case 'inline_keyboard': {
			const { type, callback_id, buttons } = attachment;
			return {
				type,
				callback_id,
				payload: { buttons: buttons.map((row) => row.map(renderButton)) },
			};
		}
		case 'sticker': {
			const { type, code, media } = attachment;
			const url = mediaUrl(world, { media });
			return { type, payload: { url, code }, width: 256, height: 256 };
		}
		case 'contact': {
			const { vcf_info, person } = attachment;
			const token = viewer?.token;
			const hash = token && createHmac('sha256', token).update(vcf_info).digest('hex');
			const user = person === undefined ? undefined : renderUser(person);
			const info = `${world.base.settings.brand.toLowerCase()}_info`;
			const payload = { vcf_info, hash, [info]: user };
			return { type: 'contact', payload };
		}
		case 'share': {
			const { type, url, token, ...about } = attachment;
			return { type, payload: { url, token }, ...about };
		}
		case 'location':
			return { ...attachment };
		default:
			return renderMedia(world, attachment);
	}
}

/** The download address of an upload. */
export function mediaUrl(
	world: World,
	{ media, external_url }: Pick<MediaAttachment, 'media' | 'external_url'>,
): string {
	return external_url ?? `${world.base.urls.upload}${media.path}`;
}

function renderMedia(world: World, attachment: MediaAttachment): JsonObject {
	const { type, media } = attachment;
	const { token } = media;
	const url = mediaUrl(world, attachment);
	switch (type) {
		case 'image':
			return { type, payload: { photo_id: media.photoId, token, url } };
		case 'video': {
			const { width, height, duration } = media;
			const thumbnail = { url: mediaUrl(world, { media: thumbnailOf(world, media) }) };
			return { type, payload: { url, token }, thumbnail, width, height, duration };
		}
		case 'audio':
			return { type, payload: { url, token }, transcription: attachment.transcription };
		case 'file':
			return { type, payload: { url, token }, filename: media.fileName, size: media.size };
	}
}

function renderButton(button: Button): JsonObject {
	return button.type === 'callback' ? { ...button, intent: 'default' } : { ...button };
}
