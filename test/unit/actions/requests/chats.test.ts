import { operation as grantRights } from '../../../../nodes/BotMessaging/actions/administrator/grantRights';
import { operation as sendAction } from '../../../../nodes/BotMessaging/actions/chat/sendAction';
import { operation as updateChat } from '../../../../nodes/BotMessaging/actions/chat/update';
import { operation as removeMember } from '../../../../nodes/BotMessaging/actions/member/remove';
import { operation as pin } from '../../../../nodes/BotMessaging/actions/pinnedMessage/pin';
import type { JsonObject } from '../../../../nodes/BotMessaging/service/json';
import type { ServiceRequest } from '../../../../nodes/BotMessaging/service/types';
import { locator, testRefusals, testRequests } from './form';

const MID = 'mid.ffffbf3668e29b35019f9a4d46a01f01';
const BIG = '9007199254740993';

/** The request that changes chat 7. */
const changed = (body: JsonObject): ServiceRequest => ({
	method: 'PATCH',
	twice: 'same',
	path: '/chats/7',
	body,
});

/** The request that gives rights in chat 7. */
const granted = (...admins: JsonObject[]): ServiceRequest => ({
	method: 'POST',
	twice: 'same',
	path: '/chats/7/members/admins',
	body: { admins },
});

testRequests([
	[
		'Chat → Update with everything',
		updateChat,
		{
			chat_id: '7',
			updateFields: { title: 'T', icon_url: 'https://a.example/i.png', pin: locator(MID) },
		},
		changed({ title: 'T', icon: { url: 'https://a.example/i.png' }, pin: MID }),
	],
	[
		'Chat → Update with an icon by token',
		updateChat,
		{ chat_id: '7', updateFields: { icon_token: 'tok+/=' } },
		changed({ icon: { token: 'tok+/=' } }),
	],
	[
		'Chat → Update with the photos of an upload, their tokens untouched',
		updateChat,
		{ chat_id: '7', updateFields: { icon_photos: '{"k+/=": {"token": "tok+/="}}' } },
		changed({ icon: { photos: { 'k+/=': { token: 'tok+/=' } } } }),
	],
	[
		'Chat → Update with the whole answer of an upload host as photos',
		updateChat,
		{ chat_id: '7', updateFields: { icon_photos: '{"photos": {"k": {"token": "t"}}}' } },
		changed({ icon: { photos: { k: { token: 't' } } } }),
	],
	[
		'Chat → Update sends null only for the chosen fields',
		updateChat,
		{ chat_id: '7', updateFields: { send_null_for: ['icon', 'pin'], title: 'T' } },
		changed({ icon: null, pin: null, title: 'T' }),
	],
	[
		'Administrator → Grant Rights to several users adds read_all_messages where a right needs it',
		grantRights,
		{
			chat_id: '7',
			admins_source: 'rows',
			admins: {
				admin: [
					{ user_id: locator('5'), permissions: ['write', 'add_admins'], alias: 'Chief' },
					{ user_id: BIG, permissions: 'add_admins, edit_link' },
					{ user_id: 6, permissions: ['read_all_messages', 'delete'] },
				],
			},
		},
		granted(
			{
				user_id: 5n,
				alias: 'Chief',
				permissions: ['read_all_messages', 'write', 'add_admins'],
			},
			{ user_id: BigInt(BIG), permissions: ['add_admins', 'edit_link'] },
			{ user_id: 6n, permissions: ['read_all_messages', 'delete'] },
		),
	],
	[
		'Administrator → Grant Rights adds no right when that is switched off',
		grantRights,
		{
			chat_id: '7',
			admins_source: 'rows',
			admins: { admin: [{ user_id: '5', permissions: ['write'] }] },
			options: { add_read_all_messages: false },
		},
		granted({ user_id: 5n, permissions: ['write'] }),
	],
	[
		'Administrator → Grant Rights as the service lists them, with legacy names among the current ones',
		grantRights,
		{
			chat_id: '7',
			admins_source: 'json',
			admins_json: [
				{ user_id: 5, permissions: ['edit_message', 'edit', 'post_edit_delete_message'] },
				{ user_id: 6, permissions: ['read_all_messages', 'delete_message', 'read_all_messages'] },
				{ user_id: 8, permissions: [] },
			],
		},
		granted(
			{ user_id: 5n, permissions: ['read_all_messages', 'edit', 'write'] },
			{ user_id: 6n, permissions: ['read_all_messages', 'delete'] },
			{ user_id: 8n, permissions: [] },
		),
	],
	[
		'Pinned Message → Pin sends Notify when it is switched off',
		pin,
		{ chat_id: '7', pin: locator(MID), options: { notify: false } },
		{
			method: 'PUT',
			twice: 'same',
			path: '/chats/7/pin',
			body: { message_id: MID, notify: false },
		},
	],
]);

testRefusals([
	[
		'an action that the menu does not have',
		sendAction,
		{ chat_id: 1, action: 'typing' },
		'Action is not one of its choices: typing',
	],
	[
		'a field to send as null that the menu does not have',
		updateChat,
		{ chat_id: 1, updateFields: { title: 'T', send_null_for: 'owner' } },
		'Send Null For has an entry that is not one of its choices: owner',
	],
	['an empty list choice', removeMember, { chat_id: 1, user_id: locator('') }, 'Member is empty'],
	[
		'an update without fields',
		updateChat,
		{ chat_id: 1, updateFields: {} },
		'Update Fields has no field',
	],
	[
		'two icons',
		updateChat,
		{ chat_id: 1, updateFields: { icon_url: 'https://a.example', icon_token: 't' } },
		'Icon URL is not the only field for the icon',
	],
	[
		'no administrator',
		grantRights,
		{ chat_id: 1, admins_source: 'rows', admins: {} },
		'Administrator List is empty',
	],
	[
		'administrators that are not a list',
		grantRights,
		{ chat_id: 1, admins_source: 'json', admins_json: '{"user_id":1}' },
		'Administrators JSON is not a list of objects',
	],
	[
		'administrators that are not JSON',
		grantRights,
		{ chat_id: 1, admins_source: 'json', admins_json: '[{' },
		'Administrators JSON is not valid JSON',
	],
]);
