import { byId } from '../cast';
import { rights, type Refusal } from './refusal';

/** A limit that is none. */
const limit = (how: string, given: number | string, message: RegExp, advice: RegExp): Refusal => ({
	what: `a limit ${how}`,
	use: 'member getAll',
	fields: ({ group }) => ({ chat_id: group, limit: given }),
	message,
	advice,
});

/** The form that gives a person a right. */
const granting = (chat_id: string, user: string, right: string) => ({
	chat_id,
	admins: { admin: [{ user_id: byId(user), permissions: [right] }] },
});

/** Bad input and missing rights: members and administrators. */
export const memberRefusals: Refusal[] = [
	{
		what: 'the members of a dialog',
		use: 'member getAll',
		fields: ({ dialog }) => ({ chat_id: dialog }),
		message: /dialogs/,
		advice: /not in dialogs/,
		code: 'access.denied',
	},
	limit('of nothing', 0, /^Limit is not a whole number of at least 1: 0$/, /Correct the value/),
	limit(
		'in fractions',
		1.5,
		/^Limit is not a whole number of at least 1: 1\.5$/,
		/Correct the value/,
	),
	limit(
		'whose expression gives nothing',
		'={{ $json.limit }}',
		/^Limit is empty: its expression gave nothing/,
		/Compare the expression/,
	),
	{
		what: 'adding members without the right',
		use: 'member add',
		before: rights(['read_all_messages']),
		fields: ({ group, stranger }) => ({ chat_id: group, user_ids: stranger }),
		message: /add_remove_members/,
		advice: /right Add and Remove Members/,
		code: 'access.denied',
	},
	{
		what: 'adding members to a channel',
		use: 'member add',
		fields: ({ channel, stranger }) => ({ chat_id: channel, user_ids: stranger }),
		message: /group chats only/,
		advice: /join a channel by its link/,
		code: 'access.denied',
	},
	{
		what: 'adding somebody who is a member already',
		use: 'member add',
		fields: ({ group, oleg }) => ({ chat_id: group, user_ids: oleg }),
		message: /members already/,
		advice: /nothing has to be done/,
	},
	{
		what: 'adding nobody but unknown users',
		use: 'member add',
		fields: ({ group }) => ({ chat_id: group, user_ids: [41, '42'] }),
		message: /^Some users were not added: add\.participant\.not\.found \(41, 42\)$/,
		advice: /no such users/,
		code: 'add.participant.not.found',
	},
	{
		what: 'removing somebody who is no member',
		use: 'member remove',
		fields: ({ group, stranger }) => ({ chat_id: group, user_id: byId(stranger) }),
		message: /not a member/,
		advice: /^Check 'Member': .* nobody to remove/,
	},
	{
		what: 'rights for somebody who is no member',
		use: 'administrator grantRights',
		fields: ({ group, stranger }) => granting(group, stranger, 'read_all_messages'),
		message: /not a member/,
		advice: /Add them first/,
	},
	{
		what: 'rights without the right to give them',
		use: 'administrator grantRights',
		before: rights(['read_all_messages']),
		fields: ({ group, oleg }) => granting(group, oleg, 'add_admins'),
		message: /add_admins/,
		advice: /right Add Administrators/,
		code: 'access.denied',
	},
	{
		what: 'a right that needs read_all_messages, without it',
		use: 'administrator grantRights',
		fields: ({ group, oleg }) => ({
			...granting(group, oleg, 'write'),
			options: { add_read_all_messages: false },
		}),
		message: /read_all_messages/,
		advice: /Choose 'Read All Messages'/,
		code: 'proto.payload',
	},
	{
		what: 'a right that groups do not have',
		use: 'administrator grantRights',
		fields: ({ group, oleg }) => granting(group, oleg, 'edit'),
		message: /'edit' is not available in a chat/,
		advice: /where it applies/,
		code: 'proto.payload',
	},
	{
		what: 'a right that does not exist',
		use: 'administrator grantRights',
		fields: ({ group }) => ({
			chat_id: group,
			admins_source: 'json',
			admins_json: '[{ "user_id": 5, "permissions": ["fly"] }]',
		}),
		message: /could not read the content/,
		advice: /^Check 'Rights' .+ JSON or by an expression\. .+ pin_message.+ write\./,
		code: 'proto.payload',
	},
	{
		what: 'revoking the rights of an ordinary member',
		use: 'administrator revokeRights',
		fields: ({ group, oleg }) => ({ chat_id: group, user_id: byId(oleg) }),
		message: /not an administrator/,
		advice: /no rights to revoke/,
	},
];
