import { grant, revoke } from '../world/membership';
import { assignable, lacksReadAll, type Permission, permissionOf } from '../world/rights';
import { renderMember } from '../world/render';
import { asId } from '../world/ids';
import type { Chat, Id, Member } from '../world/types';
import { administration, type MemberPlace, withRight } from './access';
import { badRequest, cannotDeserialize, notFound } from './errors';
import type { Fields } from './fields';
import { type Call, failure, type Routes, SUCCESS } from './route';

const MOST_ADMINISTRATORS = 50;

export const adminRoutes: Routes = {
	'GET /chats/:chatId/members/admins': (call) => {
		const { chat } = administration(call);
		return { members: administrators(chat).map((member) => renderMember(member)) };
	},
	'POST /chats/:chatId/members/admins': grantRights,
	'DELETE /chats/:chatId/members/admins/:userId': revokeRights,
};

interface Wish {
	user_id: Id;
	permissions: Set<Permission>;
	alias?: string;
}

function grantRights(call: Call) {
	const { world, bot, body } = call;
	const wishes = body.required('admins', body.objects('admins')).map(readWish);
	const { chat } = withRight(call, 'add_admins');
	const refusal = wishes.map((wish) => refuse(chat, wish)).find((text) => text !== undefined);
	if (refusal !== undefined) return failure(refusal);
	const fresh = wishes.filter(({ user_id }) => !isAdministrator(chat.members.get(user_id)));
	if (administrators(chat).length + fresh.length > MOST_ADMINISTRATORS) {
		return failure(`A chat has at most ${MOST_ADMINISTRATORS} administrators`);
	}
	for (const { user_id, permissions, alias } of wishes) {
		const member = chat.members.get(user_id);
		if (member !== undefined) grant(world, chat, member, permissions, alias, bot);
	}
	return SUCCESS;
}

function readWish(item: Fields): Wish {
	const fields = item.known('user_id', 'permissions', 'alias');
	const user_id = fields.required('user_id', fields.id('user_id'));
	const names = fields.required('permissions', fields.texts('permissions'));
	const permissions = names.map((name) => permissionOf(name) ?? unknownRight());
	return { user_id, permissions: new Set(permissions), alias: fields.text('alias') };
}

function unknownRight(): never {
	throw cannotDeserialize();
}

/** Why rights cannot be granted, for reasons that give an unsuccessful result; others are thrown. */
function refuse(chat: Chat, { user_id, permissions }: Wish): string | undefined {
	const member = chat.members.get(user_id);
	if (member === undefined) return `User ${user_id} is not a member of the chat`;
	if (member.is_owner) return 'The rights of the owner cannot be changed';
	const lacking = lacksReadAll(permissions, member.permissions);
	if (lacking !== undefined) {
		throw badRequest(`Permission '${lacking}' requires permission 'read_all_messages'`);
	}
	const possible = assignable(chat.type);
	const impossible = [...permissions].find((permission) => !possible.includes(permission));
	if (impossible !== undefined) {
		throw badRequest(`Permission '${impossible}' is not available in a ${chat.type}`);
	}
	return undefined;
}

function revokeRights(call: Call) {
	const { chat }: MemberPlace = withRight(call, 'add_admins');
	const id = asId(call.path.userId);
	if (id === undefined) throw notFound(`User ${call.path.userId} not found`);
	const member = chat.members.get(id);
	if (member === undefined || !isAdministrator(member)) {
		return failure(`User ${id} is not an administrator of the chat`);
	}
	if (member.is_owner) return failure('The rights of the owner cannot be changed');
	revoke(call.world, chat, member, call.bot);
	return SUCCESS;
}

function administrators(chat: Chat): Member[] {
	return [...chat.members.values()].filter(isAdministrator);
}

function isAdministrator(member: Member | undefined): boolean {
	return member?.is_admin === true || member?.is_owner === true;
}
