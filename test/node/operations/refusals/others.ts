import { byId } from '../cast';
import { type Refusal } from './refusal';

/** Bad input and missing rights: comments, commands, subscriptions and updates. */
export const otherRefusals: Refusal[] = [
	{
		what: 'a comment on a message that is no post',
		resource: 'comment',
		operation: 'create',
		fields: ({ message }) => ({ message_id: message, text: 'Hi' }),
		message: /channel posts/,
		advice: /Check 'Post ID'/,
		code: 'access.denied',
	},
	{
		what: 'a comment with a link',
		resource: 'comment',
		operation: 'create',
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
		resource: 'comment',
		operation: 'edit',
		fields: ({ post }) => ({ message_id: post, comment_id: byId('mid.7'), text: 'x' }),
		message: /Comment mid\.7 not found/,
		advice: /does not exist/,
		code: 'not.found',
	},
	{
		what: 'too many commands',
		resource: 'bot',
		operation: 'setCommands',
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
		resource: 'subscription',
		operation: 'create',
		fields: () => ({ url: 'http://bot.example/hook' }),
		message: /https/,
		advice: /Correct 'URL'/,
	},
	{
		what: 'a secret that is too short',
		resource: 'subscription',
		operation: 'create',
		fields: () => ({ url: 'https://bot.example/hook', options: { secret: 'abc' } }),
		message: /'secret' does not match/,
		advice: /5 to 256/,
		code: 'proto.payload',
	},
	{
		what: 'deleting a subscription that is not there',
		resource: 'subscription',
		operation: 'delete',
		fields: () => ({ url: byId('https://bot.example/other', 'url') }),
		message: /No subscription/,
		advice: /letter for letter/,
	},
	{
		what: 'a hold of two minutes',
		resource: 'update',
		operation: 'getAll',
		fields: () => ({ options: { timeout: 120 } }),
		message: /Timeout \(Seconds\) is too large: 120, at most 90/,
		advice: /Correct 'Timeout \(Seconds\)'/,
		code: 'proto.payload',
	},
	{
		what: 'an event type that the service does not know',
		resource: 'update',
		operation: 'getAll',
		fields: () => ({ options: { timeout: 0, types: ['message_eaten'] } }),
		message: /Unknown update type: message_eaten/,
		advice: /Event Types/,
		code: 'proto.payload',
	},
];
