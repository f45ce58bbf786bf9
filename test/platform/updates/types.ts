/** Which bots get an event of a group chat or channel: members, administrators, or those that may read everything. */
type Audience = 'member' | 'administrator' | 'reader';

/** Every type of update that the service sends, and who gets it in group chats and channels (wire 4.1). */
export const UPDATE_TYPES = {
	message_created: 'reader',
	message_callback: 'reader',
	message_edited: 'reader',
	message_removed: 'reader',
	comment_created: 'reader',
	comment_edited: 'reader',
	comment_removed: 'reader',
	bot_added: 'member',
	bot_removed: 'member',
	user_added: 'reader',
	user_removed: 'reader',
	bot_started: 'member',
	bot_stopped: 'member',
	dialog_cleared: 'member',
	dialog_removed: 'member',
	dialog_muted: 'member',
	dialog_unmuted: 'member',
	chat_title_changed: 'administrator',
	bot_admin_permissions_changed: 'member',
} as const satisfies Record<string, Audience>;

export type UpdateType = keyof typeof UPDATE_TYPES;

/** The updates of dialogs that include the person's language (wire 4.1). */
export const LOCALIZED: readonly UpdateType[] = [
	...(['message_created', 'message_callback', 'bot_started', 'bot_stopped'] as const),
	...(['dialog_cleared', 'dialog_removed', 'dialog_muted', 'dialog_unmuted'] as const),
];

/** Whether the service knows this type of update. */
export function isUpdateType(name: unknown): name is UpdateType {
	return typeof name === 'string' && Object.hasOwn(UPDATE_TYPES, name);
}
