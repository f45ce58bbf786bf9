import type { JsonObject } from '../json';
import type { Person } from './types';

/** A user as shown as sender of messages. Absent values are left out. */
export function renderUser(person: Person): JsonObject {
	const { user_id, first_name, last_name, username, is_bot, last_activity_time } = person;
	const name = last_name ? `${first_name} ${last_name}` : first_name;
	return { user_id, first_name, last_name, username, is_bot, last_activity_time, name };
}

/** A user as shown in events about people and in lists of members. */
export function renderUserWithPhoto(person: Person): JsonObject {
	const { description, avatar_url, full_avatar_url } = person;
	return { ...renderUser(person), description, avatar_url, full_avatar_url };
}
