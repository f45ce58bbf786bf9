import type { JsonObject } from '../json';
import { join, leave } from '../world/membership';
import { renderMember } from '../world/render';
import type { Chat, Id, Member } from '../world/types';
import { administration, membership, withRight } from './access';
import { accessDenied, badRequest } from './errors';
import { type Call, failure, type Routes, SUCCESS } from './route';

const MOST_ADDED = 100;

export const memberRoutes: Routes = {
	'GET /chats/:chatId/members': list,
	'POST /chats/:chatId/members': add,
	'DELETE /chats/:chatId/members': removeMember,
	'GET /chats/:chatId/members/me': (call) => {
		const { me } = membership(call);
		return renderMember(me);
	},
	'DELETE /chats/:chatId/members/me': leaveChat,
};

function list(call: Call) {
	const ids = call.query.ids('user_ids');
	const count = call.query.integer('count', { min: 1, max: 100 }) ?? 20;
	const marker = call.query.id('marker');
	const { chat } = administration(call);
	if (ids !== undefined) {
		const members = ids.flatMap((id) => chat.members.get(id) ?? []);
		return { members: members.map((member) => renderMember(member)) };
	}
	const rest = after(chat, marker);
	const page = rest.slice(0, count);
	return {
		members: page.map((member) => renderMember(member)),
		marker: rest.length > count ? page.at(-1)?.ordinal : undefined,
	};
}

function after(chat: Chat, marker: Id | undefined): Member[] {
	const members = [...chat.members.values()];
	return marker === undefined ? members : members.filter(({ ordinal }) => BigInt(ordinal) > marker);
}

function add(call: Call) {
	const { world, bot, body } = call;
	const ids = body.required('user_ids', body.ids('user_ids'));
	if (ids.length > MOST_ADDED) {
		throw badRequest(`Field 'user_ids' size (${ids.length}) must be at most ${MOST_ADDED}`);
	}
	const { chat } = withRight(call, 'add_remove_members');
	if (chat.type !== 'chat') throw accessDenied('Members can be added to group chats only');
	if (ids.length === 0) return failure('No users to add');
	const failed: Refused = { 'add.participant.privacy': [], 'add.participant.not.found': [] };
	let added = 0;
	for (const id of new Set(ids)) {
		const person = world.people.get(id);
		if (person === undefined) failed['add.participant.not.found'].push(id);
		else if (person.private_profile || chat.blocked.has(id))
			failed['add.participant.privacy'].push(id);
		else if (!chat.members.has(id)) {
			join(world, chat, person, { by: bot });
			added += 1;
		}
	}
	return result(failed, added);
}

type Refused = Record<'add.participant.privacy' | 'add.participant.not.found', Id[]>;

function result(failed: Refused, added: number): JsonObject {
	const details = Object.entries(failed)
		.filter(([, user_ids]) => user_ids.length > 0)
		.map(([error_code, user_ids]) => ({ error_code, user_ids }));
	if (details.length === 0) {
		return added > 0 ? { success: true } : { ...failure('Users are members already') };
	}
	return {
		...failure('Some users were not added'),
		failed_user_ids: details.flatMap(({ user_ids }) => user_ids),
		failed_user_details: details,
	};
}

function removeMember(call: Call) {
	const { world, bot, query } = call;
	const id = query.required('user_id', query.id('user_id'));
	const block = query.flag('block') ?? false;
	const { chat } = withRight(call, 'add_remove_members');
	const member = chat.members.get(id);
	if (member === undefined) return failure(`User ${id} is not a member of the chat`);
	if (member.is_owner) return failure('The owner cannot be removed');
	leave(world, chat, member.person, bot);
	// Blocking only makes sense where people can come back by themselves: through the chat's link.
	if (block && chat.link !== undefined) chat.blocked.add(id);
	return SUCCESS;
}

function leaveChat(call: Call) {
	const { chat, me } = membership(call);
	if (me.is_owner) return failure('The owner cannot leave the chat');
	leave(call.world, chat, call.bot);
	return SUCCESS;
}
