/** A right of an administrator (interface: ChatAdminPermission values). */
interface Right {
	value: string;
	name: string;
	description: string;
	/** Whether it requires read_all_messages, already held or granted along with it. */
	needsReadAll?: true;
}

export const READ_ALL_MESSAGES = 'read_all_messages';

/** Every right of an administrator under its current name, sorted by label. */
export const RIGHTS: readonly Right[] = [
	{
		value: 'add_admins',
		name: 'Add Administrators',
		description: 'Add and remove administrators. Group chats and channels; users and bots.',
	},
	{
		value: 'add_remove_members',
		name: 'Add and Remove Members',
		description:
			'Add and remove members of a group chat or subscribers of a channel. Users and bots.',
	},
	{
		value: 'can_call',
		name: 'Call',
		description:
			'Call in a group chat. Not in channels. Users get it by themselves when they become administrators.',
	},
	{
		value: 'change_chat_info',
		name: 'Change Chat Info',
		description: 'Change title, description and icon. Group chats and channels; users and bots.',
	},
	{
		value: 'delete',
		name: 'Delete Posts',
		description: 'Delete posts of a channel. Not in group chats. Needs Read All Messages.',
		needsReadAll: true,
	},
	{
		value: 'edit_link',
		name: 'Edit Link',
		description: 'Change the link of a group chat. Not in channels. Users and bots.',
	},
	{
		value: 'edit',
		name: 'Edit Posts',
		description: 'Edit posts of a channel. Not in group chats. Needs Read All Messages.',
		needsReadAll: true,
	},
	{
		value: 'pin_message',
		name: 'Pin Messages',
		description: 'Pin a message. Group chats and channels. Needs Read All Messages.',
		needsReadAll: true,
	},
	{
		value: READ_ALL_MESSAGES,
		name: 'Read All Messages',
		description:
			'Read everything in a group chat or channel; a bot without it gets no events from there. Users and bots.',
	},
	{
		value: 'view_stats',
		name: 'View Statistics',
		description:
			'See the statistics of a channel. Owners have it; other administrators and bots cannot get it.',
	},
	{
		value: 'write',
		name: 'Write',
		description:
			'Write posts in a channel; edit and delete messages in a group chat. Needs Read All Messages.',
		needsReadAll: true,
	},
];
