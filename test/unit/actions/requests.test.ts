import { operation as grantRights } from '../../../nodes/BotMessaging/actions/administrator/grantRights';
import { operation as setCommands } from '../../../nodes/BotMessaging/actions/bot/setCommands';
import { catalogue } from '../../../nodes/BotMessaging/actions/catalogue';
import { operation as updateChat } from '../../../nodes/BotMessaging/actions/chat/update';
import { operation as createComment } from '../../../nodes/BotMessaging/actions/comment/create';
import { operation as editComment } from '../../../nodes/BotMessaging/actions/comment/edit';
import { operation as getMessage } from '../../../nodes/BotMessaging/actions/message/get';
import type { RequestOperation } from '../../../nodes/BotMessaging/actions/operation';
import { operation as pin } from '../../../nodes/BotMessaging/actions/pinnedMessage/pin';
import { operation as subscribe } from '../../../nodes/BotMessaging/actions/subscription/create';
import { operation as getUpdates } from '../../../nodes/BotMessaging/actions/update/getMany';
import type { JsonObject } from '../../../nodes/BotMessaging/service/json';
import type { ServiceRequest } from '../../../nodes/BotMessaging/service/types';
import { formOf, type Values } from '../form/formOf';

/** What n8n stores for a field that is chosen from a list or given by its ID. */
const locator = (value: string) => ({ __rl: true, mode: 'id', value });

const MID = 'mid.ffffbf3668e29b35019f9a4d46a01f01';
/** The chat whose ID the message ID contains (wire 2). */
const KEY = 'chat -71234567890123';
const BIG = '9007199254740993';
const comment = { message_id: MID, comment_id: locator('mid.2') };
const COMMENTS = `/messages/${MID}/comments`;

/** A request that may arrive twice. */
const request = (
	method: Exclude<ServiceRequest['method'], 'GET'>,
	path: string,
	body: JsonObject,
): ServiceRequest => ({
	method,
	twice: 'same',
	path,
	body,
});

/** The request that changes chat 7. */
const changed = (body: JsonObject) => request('PATCH', '/chats/7', body);

/** The request that gives rights in chat 7. */
const granted = (...admins: JsonObject[]) => request('POST', '/chats/7/members/admins', { admins });

/** The request that sets the commands of the bot. */
const given = (...commands: JsonObject[]) => request('PATCH', '/me/commands', { commands });

/** The request that edits the comment. */
const edited = (body: JsonObject): ServiceRequest => ({
	...request('PUT', COMMENTS, body),
	chat: KEY,
	query: { comment_id: 'mid.2' },
});

/** The request that polls for updates. */
const polled = (timeoutMs: number, query: ServiceRequest['query']): ServiceRequest => ({
	method: 'GET',
	path: '/updates',
	chat: 'polls',
	query,
	timeoutMs,
});

/** Name, operation, filled-in fields, and the request that has to come of them. */
test.each<[string, RequestOperation, Values, ServiceRequest]>([
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
		request('PUT', '/chats/7/pin', { message_id: MID, notify: false }),
	],
	[
		'Bot → Set Commands as JSON',
		setCommands,
		{ commands_source: 'json', commands_json: '[{"name":"help","description":"Help"}]' },
		given({ name: 'help', description: 'Help' }),
	],
	[
		'Bot → Set Commands with an empty list, which removes them',
		setCommands,
		{ commands_source: 'rows', commands: {} },
		given(),
	],
	[
		'Message → Get encodes the ID',
		getMessage,
		{ message_id: 'mid.a/b?c#d' },
		{ method: 'GET', path: '/messages/mid.a%2Fb%3Fc%23d' },
	],
	[
		'Comment → Create',
		createComment,
		{
			message_id: MID,
			text: '**Hi**',
			format: 'markdown',
			options: { reply_to_comment_id: 'mid.9', disable_link_preview: false },
		},
		{
			method: 'POST',
			twice: 'again',
			path: COMMENTS,
			chat: KEY,
			query: { disable_link_preview: false },
			body: { text: '<b>Hi</b>', format: 'html', link: { type: 'reply', mid: 'mid.9' } },
		},
	],
	[
		'Comment → Edit with a format in capitals, as the service takes it',
		editComment,
		{ ...comment, text: '<i>Hello</i>', format: 'HTML' },
		edited({ text: '<i>Hello</i>', format: 'html' }),
	],
	[
		"Comment → Edit with blanks around the post's ID, at the pace of its chat all the same",
		editComment,
		{ ...comment, message_id: ` ${MID}\n`, text: 'Hello' },
		edited({ text: 'Hello' }),
	],
	[
		'Subscription → Create for all events',
		subscribe,
		{ url: 'https://a.example/hook' },
		request('POST', '/subscriptions', { url: 'https://a.example/hook' }),
	],
	[
		'Subscription → Create with events',
		subscribe,
		{ url: 'https://a.example/hook', options: { update_types: ['bot_added', 'bot_started'] } },
		request('POST', '/subscriptions', {
			url: 'https://a.example/hook',
			update_types: ['bot_added', 'bot_started'],
		}),
	],
	[
		'Update → Get Many with defaults waits longer than the service holds a request (30 s)',
		getUpdates,
		{},
		polled(60_000, {}),
	],
	[
		'Update → Get Many waits longer than the longest timeout (90 s), with an exact marker',
		getUpdates,
		{ options: { timeout: 90, marker: BIG } },
		polled(120_000, { timeout: 90, marker: BigInt(BIG) }),
	],
])('%s', (_name, operation, values, expected) => {
	expect(operation.request(formOf(operation, values))).toEqual(expected);
});

/** What is given, the operation, filled-in fields, and the message that has to come of them. */
test.each<[string, RequestOperation, Values, string]>([
	[
		'a field to send as null that the menu does not have',
		updateChat,
		{ chat_id: 1, updateFields: { title: 'T', send_null_for: 'owner' } },
		'Send Null For has an entry that is not one of its choices: owner',
	],
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
	['an ID that would leave its path', getMessage, { message_id: '..' }, 'Message ID is not an ID'],
	[
		'an ID with a lone surrogate',
		getMessage,
		{ message_id: 'mid.\ud83d' },
		'Message ID is not an ID',
	],
	[
		'a command without a name',
		setCommands,
		{ commands_source: 'rows', commands: { command: [{ name: '' }] } },
		'Name of command 1 is empty',
	],
])('Refuses %s and names the field', (_name, operation, values, message) => {
	expect(() => operation.request(formOf(operation, values))).toThrow(message);
});

test('Items keep their order where a later one overwrites an earlier one, or people see which came first', () => {
	const ids = { chat_id: '7', ...comment, callback_id: 'c5', url: 'https://a.example/hook' };
	const lanes = catalogue.flatMap(({ value, operations }) =>
		operations.flatMap((each) => {
			const lane = each.lane?.(formOf(each, ids));
			return lane === undefined ? [] : [[`${value} ${each.value}`, lane]];
		}),
	);
	expect(Object.fromEntries(lanes)).toEqual({
		'administrator grantRights': 'chat 7',
		'bot setCommands': 'commands',
		'callback answer': 'c5',
		'chat sendAction': 'chat 7',
		'chat update': 'chat 7',
		'comment create': MID,
		'comment edit': 'mid.2',
		'member add': 'chat 7',
		'message edit': KEY,
		'message send': 'chat 7',
		'message sendOrEdit': 'chat 7',
		'pinnedMessage pin': 'chat 7',
		'subscription create': 'https://a.example/hook',
		'update getAll': 'updates',
	});
});
