import type { ChatOptions, ControlId, InControl } from './control-types';
import type { DeliveryEntry, RequestEntry } from './journal';
import type { Limits } from './options';
import type { Subscription } from './updates/subscriptions';
import type { Bot, Person } from './world/types';
import type { Notification } from './world/world';

// What tests read of the answers of the control API, which hold more (README).

export interface ShownUser extends InControl<Person> {}

export interface ShownBot extends InControl<Pick<Bot, 'user_id' | 'first_name' | 'is_bot'>> {
	username: string;
	/** Absent once revoked. */
	token: string;
}

export interface ShownChat extends Omit<ChatOptions, 'type' | 'members' | 'admins' | 'chat_id'> {
	chat_id: ControlId;
	pinned_message_id?: string;
	members?: Array<{ user_id: ControlId; alias?: string }>;
}

export interface ShownButton {
	text: string;
	payload?: string;
	url?: string;
}

interface ShownAttachment {
	type: string;
	payload?: { token?: string; url?: string; buttons?: ShownButton[][] };
	filename?: string;
}

interface ShownBody {
	mid: string;
	seq: ControlId;
	text?: string;
	attachments?: ShownAttachment[];
	markup?: Record<string, unknown>[];
}

export interface ShownMessage {
	timestamp: number;
	link?: object;
	body: ShownBody;
	author_id: ControlId;
}

export interface ShownNotification extends InControl<Notification> {}

export interface ShownSubscription extends Omit<Subscription, 'bot' | 'active' | 'expiry'> {}

export interface ShownState {
	bots: (ShownBot & { subscriptions: ShownSubscription[] })[];
	limits: Limits;
}

type Shown<Entry> = Omit<Entry, 'bot_id'> & { bot_id?: ControlId };

/** A journal entry as the control API shows it. */
export type ShownEntry = Shown<RequestEntry> | Shown<DeliveryEntry>;

/** What pressing a button did. */
export interface Pressed {
	callback_id?: string;
}
