import { delivery } from '../../../support/delivery';
import { byId } from '../cast';
import { done, gone, type Sample } from './sample';

/** Operations on messages, presses, files and comments. */
export const contentSamples: Sample[] = [
	{
		use: 'message send',
		fields: ({ group }) => ({ chat_id: group, text: 'Hello' }),
		output: ({ group }) => [{ chat_id: group, text: 'Hello' }],
	},
	{
		use: 'message sendOrEdit',
		fields: ({ group }) => ({ chat_id: group, text: 'Hello' }),
		output: ({ group }) => [{ chat_id: group, text: 'Hello' }],
	},
	{
		use: 'message edit',
		fields: ({ keyboard }) => ({ message_id: keyboard, text: 'Confirmed' }),
		output: ({ keyboard }) => [{ success: true, message_id: keyboard }],
	},
	{
		use: 'message get',
		fields: ({ message }) => ({ message_id: message }),
		output: ({ message, group, oleg }) => [
			{ message_id: message, chat_id: group, sender_id: oleg, text: 'Pallet seven' },
		],
	},
	{
		use: 'message getAll',
		fields: ({ group }) => ({ chat_id: group, limit: 2 }),
		output: ({ message, keyboard }) => [{ message_id: message }, { message_id: keyboard }],
	},
	{
		use: 'message delete',
		fields: ({ message }) => ({ message_id: message }),
		output: gone,
	},
	{
		use: 'message downloadAttachments',
		fields: ({ message }) => ({ message_source: 'id', message_id: message }),
		output: ({ message }) => [{ message_id: message }],
	},
	{
		use: 'callback answer',
		fields: ({ callback }) => ({ callback_id: callback, notification: 'Saved' }),
		output: done,
	},
	{
		use: 'file upload',
		fields: (_cast, { platform }) => ({
			file_source: 'url',
			file_url: `${platform.controlUrl}/`,
			media_type: 'file',
		}),
		fieldsFor: { contract: { options: delivery({ send_token_to_upload_host: true }) } },
		output: () => [{ type: 'file', token: expect.any(String) }],
	},
	{
		use: 'file getUploadUrl',
		fields: () => ({ type: 'video' }),
		output: () => [{ url: expect.any(String), token: expect.any(String) }],
	},
	{
		use: 'file getVideo',
		fields: ({ video }) => ({ video }),
		output: ({ video }) => [{ token: video }],
	},
	{
		use: 'comment create',
		fields: ({ post }) => ({ message_id: post, text: 'Thanks' }),
		output: ({ post, channel }) => [{ post_id: post, chat_id: channel, text: 'Thanks' }],
	},
	{
		use: 'comment edit',
		fields: ({ post, comment }) => ({
			message_id: post,
			comment_id: byId(comment),
			text: 'Second thoughts',
		}),
		output: ({ post, comment }) => [{ success: true, message_id: comment, post_id: post }],
	},
	{
		use: 'comment get',
		fields: ({ post, comment }) => ({ message_id: post, comment_id: byId(comment) }),
		output: ({ comment }) => [{ message_id: comment, text: 'First' }],
	},
	{
		use: 'comment getAll',
		fields: ({ post }) => ({ message_id: post }),
		output: ({ comment }) => [{ message_id: comment, text: 'First' }],
	},
	{
		use: 'comment delete',
		fields: ({ post, comment }) => ({ message_id: post, comment_id: byId(comment) }),
		output: gone,
	},
];
