import { badRequest } from '../api/errors';
import { Fields } from '../api/fields';
import type { JsonObject } from '../json';
import { given } from '../options';
import { asId } from '../world/ids';
import { type DialogAction, openDialog, start, treatDialog } from '../world/dialogs';
import { changed, join, type Joining, rename } from '../world/membership';
import { assignable, type Permission, permissionOf, shownPermissions } from '../world/rights';
import type { Chat, ChatType, Member } from '../world/types';
import type { World } from '../world/world';
import { botOf, chatOf, personOf, type ControlRequest, type ControlRoutes } from './route';

const DIALOG_ACTIONS: DialogAction[] = ['stop', 'clear', 'remove', 'mute', 'unmute'];

export const controlChatRoutes: ControlRoutes = {
	'POST /chats': createChat,
	'GET /chats/:chatId': (call) => showChat(chatOf(call)),
	'PATCH /chats/:chatId': changeChat,
	'POST /start': startBot,
	...Object.fromEntries(
		DIALOG_ACTIONS.map((action) => [
			`POST /chats/:chatId/${action}`,
			(call: ControlRequest) => treat(call, action),
		]),
	),
};

function treat(call: ControlRequest, action: DialogAction): JsonObject {
	const chat = chatOf(call);
	if (chat.dialog === undefined) throw badRequest(`Only a dialog can be treated so: ${action}`);
	treatDialog(call.world, chat, action, call.body.number('muted_until'));
	return showChat(chat);
}

/** The settings of a chat; its title can change with an event. */
const TEXTS = ['description', 'icon_url', 'link'] as const;
const FLAGS = [
	'is_public',
	'closed',
	'forward_forbidden',
	'comments_disabled',
	'signatures',
] as const;
export type ChatSetting = 'title' | (typeof TEXTS | typeof FLAGS)[number];

/** A chat with everything but its messages. */
export function showChat(chat: Chat): JsonObject {
	const { dialog, pinned } = chat;
	return {
		...Object.fromEntries(['title' as const, ...TEXTS, ...FLAGS].map((name) => [name, chat[name]])),
		chat_id: chat.chat_id,
		type: chat.type,
		last_event_time: chat.last_event_time,
		messages_count: chat.messages_count,
		pinned_message_id: pinned?.mid,
		members: dialog === undefined ? [...chat.members.values()].map(showMember) : undefined,
		blocked: dialog === undefined ? [...chat.blocked] : undefined,
		bot_id: dialog?.bot.user_id,
		user_id: dialog?.user.user_id,
		suspended: dialog?.suspended,
		muted_until: dialog?.muted_until,
	};
}

function showMember(member: Member): JsonObject {
	const { person, is_owner, is_admin, alias } = member;
	const { user_id, is_bot } = person;
	const rights = is_admin || is_owner ? shownPermissions(member) : undefined;
	return { user_id, is_bot, is_owner, is_admin, permissions: rights, alias };
}

function createChat({ world, body }: ControlRequest): JsonObject {
	const type = body.text('type') ?? 'chat';
	if (type === 'dialog') {
		const bot = botOf(world, body.looseId('bot_id'));
		return showChat(openDialog(world, bot, personOf(world, body.looseId('user_id'))));
	}
	if (type !== 'chat' && type !== 'channel') throw badRequest(`Unknown chat type: ${type}`);
	const chat_id = body.looseId('chat_id');
	if (chat_id !== undefined && world.chats.has(chat_id)) throw badRequest(`Chat ${chat_id} exists`);
	const title = body.text('title') ?? 'Chat';
	const joiners = joinersOf(world, type, body);
	const chat = world.addChat({ type, title, ...chatFields(body), ...(chat_id && { chat_id }) });
	if (chat.is_public) chat.link ??= `https://service.invalid/${type}${chat.chat_id}`;
	const silent = body.flag('silent') ?? false;
	const owner = joiners.find(({ joining }) => joining.owner);
	for (const { id, joining } of joiners) {
		const person = personOf(world, id);
		// Bots are notified that they were added, unless the test wants silence.
		join(world, chat, person, {
			...joining,
			by: id === owner?.id ? undefined : owner && personOf(world, owner.id),
			silent: silent || !person.is_bot,
		});
	}
	changed(world, chat);
	return showChat(chat);
}

interface Joiner {
	id: bigint;
	joining: Joining;
}

/** Owner, administrators and members that will join, each once. */
function joinersOf(world: World, type: ChatType, body: Fields): Joiner[] {
	const owner = body.looseId('owner_id');
	const admins = (body.list('admins') ?? []).map((item): Joiner => {
		const fields = Fields.of(item);
		const id = fields.required('user_id', fields.looseId('user_id'));
		return { id, joining: adminFields(fields, type) };
	});
	const members = (body.list('members') ?? []).map((item): Joiner => {
		const id = asId(item);
		if (id === undefined) throw badRequest("Field 'members' must be a list of user ids");
		return { id, joining: {} };
	});
	const owners = owner === undefined ? [] : [{ id: owner, joining: { owner: true } }];
	const byId = new Map<bigint, Joiner>();
	for (const joiner of [...owners, ...admins, ...members]) {
		personOf(world, joiner.id);
		if (!byId.has(joiner.id)) byId.set(joiner.id, joiner);
	}
	return [...byId.values()];
}

/** The given rights, or all that exist. */
export function adminFields(
	fields: Fields,
	type: ChatType,
): Pick<Joining, 'permissions' | 'alias'> {
	const permissions = rightsOf(fields) ?? assignable(type);
	return { permissions, alias: fields.text('alias') };
}

function rightsOf(fields: Fields): Permission[] | undefined {
	return fields.texts('permissions')?.map((name) => {
		const permission = permissionOf(name);
		if (permission === undefined) throw badRequest(`Unknown permission: ${name}`);
		return permission;
	});
}

function chatFields(body: Fields): Partial<Chat> {
	return given({
		...Object.fromEntries(TEXTS.map((name) => [name, body.text(name)])),
		...Object.fromEntries(FLAGS.map((name) => [name, body.flag(name)])),
	});
}

function changeChat(call: ControlRequest): JsonObject {
	const { world, body } = call;
	const chat = chatOf(call);
	const title = body.text('title');
	const by = body.looseId('by');
	Object.assign(chat, chatFields(body));
	if (title !== undefined && by !== undefined) rename(world, chat, title, personOf(world, by));
	else if (title !== undefined) chat.title = title;
	changed(world, chat);
	return showChat(chat);
}

function startBot({ world, body }: ControlRequest): JsonObject {
	const bot = botOf(world, body.looseId('bot_id'));
	const user = personOf(world, body.looseId('user_id'));
	return showChat(start(world, bot, user, body.text('payload')));
}
