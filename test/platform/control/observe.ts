import { badRequest } from '../api/errors';
import type { JournalFilter } from '../journal';
import type { JsonObject } from '../json';
import type { Subscription } from '../updates/subscriptions';
import { showChat } from './chats';
import { showBot, showUser } from './people';
import { botOf, type ControlRequest, type ControlRoutes } from './route';

export const observeRoutes: ControlRoutes = {
	'GET /state': showState,
	'GET /notifications': showNotifications,
	'GET /journal': showJournal,
	'DELETE /journal': ({ world }) => {
		world.base.journal.clear();
		return { success: true };
	},
	'POST /updates': enqueue,
};

/** Everything but messages and journal. */
function showState({ world }: ControlRequest): JsonObject {
	const { settings, urls } = world.base;
	const bots = [...world.bots.values()].map((bot) => ({
		...showBot(bot),
		subscriptions: [...bot.subscriptions.values()].map(showSubscription),
		queued_updates: bot.queue.length,
	}));
	const users = [...world.people.values()].filter(({ is_bot }) => !is_bot);
	return {
		now: world.now(),
		base_url: urls.api,
		upload_url: urls.upload,
		bots,
		users: users.map(showUser),
		chats: [...world.chats.values()].map(showChat),
		notifications: world.notifications,
		limits: settings.limits,
		open_as: settings.openAs,
	};
}

/** Unlike the API, the control API shows the secret. */
function showSubscription(subscription: Subscription): JsonObject {
	const { url, time, update_types, secret, expiry } = subscription;
	return { url, time, update_types, secret, failing: expiry !== undefined };
}

function showNotifications({ world, query }: ControlRequest): JsonObject {
	const user = query.id('user_id');
	const notifications = world.notifications.filter(
		({ user_id }) => user === undefined || user_id === user,
	);
	return { notifications };
}

function showJournal({ world, query }: ControlRequest): JsonObject {
	return { entries: world.base.journal.entries(filterOf(query)) };
}

function filterOf(query: ControlRequest['query']): JournalFilter {
	const kind = query.text('kind');
	const origin = query.text('origin');
	if (kind !== undefined && kind !== 'request' && kind !== 'delivery') {
		throw badRequest(`Unknown kind: ${kind}`);
	}
	if (origin !== undefined && origin !== 'api' && origin !== 'upload') {
		throw badRequest(`Unknown origin: ${origin}`);
	}
	const number = (name: string) => {
		const id = query.id(name);
		return id === undefined ? undefined : Number(id);
	};
	return {
		kind,
		origin,
		method: query.text('method'),
		path: query.text('path'),
		status: number('status'),
		limit: number('limit'),
	};
}

/** Sends a bot an update exactly as given; only fills in a missing timestamp. */
function enqueue({ world, body }: ControlRequest): JsonObject {
	const bot = botOf(world, body.looseId('bot_id'));
	const update = body.required('update', body.nested('update'));
	const fields = Object.fromEntries(update.entries());
	const update_type = update.required('update_type', update.text('update_type'));
	world.base.publish(bot, { timestamp: world.now(), ...fields, update_type });
	return { success: true };
}
