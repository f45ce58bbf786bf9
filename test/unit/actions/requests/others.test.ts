import { operation as setCommands } from '../../../../nodes/BotMessaging/actions/bot/setCommands';
import { operation as createComment } from '../../../../nodes/BotMessaging/actions/comment/create';
import { operation as editComment } from '../../../../nodes/BotMessaging/actions/comment/edit';
import { operation as getComment } from '../../../../nodes/BotMessaging/actions/comment/get';
import { operation as getUploadUrl } from '../../../../nodes/BotMessaging/actions/file/getUploadUrl';
import { operation as deleteMessage } from '../../../../nodes/BotMessaging/actions/message/delete';
import { operation as getMessage } from '../../../../nodes/BotMessaging/actions/message/get';
import { operation as subscribe } from '../../../../nodes/BotMessaging/actions/subscription/create';
import { operation as unsubscribe } from '../../../../nodes/BotMessaging/actions/subscription/delete';
import { operation as getUpdates } from '../../../../nodes/BotMessaging/actions/update/getMany';
import type { JsonObject } from '../../../../nodes/BotMessaging/service/json';
import type { ServiceRequest } from '../../../../nodes/BotMessaging/service/types';
import { locator, testRefusals, testRequests } from './form';

const MID = 'mid.ffffbf3668e29b35019f9a4d46a01f01';
/** The chat whose ID the message ID contains (wire 2). */
const KEY = 'chat -71234567890123';
const BIG = '9007199254740993';
const comment = { message_id: MID, comment_id: locator('mid.2') };
const COMMENTS = `/messages/${MID}/comments`;

/** The request that sets the commands of the bot. */
const given = (...commands: JsonObject[]): ServiceRequest => ({
	method: 'PATCH',
	twice: 'same',
	path: '/me/commands',
	body: { commands },
});

/** The request that edits the comment. */
const edited = (body: JsonObject): ServiceRequest => ({
	method: 'PUT',
	twice: 'same',
	path: COMMENTS,
	chat: KEY,
	query: { comment_id: 'mid.2' },
	body,
});

/** The request that subscribes an address. */
const subscribed = (body: JsonObject): ServiceRequest => ({
	method: 'POST',
	twice: 'same',
	path: '/subscriptions',
	body,
});

/** The request that polls for updates. */
const polled = (timeoutMs: number, query: ServiceRequest['query']): ServiceRequest => ({
	method: 'GET',
	path: '/updates',
	chat: 'polls',
	query,
	timeoutMs,
});

testRequests([
	[
		'Bot → Set Commands drops the slash before names',
		setCommands,
		{
			commands: { command: [{ name: '/help', description: 'Show help' }, { name: 'stop' }] },
			commands_source: 'rows',
		},
		given({ name: 'help', description: 'Show help' }, { name: 'stop' }),
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
		'Message → Delete',
		deleteMessage,
		{ message_id: ` ${MID} ` },
		{ method: 'DELETE', twice: 'gone', path: '/messages', query: { message_id: MID } },
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
	['Comment → Edit', editComment, { ...comment, text: 'Hello' }, edited({ text: 'Hello' })],
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
		subscribed({ url: 'https://a.example/hook' }),
	],
	[
		'Subscription → Create with events and a secret',
		subscribe,
		{
			url: 'https://a.example/hook',
			options: { update_types: ['bot_added', 'bot_started'], secret: 'abcde' },
		},
		subscribed({
			url: 'https://a.example/hook',
			update_types: ['bot_added', 'bot_started'],
			secret: 'abcde',
		}),
	],
	[
		'Subscription → Delete',
		unsubscribe,
		{ subscription: locator('https://a.example/hook?a=1&b=2', 'url') },
		{
			method: 'DELETE',
			twice: 'gone',
			path: '/subscriptions',
			query: { url: 'https://a.example/hook?a=1&b=2' },
		},
	],
	[
		'Update → Get Many with defaults waits longer than the service holds a request (30 s)',
		getUpdates,
		{},
		polled(60_000, {}),
	],
	[
		'Update → Get Many sends zeros',
		getUpdates,
		{ options: { update_limit: 1000, timeout: 0, marker: 0, types: ['bot_added', 'bot_removed'] } },
		polled(30_000, { limit: 1000, timeout: 0, marker: 0n, types: ['bot_added', 'bot_removed'] }),
	],
	[
		'Update → Get Many waits longer than the longest timeout (90 s), with an exact marker',
		getUpdates,
		{ options: { timeout: 90, marker: BIG } },
		polled(120_000, { timeout: 90, marker: BigInt(BIG) }),
	],
]);

testRefusals([
	['a message without an ID', getMessage, { message_id: '  ' }, 'Message ID is empty'],
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
	['a comment without a post', getComment, { comment_id: locator('x') }, 'Post ID is empty'],
	[
		'an upload of an unknown type',
		getUploadUrl,
		{ type: 'photo' },
		'Media Type is not one of its choices: photo',
	],
	['a subscription without a URL', subscribe, { url: '' }, 'URL is empty'],
	[
		'a marker that is not a number',
		getUpdates,
		{ options: { marker: 'last' } },
		'Marker is not a whole number: last',
	],
]);
