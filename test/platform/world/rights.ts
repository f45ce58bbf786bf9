import type { ChatType, Member } from './types';

/** The rights of an administrator, by their current names, in the order of the interface. */
const PERMISSIONS = [
	'read_all_messages',
	'add_remove_members',
	'add_admins',
	'change_chat_info',
	'pin_message',
	'write',
	'can_call',
	'edit_link',
	'edit',
	'delete',
	'view_stats',
] as const;

export type Permission = (typeof PERMISSIONS)[number];

/** Rights that have no effect without read_all_messages. */
const NEED_READ_ALL: readonly Permission[] = ['edit', 'delete', 'write', 'pin_message'];

/** Rights that cannot be granted in a kind of chat. */
const UNAVAILABLE: Record<ChatType, readonly Permission[]> = {
	dialog: PERMISSIONS,
	chat: ['edit', 'delete', 'view_stats'],
	channel: ['edit_link', 'can_call', 'view_stats'],
};

/** The rights that can be granted in this kind of chat. */
export function assignable(type: ChatType): Permission[] {
	return PERMISSIONS.filter((permission) => !UNAVAILABLE[type].includes(permission));
}

/** A right by its current name: requests cannot have the legacy ones (interface: ChatAdminPermission values). */
export function permissionOf(name: unknown): Permission | undefined {
	return PERMISSIONS.find((known) => known === name);
}

/** Whether a member holds a right effectively. Owners hold all. */
export function holds(member: Member, permission: Permission): boolean {
	if (member.is_owner) return true;
	if (!member.is_admin || !member.permissions.has(permission)) return false;
	return !NEED_READ_ALL.includes(permission) || member.permissions.has('read_all_messages');
}

/** The first of `wanted` that needs read_all_messages if neither `wanted` nor `held` includes that. */
export function lacksReadAll(
	wanted: ReadonlySet<Permission>,
	held: ReadonlySet<Permission>,
): Permission | undefined {
	if (wanted.has('read_all_messages') || held.has('read_all_messages')) return undefined;
	return NEED_READ_ALL.find((permission) => wanted.has(permission));
}

/** The rights of a member as shown in answers: owners hold all that exist, whatever the kind of chat. */
export function shownPermissions({ is_owner, permissions }: Member): string[] {
	return PERMISSIONS.filter((permission) => is_owner || permissions.has(permission));
}
