import { badRequest } from '../api/errors';
import { type Limits, limitsOf } from '../options';
import type { StageCall, StageRoute } from './route';

export const limitRoutes: StageRoute[] = [
	{ method: 'GET', path: '/limits', handle: ({ world }) => world.base.settings.limits },
	{ method: 'PUT', path: '/limits', handle: setLimits },
	{
		method: 'DELETE',
		path: '/limits',
		handle: ({ world: { base } }) => (base.settings.limits = limitsOf(base.settings.profile)),
	},
];

/** Sets the given limits; the others stay. */
function setLimits({ world, body }: StageCall): Limits {
	const { settings } = world.base;
	const present = settings.limits;
	const algorithm = body.text('algorithm') ?? present.algorithm;
	const chat_overflow = body.text('chat_overflow') ?? present.chat_overflow;
	if (algorithm !== 'bucket' && algorithm !== 'sliding') {
		throw badRequest(`Unknown algorithm: ${algorithm}`);
	}
	if (chat_overflow !== 'refuse' && chat_overflow !== 'delay') {
		throw badRequest(`Unknown chat_overflow: ${chat_overflow}`);
	}
	const number = (name: NumberLimit) => body.number(name) ?? present[name];
	settings.limits = {
		requests_per_second: number('requests_per_second'),
		messages_per_second_per_chat: number('messages_per_second_per_chat'),
		polls_per_second: number('polls_per_second'),
		poll_hold_seconds: number('poll_hold_seconds'),
		poll_updates: number('poll_updates'),
		retry_after: body.isNull('retry_after')
			? undefined
			: (body.number('retry_after') ?? present.retry_after),
		unnamed: body.flag('unnamed') ?? present.unnamed,
		algorithm,
		chat_overflow,
	};
	return settings.limits;
}

type NumberLimit =
	| 'requests_per_second'
	| 'messages_per_second_per_chat'
	| 'polls_per_second'
	| 'poll_hold_seconds'
	| 'poll_updates';
