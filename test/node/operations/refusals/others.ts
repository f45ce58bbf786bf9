import { byId } from '../cast';
import { type Refusal } from './refusal';

/** A poll that the service would have to hold for a time that it does not take. */
const hold = (how: string, timeout: number, message: RegExp): Refusal => ({
	what: `a hold ${how}`,
	use: 'update getAll',
	fields: () => ({ options: { timeout } }),
	message,
	advice: /Correct 'Timeout \(Seconds\)'/,
	code: 'proto.payload',
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
	...['comment getAll', 'message edit', 'message delete'].map((use) => ({
		what: 'an expression that was typed as text',
		use,
		fields: () => ({ message_id: '{{ $json.message_id }}', text: 'x' }),
		message: /^An expression was sent as text$/,
		advice: /switch its field from 'Fixed' to 'Expression'/,
		code: 'not.found',
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
	hold('of two minutes', 120, /Timeout \(Seconds\) is too large: 120, at most 90/),
	hold(
		'of thousands of years',
		1e12,
		/Timeout \(Seconds\) is too large: 1000000000000, at most 90/,
	),
	hold('that ended before it began', -100, /Timeout \(Seconds\) is too small: -100, at least 0/),
	hold('in fractions of a millisecond', 1 / 3, /must be an integer/),
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
