import type { INodeParameters } from 'n8n-workflow';
import { byId, type Cast } from '../cast';
import { type Refusal } from './refusal';

/** A poll with an option that the service does not take. */
const poll = (options: INodeParameters, message: RegExp): Refusal => ({
	what: `a poll with ${JSON.stringify(options)}`,
	use: 'update getAll',
	fields: () => ({ options }),
	message,
	advice: /Correct the value/,
});

/** Bad input and missing rights: comments, commands, subscriptions and updates. */
export const otherRefusals: Refusal[] = [
	{
		what: 'a comment on a message that is no post',
		use: 'comment create',
		fields: ({ message }) => ({ message_id: message, text: 'Hi' }),
		message: /channel posts/,
		advice: /Check 'Post ID'/,
		code: 'access.denied',
	},
	{
		what: 'the comments of something that is no message ID',
		use: 'comment getAll',
		fields: () => ({ message_id: 'https://example.org/post/7' }),
		message: /^The ID is not that of a message$/,
		advice: /the message_id of an event/,
		code: 'not.found',
	},
	{
		what: 'a forwarded message that is named by a link',
		use: 'message send',
		fields: ({ group }) => ({
			chat_id: group,
			options: { forward_message_id: 'https://example.org/post/7' },
		}),
		message: /^The ID is not that of a message$/,
		advice: /^Check 'Forward Message ID'/,
		code: 'proto.payload',
	},
	{
		what: 'a video that is named by its address',
		use: 'file getVideo',
		fields: () => ({ video: 'https://example.org/video/7' }),
		message: /^The token is not that of a video$/,
		advice: /^Check 'Video Token'/,
		code: 'not.found',
	},
	...['comment getAll', 'message edit', 'message delete'].map((use) => ({
		what: 'an expression that was typed as text',
		use,
		fields: () => ({ message_id: '{{ $json.message_id }}', text: 'x' }),
		message: /^An expression was sent as text$/,
		advice: /switch its field from 'Fixed' to 'Expression'/,
		code: 'not.found',
	})),
	...['comment create', 'comment edit'].map((use) => ({
		what: 'a comment of mere blanks',
		use,
		fields: ({ post, comment }: Cast) => ({
			message_id: post,
			comment_id: byId(comment),
			text: ' \n',
		}),
		message: /^Text is empty$/,
		advice: /^Fill it in/,
	})),
	{
		what: 'a comment with a link',
		use: 'comment create',
		fields: ({ post }) => ({
			message_id: post,
			text: '[here](https://a.example.com)',
			format: 'markdown',
		}),
		message: /not supported in comments/,
		advice: /plain text/,
		code: 'proto.payload',
	},
	{
		what: 'editing a comment of somebody else',
		use: 'comment edit',
		fields: ({ post }) => ({ message_id: post, comment_id: byId('mid.7'), text: 'x' }),
		message: /Comment mid\.7 not found/,
		advice: /^Check 'Comment' and 'Post ID'/,
		code: 'not.found',
	},
	{
		what: 'too many commands',
		use: 'bot setCommands',
		fields: () => ({
			commands: {
				command: Array.from({ length: 33 }, (_, index) => ({ name: `c${index}` })),
			},
		}),
		message: /Commands is too long: 33, at most 32/,
		advice: /Correct 'Commands'/,
		code: 'proto.payload',
	},
	{
		what: 'a subscription over plain http',
		use: 'subscription create',
		fields: () => ({ url: 'http://bot.example/hook' }),
		message: /https/,
		advice: /Correct 'URL'/,
	},
	{
		what: 'a secret that is too short',
		use: 'subscription create',
		fields: () => ({ url: 'https://bot.example/hook', options: { secret: 'abc' } }),
		message: /'secret' does not match/,
		advice: /5 to 256/,
		code: 'proto.payload',
	},
	{
		what: 'deleting a subscription that is not there',
		use: 'subscription delete',
		fields: () => ({ subscription: byId('https://bot.example/other', 'url') }),
		message: /No subscription/,
		advice: /letter for letter/,
	},
	poll({ timeout: 91 }, /^Timeout \(Seconds\) is not a whole number between 0 and 90: 91$/),
	poll({ timeout: 0.5 }, /^Timeout \(Seconds\) is not a whole number between 0 and 90: 0\.5$/),
	poll({ update_limit: 0 }, /^Limit is not a whole number between 1 and 1000: 0$/),
	{
		what: 'a marker that is none',
		use: 'update getAll',
		fields: () => ({ options: { timeout: 0, marker: 'last' } }),
		message: /^Marker is not a whole number: last$/,
		advice: /marker of the last poll/,
	},
	{
		what: 'an event type that the service does not know',
		use: 'update getAll',
		fields: () => ({ options: { timeout: 0, types: ['message_eaten'] } }),
		message: /Unknown update type: message_eaten/,
		advice: /Event Types/,
		code: 'proto.payload',
	},
];
