import { badRequest } from '../api/errors';
import type { JsonObject } from '../json';
import { asId } from '../world/ids';
import { grant, join, leave, revoke } from '../world/membership';
import type { Chat, Member } from '../world/types';
import { adminFields, showChat } from './chats';
import { chatOf, personOf, type ControlRequest, type ControlRoutes } from './route';

export const controlMemberRoutes: ControlRoutes = {
	'POST /chats/:chatId/members': addMember,
	'PATCH /chats/:chatId/members/:userId': changeMember,
	'DELETE /chats/:chatId/members/:userId': removeMember,
};

function addMember(call: ControlRequest): JsonObject {
	const { world, body } = call;
	const chat = groupOf(call);
	const person = personOf(world, body.looseId('user_id'));
	if (chat.members.has(person.user_id)) throw badRequest('The user is a member already');
	const by = body.looseId('by');
	if (by === undefined && chat.blocked.has(person.user_id)) {
		throw badRequest('The user is blocked and cannot join by its own will');
	}
	chat.blocked.delete(person.user_id);
	join(world, chat, person, {
		by: by === undefined ? undefined : personOf(world, by),
		...(body.has('permissions') ? adminFields(body, chat.type) : {}),
		silent: body.flag('silent'),
	});
	return showChat(chat);
}

/** `permissions: null` makes an ordinary member, a list an administrator. */
function changeMember(call: ControlRequest): JsonObject {
	const { world, body } = call;
	const chat = groupOf(call);
	const member = memberOf(call, chat);
	const owner = [...chat.members.values()].find(({ is_owner }) => is_owner);
	const by = personOf(world, body.looseId('by') ?? owner?.person.user_id ?? member.person.user_id);
	if (body.isNull('permissions')) {
		revoke(world, chat, member, by);
	} else {
		const { permissions = [], alias } = adminFields(body, chat.type);
		grant(world, chat, member, permissions, alias, by);
	}
	return showChat(chat);
}

function removeMember(call: ControlRequest): JsonObject {
	const { world, query } = call;
	const chat = groupOf(call);
	const by = query.id('by');
	const { person } = memberOf(call, chat);
	leave(world, chat, person, by === undefined ? undefined : personOf(world, by));
	return showChat(chat);
}

function groupOf(call: ControlRequest): Chat {
	const chat = chatOf(call);
	if (chat.dialog !== undefined) throw badRequest('A dialog has no members');
	return chat;
}

function memberOf({ path }: ControlRequest, chat: Chat): Member {
	const member = chat.members.get(asId(path.userId) ?? 0n);
	if (member === undefined) throw badRequest(`User ${path.userId} is not a member`);
	return member;
}
