import { byId } from '../cast';
import { rights, type Refusal } from './refusal';

/** Bad input and missing rights: members and administrators. */
export const memberRefusals: Refusal[] = [
	{
		what: 'the members of a dialog',
		...{ resource: 'member', operation: 'getAll' },
		fields: ({ dialog }) => ({ chat_id: dialog }),
		message: /dialogs/,
		advice: /not in dialogs/,
		code: 'access.denied',
	},
	{
		what: 'a limit of nothing',
		...{ resource: 'member', operation: 'getAll' },
		fields: ({ group }) => ({ chat_id: group, limit: 0 }),
		message: /^Limit is not a whole number of at least 1$/,
		advice: /Correct the value/,
	},
	{
		what: 'adding members without the right',
		...{ resource: 'member', operation: 'add' },
		before: rights(['read_all_messages']),
		fields: ({ group, stranger }) => ({ chat_id: group, user_ids: stranger }),
		message: /add_remove_members/,
		advice: /right Add and Remove Members/,
		code: 'access.denied',
	},
	{
		what: 'adding members to a channel',
		...{ resource: 'member', operation: 'add' },
		fields: ({ channel, stranger }) => ({ chat_id: channel, user_ids: stranger }),
		message: /group chats only/,
		advice: /join a channel by its link/,
		code: 'access.denied',
	},
	{
		what: 'adding somebody who is a member already',
		...{ resource: 'member', operation: 'add' },
		fields: ({ group, oleg }) => ({ chat_id: group, user_ids: oleg }),
		message: /members already/,
		advice: /nothing has to be done/,
	},
	{
		what: 'adding nobody but unknown users',
		...{ resource: 'member', operation: 'add' },
		fields: ({ group }) => ({ chat_id: group, user_ids: [41, '42'] }),
		message: /^Some users were not added: add\.participant\.not\.found \(41, 42\)$/,
		advice: /no such users/,
		code: 'add.participant.not.found',
	},
	{
		what: 'removing somebody who is no member',
		...{ resource: 'member', operation: 'remove' },
		fields: ({ group, stranger }) => ({ chat_id: group, user_id: byId(stranger) }),
		message: /not a member/,
		advice: /not in the chat/,
	},
	{
		what: 'rights without the right to give them',
		...{ resource: 'administrator', operation: 'grantRights' },
		before: rights(['read_all_messages']),
		fields: ({ group, oleg }) => ({
			chat_id: group,
			admins: { admin: [{ user_id: byId(oleg), permissions: ['add_admins'] }] },
		}),
		message: /add_admins/,
		advice: /right Add Administrators/,
		code: 'access.denied',
	},
	{
		what: 'a right that needs read_all_messages, without it',
		...{ resource: 'administrator', operation: 'grantRights' },
		fields: ({ group, oleg }) => ({
			chat_id: group,
			admins: { admin: [{ user_id: byId(oleg), permissions: ['write'] }] },
			options: { add_read_all_messages: false },
		}),
		message: /read_all_messages/,
		advice: /Choose 'Read All Messages'/,
		code: 'proto.payload',
	},
	{
		what: 'a right that groups do not have',
		...{ resource: 'administrator', operation: 'grantRights' },
		fields: ({ group, oleg }) => ({
			chat_id: group,
			admins: { admin: [{ user_id: byId(oleg), permissions: ['edit'] }] },
		}),
		message: /'edit' is not available in a chat/,
		advice: /where it applies/,
		code: 'proto.payload',
	},
	{
		what: 'a right that does not exist',
		...{ resource: 'administrator', operation: 'grantRights' },
		fields: ({ group }) => ({
			...{ chat_id: group, admins_source: 'json' },
			admins_json: '[{ "user_id": 5, "permissions": ["fly"] }]',
		}),
		message: /could not read the content/,
		advice: /JSON or by an expression/,
		code: 'proto.payload',
	},
	{
		what: 'revoking the rights of an ordinary member',
		...{ resource: 'administrator', operation: 'revokeRights' },
		fields: ({ group, oleg }) => ({ chat_id: group, user_id: byId(oleg) }),
		message: /not an administrator/,
		advice: /no rights to revoke/,
	},
];
