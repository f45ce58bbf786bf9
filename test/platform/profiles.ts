import { isObject, type JsonObject } from './json';
import type { PlatformOptions } from './options';

/** Names of the query parameters and body fields that an operation takes; a field with a `?` behind it may be null. */
export interface Inputs {
	query?: readonly string[];
	body?: readonly string[];
}

/** Operations by method and path. */
type Operations = Readonly<Record<string, Inputs>>;

/** How a kind of object looks in answers and updates. The kind is recognized by a key that only it has. */
interface Look {
	having: string;
	/** The value of that key, where not all such objects look like this. */
	is?: string;
	/** Keys that are never shown. */
	hidden?: readonly string[];
	/** Keys that are null if there is nothing to show; other such keys are left out. */
	null?: readonly string[];
}

/** What a service of this kind knows, and what it does with everything else. */
export interface Profile {
	operations: Operations;
	/** What happens to query parameters and body fields that an operation does not know. */
	unknown: 'ignored' | 'refused';
	looks: readonly Look[];
	/** Operations whose refusals are a 200 with `success: false`, the code and the message. */
	coded?: readonly string[];
	/** The options of this kind of service, unless others are given. */
	options: PlatformOptions;
}

/** Fields of a NewMessageBody. */
export const MESSAGE_FIELDS = ['text?', 'attachments?', 'link?', 'notify', 'format?'];

/**
 * What interface.md states in its section "Endpoints". The details of operations that it only names ("referenced but
 * not detailed") are from wire.md.
 */
const STATED: Operations = {
	'POST /uploads': { query: ['type'] },
	'GET /subscriptions': {},
	'POST /subscriptions': { body: ['url', 'update_types', 'secret'] },
	'DELETE /subscriptions': { query: ['url'] },
	'POST /answers': { query: ['callback_id'], body: ['message?', 'notification?'] },
	'POST /messages': { query: ['user_id', 'chat_id', 'disable_link_preview'], body: MESSAGE_FIELDS },
	'PUT /messages': { query: ['message_id'], body: MESSAGE_FIELDS },
	'GET /messages': { query: ['chat_id', 'message_ids', 'from', 'to', 'count'] },
	'PATCH /chats/:chatId': { body: ['icon?', 'title?', 'description?', 'pin?', 'notify?'] },
	'POST /chats/:chatId/actions': { body: ['action'] },
	'GET /chats/:chatId/members': { query: ['user_ids', 'marker', 'count'] },
	'POST /chats/:chatId/members': { body: ['user_ids'] },
	'DELETE /chats/:chatId/members': { query: ['user_id', 'block'] },
	'GET /chats/:chatId/members/me': {},
	'GET /chats/:chatId/members/admins': {},
	'POST /chats/:chatId/members/admins': { body: ['admins', 'marker?'] },
	'DELETE /chats/:chatId/members/admins/:userId': {},
	'PUT /chats/:chatId/pin': { body: ['message_id', 'notify?'] },
	'DELETE /chats/:chatId/pin': {},
	'GET /updates': { query: ['limit', 'timeout', 'marker', 'types'] },
};

const COMMENTS = '/messages/:messageId/comments';
const COMMENT = ['text', 'link', 'format'];
const PREVIEW = 'disable_link_preview';

/** What section 5 of wire.md adds. */
const ADDED: Operations = {
	'GET /me': {},
	'PATCH /me/commands': { body: ['commands'] },
	'GET /chats/:chatId': {},
	'GET /chats/:chatId/pin': {},
	'DELETE /chats/:chatId/members/me': {},
	'POST /answers': { query: [PREVIEW] },
	'GET /messages': { query: ['before', 'after'] },
	'GET /messages/:messageId': {},
	'DELETE /messages': { query: ['message_id'] },
	'GET /videos/:token': {},
	[`GET ${COMMENTS}`]: { query: ['comment_ids', 'before', 'after', 'count'] },
	[`GET ${COMMENTS}/:commentId`]: {},
	[`POST ${COMMENTS}`]: { query: [PREVIEW], body: COMMENT },
	[`PUT ${COMMENTS}`]: { query: ['comment_id'], body: COMMENT },
	[`DELETE ${COMMENTS}`]: { query: ['comment_id'] },
};

function joined(one: Operations, other: Operations): Operations {
	const names = Object.keys({ ...one, ...other });
	const both = (name: string, part: keyof Inputs) => [
		...(one[name]?.[part] ?? []),
		...(other[name]?.[part] ?? []),
	];
	return Object.fromEntries(
		names.map((name) => [name, { query: both(name, 'query'), body: both(name, 'body') }]),
	);
}

/** Everything optional is left out, everything nullable is null (interface.md, "Resources and their fields"). */
const BARE: readonly Look[] = [
	{
		having: 'first_name',
		hidden: ['name', 'last_activity_time', 'description', 'avatar_url', 'full_avatar_url'],
		null: ['username'],
	},
	{
		having: 'participants_count',
		hidden: ['owner_id', 'participants', 'messages_count'],
		null: ['title', 'icon', 'link', 'description', 'dialog_with_user'],
	},
	{ having: 'recipient', hidden: ['stat', 'url'], null: ['link'] },
	{ having: 'mid', hidden: ['markup'], null: ['text', 'attachments'] },
	{ having: 'members', null: ['marker'] },
	{ having: 'update_type', hidden: ['user_locale', 'inviter_id', 'admin_id'] },
];

/** Everything that is missing is null (wire 2, "Absent vs null": what clients have to be ready for). */
const NULLED: readonly Look[] = [
	{ having: 'first_name', null: ['last_name', 'username'] },
	{ having: 'is_owner', null: ['avatar_url', 'permissions', 'alias'] },
	{ having: 'participants_count', null: ['title', 'icon', 'link', 'owner_id', 'pinned_message'] },
	{ having: 'recipient', null: ['sender', 'link', 'stat', 'url'] },
	{ having: 'chat_type', null: ['user_id', 'post_id'] },
	{ having: 'mid', null: ['text', 'attachments', 'markup'] },
	{ having: 'members', null: ['marker'] },
	{ having: 'update_type', null: ['user_locale', 'inviter_id', 'admin_id', 'payload'] },
	{ having: 'callback', null: ['message'] },
];

/** The operations that answer with nothing but a status (interface.md, "Common result shape"). */
const STATUS_OPERATIONS = [
	'POST /subscriptions',
	'DELETE /subscriptions',
	'POST /answers',
	'PUT /messages',
	'DELETE /messages',
	'POST /chats/:chatId/actions',
	'DELETE /chats/:chatId/members',
	'DELETE /chats/:chatId/members/me',
	'POST /chats/:chatId/members/admins',
	'DELETE /chats/:chatId/members/admins/:userId',
	'PUT /chats/:chatId/pin',
	'DELETE /chats/:chatId/pin',
	`PUT ${COMMENTS}`,
	`DELETE ${COMMENTS}`,
];

/** The kinds of service that can be played. */
export const PROFILES = {
	/** Only what interface.md states. */
	contract: {
		operations: STATED,
		unknown: 'ignored',
		looks: BARE,
		options: {
			singleSubscription: true,
			pollingWithoutMarker: 'latest',
			limits: { chat_overflow: 'delay' },
			uploadAuthorization: true,
			uploadLimits: { image_answer: 'token' },
		},
	},
	/** What both documents state. */
	current: { operations: joined(STATED, ADDED), unknown: 'ignored', looks: [], options: {} },
	/** The same, but anything unknown is an error, and what is missing is null. */
	strict: { operations: joined(STATED, ADDED), unknown: 'refused', looks: NULLED, options: {} },
	/** Like `current`, with what the operator has announced for November 2026. */
	coded: {
		operations: joined(STATED, ADDED),
		unknown: 'ignored',
		looks: [{ having: 'update_type', is: 'bot_added', hidden: ['user'] }],
		coded: STATUS_OPERATIONS,
		options: {},
	},
} as const satisfies Record<string, Profile>;

export type ProfileName = keyof typeof PROFILES;

/** Whether a text names a profile. */
export function isProfile(name: string): name is ProfileName {
	return Object.hasOwn(PROFILES, name);
}

/** An answer or update as a service with these looks shows it. */
export function shownAs<T extends object>(looks: readonly Look[], value: T): T | JsonObject {
	return looks.length === 0 ? value : shownObject(looks, value);
}

function shownObject(looks: readonly Look[], value: object): JsonObject {
	const shown: JsonObject = {};
	for (const [key, field] of Object.entries(value)) shown[key] = shownValue(looks, field);
	for (const { having, is = shown[having], hidden = [], null: nulls = [] } of looks) {
		if (shown[having] === undefined || shown[having] !== is) continue;
		for (const key of hidden) delete shown[key];
		for (const key of nulls) shown[key] ??= null;
	}
	return shown;
}

function shownValue(looks: readonly Look[], value: unknown): unknown {
	if (Array.isArray(value)) return value.map((item) => shownValue(looks, item));
	return isObject(value) ? shownObject(looks, value) : value;
}
