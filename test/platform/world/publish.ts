import type { JsonObject } from '../json';
import { PROFILES, shownAs } from '../profiles';
import { LOCALIZED, UPDATE_TYPES, type UpdateType } from '../updates/types';
import { holds } from './rights';
import type { Bot, Chat, Person } from './types';
import type { World } from './world';

/** Makes the fields of an update for the bot that gets it. */
type UpdateFields = (bot: Bot) => JsonObject;

/**
 * The time of a new event in a chat: now, but later than the previous event, as most events are told apart by their time
 * (wire 4.3). With a coarse clock, one that is told apart by its message's ID may happen at the same time.
 */
export function tick(world: World, chat: Chat, hasId = false): number {
	const { timeStepMs } = world.base.settings;
	const now = world.now();
	const gap = hasId && timeStepMs > 1 ? 0 : 1;
	chat.last_event_time = Math.max(now - (now % timeStepMs), chat.last_event_time + gap);
	return chat.last_event_time;
}

/**
 * Sends an update to those bots of a chat that may get it (wire 4.1). A bot gets no events that it caused itself,
 * unless the platform is set to.
 */
export function tellBots(
	world: World,
	chat: Chat,
	update_type: UpdateType,
	fields: UpdateFields,
	by?: Person,
): void {
	for (const bot of chat.bots) {
		if (bot === by && !world.base.settings.ownEvents) continue;
		if (mayGet(chat, bot, update_type)) tell(world, chat, bot, update_type, fields);
	}
}

/** Sends an update to one bot, whatever its rights. */
export function tell(
	world: World,
	chat: Chat,
	bot: Bot,
	update_type: UpdateType,
	fields: UpdateFields,
): void {
	const timestamp = chat.last_event_time;
	const localized = chat.dialog !== undefined && LOCALIZED.includes(update_type);
	const locale = localized ? { user_locale: chat.dialog?.user.locale } : {};
	const update = { update_type, timestamp, ...fields(bot), ...locale };
	const { looks } = PROFILES[world.base.settings.profile];
	world.base.publish(bot, { ...shownAs(looks, update), update_type, timestamp });
}

function mayGet(chat: Chat, bot: Bot, type: UpdateType): boolean {
	if (chat.dialog !== undefined) return true;
	const member = chat.members.get(bot.user_id);
	if (member === undefined) return false;
	switch (UPDATE_TYPES[type]) {
		case 'member':
			return true;
		case 'administrator':
			return member.is_admin || member.is_owner;
		case 'reader':
			return holds(member, 'read_all_messages');
	}
}
