import type { MarkupElement } from '../markup';
import type { Media } from '../uploads/types';
import type { Limiter } from '../limiter';
import type { Permission } from './rights';
import type { UpdateQueue } from '../updates/queue';
import type { Subscription } from '../updates/subscriptions';

/** An int64 identifier. */
export type Id = bigint;

/** A person or a bot, as others see it. */
export interface Person {
	user_id: Id;
	first_name: string;
	last_name?: string;
	username?: string;
	is_bot: boolean;
	last_activity_time?: number;
	description?: string;
	avatar_url?: string;
	full_avatar_url?: string;
	/** Language of the person's client, included in events of dialogs. */
	locale: string;
	phone: string;
	/** Others cannot add the person to chats. */
	private_profile: boolean;
}

export interface BotCommand {
	name: string;
	description?: string;
}

export interface Bot extends Person {
	is_bot: true;
	/** Undefined once revoked. */
	token: string | undefined;
	commands: BotCommand[];
	/** Bots that are not approved yet cannot write into dialogs. */
	approved: boolean;
	/** By url. */
	subscriptions: Map<string, Subscription>;
	queue: UpdateQueue;
	requests: Limiter;
	polls: Limiter;
}

export interface Member {
	person: Person;
	/** Position in the list of members, in the order of joining. */
	ordinal: number;
	join_time: number;
	last_access_time: number;
	is_owner: boolean;
	is_admin: boolean;
	permissions: Set<Permission>;
	alias?: string;
}

export type ChatType = 'dialog' | 'chat' | 'channel';

/** What only dialogs have: the two sides, and the person's settings. */
interface DialogState {
	bot: Bot;
	user: Person;
	suspended: boolean;
	muted_until?: number;
}

export interface Chat {
	chat_id: Id;
	type: ChatType;
	title?: string;
	description?: string;
	icon_url?: string;
	is_public: boolean;
	link?: string;
	closed: boolean;
	/** Messages may not be forwarded out of it. */
	forward_forbidden: boolean;
	comments_disabled: boolean;
	/** Posts show their author. */
	signatures: boolean;
	last_event_time: number;
	members: Map<Id, Member>;
	/** The members that are bots. */
	bots: Set<Bot>;
	/** Bots that used to be members, and how they left. */
	former: Map<Id, 'removed' | 'left'>;
	blocked: Set<Id>;
	/** In the order of sending; removed messages stay, marked as such. */
	messages: StoredMessage[];
	messages_count: number;
	pinned?: StoredMessage;
	dialog?: DialogState;
	writes: Limiter;
}

export interface LinkedMessage {
	type: 'reply' | 'forward';
	sender?: Person;
	/** Chat of origin, unless it is a dialog. */
	chat_id?: Id;
	mid: string;
	seq: bigint;
	text?: string;
	markup: MarkupElement[];
	attachments: StoredAttachment[];
}

/** What a message says. */
export interface Content {
	text?: string;
	markup: MarkupElement[];
	attachments: StoredAttachment[];
	link?: LinkedMessage;
}

export interface StoredMessage extends Content {
	mid: string;
	seq: bigint;
	chat: Chat;
	author: Person;
	timestamp: number;
	edited_at?: number;
	removed: boolean;
	views: number;
	/** Sent with a notification. */
	notify: boolean;
	/** A link in the text is shown with a preview. */
	link_preview: boolean;
	/** The post that this is a comment on. */
	post?: StoredMessage;
	/** Comments on this post, in the order of sending. */
	comments: StoredMessage[];
}

export interface Button {
	type: string;
	text: string;
	payload?: string;
	url?: string;
	web_app?: string;
	contact_id?: Id;
	quick?: boolean;
}

export interface MediaAttachment {
	type: 'image' | 'video' | 'audio' | 'file';
	media: Media;
	/** Address of an image that was given by url. */
	external_url?: string;
	/** What is said in an audio, if the service knows it. */
	transcription?: string;
}

export interface KeyboardAttachment {
	type: 'inline_keyboard';
	callback_id: string;
	buttons: Button[][];
}

export type StoredAttachment =
	| MediaAttachment
	| KeyboardAttachment
	| { type: 'sticker'; code: string; media: Media }
	| { type: 'contact'; vcf_info: string; person?: Person }
	| {
			type: 'share';
			url?: string;
			token?: string;
			title?: string;
			description?: string;
			image_url?: string;
	  }
	| { type: 'location'; latitude: number; longitude: number };

/** One press of a button, kept for the answer to it. */
export interface Press {
	callback_id: string;
	bot: Bot;
	user: Person;
	message: StoredMessage;
}
