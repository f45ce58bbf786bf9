import type { ChatSetting } from './control/chats';
import type { Bot, Chat, Person } from './world/types';

/** A number, or a string of digits if a number would lose some. */
export type ControlId = number | string;

/** Fields of the platform as the control API takes and shows them. */
export type InControl<T> = { [K in keyof T]: T[K] extends bigint ? ControlId : T[K] };

/** Optional fields of a person; all have defaults. */
export type UserOptions = Partial<InControl<Omit<Person, 'is_bot' | 'last_activity_time'>>>;

export type BotOptions = UserOptions & Partial<Pick<Bot, 'token' | 'approved' | 'commands'>>;

export interface ChatOptions extends Partial<Pick<Chat, ChatSetting>> {
	/** Defaults to a group chat. */
	type?: 'chat' | 'channel';
	chat_id?: ControlId;
	owner_id?: ControlId;
	/** Without `permissions` they hold all rights that this kind of chat has. */
	admins?: { user_id: ControlId; permissions?: string[]; alias?: string }[];
	members?: ControlId[];
	/** The bots get no bot_added update. */
	silent?: boolean;
}

export interface MemberOptions {
	user_id: ControlId;
	/** Who adds the member or changes its rights. */
	by?: ControlId;
	permissions?: string[] | null;
	silent?: boolean;
}

/** A message as a person sends it. */
export interface SentMessage {
	/** Needed outside dialogs. */
	user_id?: ControlId;
	text?: string;
	attachments?: Record<string, unknown>[];
	link?: { type: 'reply' | 'forward'; mid: string };
}

/** Which button, and who presses it. */
export interface Press {
	/** Needed outside dialogs. */
	user_id?: ControlId;
	payload?: string;
	text?: string;
	row?: number;
}
