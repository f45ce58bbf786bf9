import type { JsonObject } from '../json';
import { isUpdateType } from '../updates/types';
import type { Subscription } from '../updates/subscriptions';
import { badRequest } from './errors';
import { type Call, failure, type Routes, SUCCESS } from './route';

const SECRET = /^[a-zA-Z0-9_-]{5,256}$/;

export const subscriptionRoutes: Routes = {
	'GET /subscriptions': ({ bot }) => ({
		subscriptions: [...bot.subscriptions.values()].map(render),
	}),
	'POST /subscriptions': subscribe,
	'DELETE /subscriptions': unsubscribe,
};

/** Never shows the secret. */
function render({ url, time, update_types }: Subscription): JsonObject {
	return { url, time, update_types };
}

function subscribe({ world, bot, body }: Call) {
	const url = body.required('url', body.text('url'));
	const types = body.texts('update_types') ?? [];
	// Like a missing list, an empty one means all types: the operator's clients send it.
	const update_types = types.length === 0 ? undefined : types;
	const secret = body.text('secret', { pattern: SECRET });
	if (!URL.canParse(url)) throw badRequest("Field 'url' does not match required pattern");
	const unknown = types.find((type) => !isUpdateType(type));
	if (unknown !== undefined) throw badRequest(`Unknown update type: ${unknown}`);
	if (!url.startsWith('https://')) return failure('Only https:// urls are supported');
	if (/[^\x20-\x7e]/.test(url))
		return failure('International host names must be given in punycode');
	const { subscriptions, settings } = world.base;
	if (settings.singleSubscription) {
		for (const other of bot.subscriptions.values()) {
			if (other.url !== url) subscriptions.remove(other);
		}
	}
	subscriptions.put(bot, { url, update_types, secret }, world.now());
	return SUCCESS;
}

function unsubscribe({ world, bot, query }: Call) {
	const url = query.required('url', query.text('url'));
	const subscription = world.base.subscriptions.find(bot, url);
	if (subscription === undefined) return failure(`No subscription for url ${url}`);
	world.base.subscriptions.remove(subscription);
	return SUCCESS;
}
