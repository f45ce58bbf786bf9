import type { Poll, PollResult } from '../updates/queue';
import { isUpdateType } from '../updates/types';
import { badRequest } from './errors';
import { admit } from './limits';
import type { Call, Routes } from './route';

export const updateRoutes: Routes = {
	'GET /updates': poll,
};

/** Answers at once if there are updates, otherwise at the next matching one or when the time is up. */
async function poll(call: Call): Promise<PollResult> {
	const { world, bot, query } = call;
	const { limits, pollingWithoutMarker } = world.base.settings;
	const timeout = query.integer('timeout', { min: 0, max: 90 }) ?? 30;
	const limit = query.integer('limit', { min: 1, max: 1000 }) ?? 100;
	const types = query.list('types');
	const unknown = types?.find((type) => !isUpdateType(type));
	if (unknown !== undefined) throw badRequest(`Unknown update type: ${unknown}`);
	const wanted: Poll = {
		marker: query.id('marker'),
		limit: Math.min(limit, limits.poll_updates),
		types,
		latestOnly: pollingWithoutMarker === 'latest',
	};
	admit(bot.polls, call.arrival, limits.polls_per_second, limits);
	const over = new AbortController();
	const hold = timeout * 1000;
	const timer = world.base.clock.after(hold, () => over.abort());
	const ended = AbortSignal.any([over.signal, call.gone()]);
	try {
		for (;;) {
			const silent = bot.subscriptions.size > 0;
			const result = bot.queue.take(silent ? { ...wanted, limit: 0 } : wanted, world.now());
			if (result.updates.length > 0 || ended.aborted || hold === 0) return result;
			// Updates that the types exclude are skipped for good.
			if (wanted.marker !== undefined) wanted.marker = result.marker;
			await bot.queue.changed(ended);
		}
	} finally {
		timer.cancel();
	}
}
