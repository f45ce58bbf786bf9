/** A number, or a string of digits if a number would lose some. */
export type ControlId = number | string;

/** Optional fields of a person; all have defaults. */
export interface UserOptions {
	user_id?: ControlId;
	first_name?: string;
	last_name?: string;
	username?: string;
	description?: string;
	avatar_url?: string;
	full_avatar_url?: string;
	/** Language of the person's client. */
	locale?: string;
	phone?: string;
	/** Others cannot add the person to chats. */
	private_profile?: boolean;
}

export interface BotOptions extends UserOptions {
	token?: string;
	/** False: the bot cannot write into dialogs yet. */
	approved?: boolean;
	commands?: { name: string; description?: string }[];
}

export interface ChatOptions {
	/** Defaults to a group chat. */
	type?: 'chat' | 'channel';
	chat_id?: ControlId;
	title?: string;
	description?: string;
	icon_url?: string;
	is_public?: boolean;
	link?: string;
	closed?: boolean;
	forward_forbidden?: boolean;
	comments_disabled?: boolean;
	signatures?: boolean;
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
	is_owner?: boolean;
	is_admin?: boolean;
	permissions?: string[] | null;
	alias?: string;
	silent?: boolean;
}

/** A message as a person sends it. */
export interface SentMessage {
	/** Needed outside dialogs. */
	user_id?: ControlId;
	text?: string;
	format?: 'markdown' | 'html';
	attachments?: Record<string, unknown>[];
	link?: { type: 'reply' | 'forward'; mid: string };
	notify?: boolean;
}

/** Which button, and who presses it. */
export interface Press {
	/** Needed outside dialogs. */
	user_id?: ControlId;
	payload?: string;
	text?: string;
	row?: number;
	column?: number;
	/** For a button that asks for the location. */
	latitude?: number;
	longitude?: number;
}
