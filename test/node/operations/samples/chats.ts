import type { Stage } from '../../support/stage';
import { byId, type Cast } from '../cast';
import { done, gone, type Sample } from './sample';

const pin = async (stage: Stage, { group, message }: Cast) =>
	await stage.call('PUT', `/chats/${group}/pin`, { message_id: message });

/** Operations on chats, members, administrators and pinned messages. */
export const chatSamples: Sample[] = [
	{
		use: 'chat get',
		fields: ({ group }) => ({ chat_id: group }),
		output: ({ group, vera }) => [
			{ chat_id: group, chat_type: 'chat', title: 'Warehouse', owner_id: vera },
		],
	},
	{
		use: 'chat update',
		fields: ({ group }) => ({ chat_id: group, updateFields: { title: 'Night shift' } }),
		output: ({ group }) => [{ chat_id: group, title: 'Night shift' }],
	},
	{
		use: 'chat sendAction',
		fields: ({ group }) => ({ chat_id: group, action: 'typing_on' }),
		output: done,
	},
	{
		use: 'chat leave',
		fields: ({ group }) => ({ chat_id: group }),
		output: gone,
	},
	{
		use: 'member getAll',
		fields: ({ group }) => ({ chat_id: group }),
		output: ({ vera, nina, oleg }) =>
			expect.arrayContaining([
				expect.objectContaining({ user_id: vera, is_owner: true }),
				expect.objectContaining({ user_id: nina, is_admin: true, alias: 'Helper' }),
				expect.objectContaining({ user_id: oleg, user_name: 'Oleg' }),
			]),
	},
	{
		use: 'member add',
		fields: ({ group, stranger }) => ({ chat_id: group, user_ids: stranger }),
		output: ({ stranger }) => [{ success: true, added_user_ids: [stranger] }],
	},
	{
		use: 'member remove',
		fields: ({ group, oleg }) => ({ chat_id: group, user_id: byId(oleg) }),
		output: gone,
	},
	{
		use: 'member getOwnMembership',
		fields: ({ group }) => ({ chat_id: group }),
		output: () => [{ is_bot: true, is_admin: true, permissions: expect.any(Array) }],
	},
	{
		use: 'administrator getAll',
		fields: ({ group }) => ({ chat_id: group, returnAll: true }),
		output: () => [{ is_owner: true }, { is_bot: true }, { alias: 'Helper' }],
	},
	{
		use: 'administrator grantRights',
		fields: ({ group, oleg }) => ({
			chat_id: group,
			admins: { admin: [{ user_id: byId(oleg), permissions: ['pin_message'], alias: 'Pin' }] },
		}),
		output: done,
	},
	{
		use: 'administrator revokeRights',
		fields: ({ group, nina }) => ({ chat_id: group, user_id: byId(nina) }),
		output: gone,
	},
	{
		use: 'pinnedMessage get',
		before: pin,
		fields: ({ group }) => ({ chat_id: group }),
		output: ({ message }) => [{ message_id: message, text: 'Pallet seven' }],
	},
	{
		use: 'pinnedMessage pin',
		fields: ({ group, message }) => ({ chat_id: group, pin: byId(message) }),
		output: done,
	},
	{
		use: 'pinnedMessage unpin',
		before: pin,
		fields: ({ group }) => ({ chat_id: group }),
		output: gone,
	},
];
