import type { JsonObject } from '../json';
import { tell, tellBots, tick } from './publish';
import { renderUserWithPhoto } from './render';
import { assignable, type Permission } from './rights';
import type { Bot, Chat, Member, Person } from './types';
import type { World } from './world';

/** In which role somebody joins, and who added them. */
export interface Joining {
	by?: Person;
	owner?: boolean;
	/** Rights of an administrator; absent for an ordinary member. */
	permissions?: Iterable<Permission>;
	alias?: string;
	/** Sends no events: the chat is only being set up. */
	silent?: boolean;
}

/** Makes a person or bot a member of a group chat or channel and notifies the bots. */
export function join(world: World, chat: Chat, person: Person, joining: Joining = {}): Member {
	const time = tick(world, chat);
	const { owner = false, permissions, alias } = joining;
	const member: Member = {
		person,
		ordinal: world.nextMember(),
		join_time: time,
		last_access_time: time,
		is_owner: owner,
		is_admin: owner || permissions !== undefined,
		permissions: new Set(permissions ?? (owner ? assignable(chat.type) : [])),
		alias,
	};
	chat.members.set(person.user_id, member);
	chat.former.delete(person.user_id);
	if (joining.silent !== true) announceJoin(world, chat, person, joining.by);
	const bot = world.bots.get(person.user_id);
	if (bot === undefined) return member;
	chat.bots.add(bot);
	if (joining.silent !== true) {
		const by = joining.by ?? person;
		tell(world, chat, bot, 'bot_added', () => concerning(chat, by, by));
	}
	return member;
}

/** Ends a membership, by another person (`by`) or by the member itself, and notifies the bots. */
export function leave(world: World, chat: Chat, person: Person, by?: Person): void {
	tick(world, chat);
	chat.members.delete(person.user_id);
	const bot = world.bots.get(person.user_id);
	if (bot !== undefined) {
		chat.bots.delete(bot);
		chat.former.set(bot.user_id, by === undefined ? 'left' : 'removed');
		if (by !== undefined) tell(world, chat, bot, 'bot_removed', () => concerning(chat, by, by));
	}
	const about = (viewer: Bot) => ({
		...concerning(chat, person, by ?? viewer),
		admin_id: by?.user_id,
	});
	tellBots(world, chat, 'user_removed', about, by ?? person);
	changed(world, chat);
}

/** Gives a member exactly these rights and notifies it if it is a bot. */
export function grant(
	world: World,
	chat: Chat,
	member: Member,
	permissions: Iterable<Permission>,
	alias: string | undefined,
	by: Person,
): void {
	tick(world, chat);
	member.permissions = new Set(permissions);
	member.is_admin = true;
	member.alias = alias;
	if (!member.person.is_bot && chat.type === 'chat') member.permissions.add('can_call');
	tellAboutRights(world, chat, member, by);
}

/** Makes an administrator an ordinary member again and notifies it if it is a bot. */
export function revoke(world: World, chat: Chat, member: Member, by: Person): void {
	tick(world, chat);
	member.permissions = new Set();
	member.is_admin = false;
	member.alias = undefined;
	tellAboutRights(world, chat, member, by);
}

/** Changes the title and notifies the bots. */
export function rename(world: World, chat: Chat, title: string, by: Person): void {
	tick(world, chat);
	chat.title = title;
	const about = { chat_id: chat.chat_id, user: renderUserWithPhoto(by), user_id: by.user_id };
	tellBots(world, chat, 'chat_title_changed', () => ({ ...about, title }), by);
	changed(world, chat);
}

/** Notifies the windows that a chat has changed. */
export function changed(world: World, chat: Chat): void {
	world.base.events.emit(() => ({ type: 'chat', chat_id: chat.chat_id }));
}

/** Notifies the bots that are members already. */
function announceJoin(world: World, chat: Chat, person: Person, by: Person | undefined): void {
	const about = (viewer: Bot) => ({
		...concerning(chat, person, by ?? viewer),
		inviter_id: by?.user_id,
	});
	tellBots(world, chat, 'user_added', about, by);
	changed(world, chat);
}

function tellAboutRights(world: World, chat: Chat, member: Member, by: Person): void {
	const bot = world.bots.get(member.person.user_id);
	changed(world, chat);
	if (bot === undefined) return;
	tell(world, chat, bot, 'bot_admin_permissions_changed', () => ({
		chat_id: chat.chat_id,
		user_id: by.user_id,
		bot_id: bot.user_id,
		is_channel: chat.type === 'channel',
		is_admin: member.is_admin,
		permissions: member.is_admin ? [...member.permissions] : undefined,
	}));
}

/**
 * Common fields of events about somebody who came or left, or who changed a chat. Their `user_id` can differ from that
 * of `user` (wire 4.1), which reveals clients that read the wrong one.
 */
function concerning(chat: Chat, person: Person, { user_id }: Person): JsonObject {
	const is_channel = chat.type === 'channel';
	return { chat_id: chat.chat_id, user: renderUserWithPhoto(person), user_id, is_channel };
}
