import type { ChatOptions, ControlId, InControl } from './control-types';
import type { DeliveryEntry, RequestEntry } from './journal';
import type { Limits } from './options';
import type { Subscription } from './updates/subscriptions';
import type { Bot, BotCommand, Person } from './world/types';
import type { Notification } from './world/world';

export interface ShownUser extends InControl<Person> {
	name: string;
}

export interface ShownBot extends InControl<Pick<Bot, 'user_id' | 'first_name' | 'is_bot'>> {
	username: string;
	name: string;
	/** Absent once revoked. */
	token: string;
	approved: boolean;
	commands?: BotCommand[];
}

interface ShownMember {
	user_id: ControlId;
	is_bot: boolean;
	is_owner: boolean;
	is_admin: boolean;
	permissions?: string[];
	alias?: string;
}

export interface ShownChat extends Omit<ChatOptions, 'type' | 'members' | 'admins' | 'chat_id'> {
	chat_id: ControlId;
	type: 'chat' | 'channel' | 'dialog';
	last_event_time: number;
	messages_count: number;
	pinned_message_id?: string;
	members?: ShownMember[];
	blocked?: ControlId[];
	bot_id?: ControlId;
	user_id?: ControlId;
	suspended?: boolean;
	muted_until?: number;
}

export interface ShownButton {
	type: string;
	text: string;
	payload?: string;
	url?: string;
}

interface ShownAttachment {
	type: string;
	payload?: {
		token?: string;
		url?: string;
		photo_id?: ControlId;
		code?: string;
		vcf_info?: string;
		buttons?: ShownButton[][];
	};
	callback_id?: string;
	filename?: string;
	size?: number;
	latitude?: number;
	longitude?: number;
}

interface ShownBody {
	mid: string;
	seq: ControlId;
	text?: string;
	attachments?: ShownAttachment[];
	markup?: Record<string, unknown>[];
}

export interface ShownMessage {
	sender?: { user_id: ControlId; name: string; is_bot: boolean };
	recipient: { chat_id: ControlId; chat_type: string; user_id?: ControlId; post_id?: string };
	timestamp: number;
	link?: { type: string; chat_id?: ControlId; message: ShownBody };
	body: ShownBody;
	author_id: ControlId;
	edited_at?: number;
	notify: boolean;
	link_preview: boolean;
	comments_count?: number;
}

export interface ShownNotification extends InControl<Notification> {}

export interface ShownSubscription extends Omit<Subscription, 'bot' | 'active' | 'expiry'> {
	/** No delivery has succeeded since the last failure. */
	failing: boolean;
}

export interface ShownState {
	now: number;
	base_url: string;
	upload_url: string;
	bots: (ShownBot & { subscriptions: ShownSubscription[]; queued_updates: number })[];
	users: ShownUser[];
	chats: ShownChat[];
	notifications: ShownNotification[];
	limits: Limits;
	open_as: Record<string, string>;
}

type Shown<Entry> = Omit<Entry, 'bot_id'> & { index: number; bot_id?: ControlId };

/** A journal entry as the control API shows it. */
export type ShownEntry = Shown<RequestEntry> | Shown<DeliveryEntry>;

/** What pressing a button did. */
export interface Pressed {
	type: string;
	callback_id?: string;
	url?: string;
	copied?: string;
	message?: ShownMessage;
}
