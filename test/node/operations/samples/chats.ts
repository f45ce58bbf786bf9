import type { Stage } from '../../support/stage';
import { byId, callService, type Cast } from '../cast';
import { done, gone, type Sample } from './sample';

const pin = async (stage: Stage, { group, message }: Cast) =>
	await callService(stage, 'PUT', `/chats/${group}/pin`, { message_id: message });

/** Operations on chats, members, administrators and pinned messages. */
export const chatSamples: Sample[] = [
	{
		resource: 'chat',
		operation: 'get',
		fields: ({ group }) => ({ chat_id: group }),
		output: ({ group, vera }) => [
			{ chat_id: group, chat_type: 'chat', title: 'Warehouse', owner_id: vera },
		],
	},
	{
		resource: 'chat',
		operation: 'update',
		fields: ({ group }) => ({ chat_id: group, updateFields: { title: 'Night shift' } }),
		output: ({ group }) => [{ chat_id: group, title: 'Night shift' }],
	},
	{
		resource: 'chat',
		operation: 'sendAction',
		fields: ({ group }) => ({ chat_id: group, action: 'typing_on' }),
		output: done,
	},
	{
		resource: 'chat',
		operation: 'leave',
		fields: ({ group }) => ({ chat_id: group }),
		output: gone,
	},
	{
		resource: 'member',
		operation: 'getAll',
		fields: ({ group }) => ({ chat_id: group }),
		output: ({ vera, nina, oleg }) =>
			expect.arrayContaining([
				expect.objectContaining({ user_id: vera, is_owner: true }),
				expect.objectContaining({ user_id: nina, is_admin: true, alias: 'Helper' }),
				expect.objectContaining({ user_id: oleg, user_name: 'Oleg' }),
			]),
	},
	{
		resource: 'member',
		operation: 'add',
		fields: ({ group, stranger }) => ({ chat_id: group, user_ids: stranger }),
		output: ({ stranger }) => [{ success: true, added_user_ids: [stranger] }],
	},
	{
		resource: 'member',
		operation: 'remove',
		fields: ({ group, oleg }) => ({ chat_id: group, user_id: byId(oleg) }),
		output: gone,
	},
	{
		resource: 'member',
		operation: 'getOwnMembership',
		fields: ({ group }) => ({ chat_id: group }),
		output: () => [{ is_bot: true, is_admin: true, permissions: expect.any(Array) }],
	},
	{
		resource: 'administrator',
		operation: 'getAll',
		fields: ({ group }) => ({ chat_id: group, returnAll: true }),
		output: () => [{ is_owner: true }, { is_bot: true }, { alias: 'Helper' }],
	},
	{
		resource: 'administrator',
		operation: 'grantRights',
		fields: ({ group, oleg }) => ({
			chat_id: group,
			admins: { admin: [{ user_id: byId(oleg), permissions: ['pin_message'], alias: 'Pin' }] },
		}),
		output: done,
	},
	{
		resource: 'administrator',
		operation: 'revokeRights',
		fields: ({ group, nina }) => ({ chat_id: group, user_id: byId(nina) }),
		output: gone,
	},
	{
		resource: 'pinnedMessage',
		operation: 'get',
		before: pin,
		fields: ({ group }) => ({ chat_id: group }),
		output: ({ message }) => [{ message_id: message, text: 'Pallet seven' }],
	},
	{
		resource: 'pinnedMessage',
		operation: 'pin',
		fields: ({ group, message }) => ({ chat_id: group, pin: byId(message) }),
		output: done,
	},
	{
		resource: 'pinnedMessage',
		operation: 'unpin',
		before: pin,
		fields: ({ group }) => ({ chat_id: group }),
		output: gone,
	},
];
