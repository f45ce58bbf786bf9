import { ApiServer } from './api/server';
import { Clock } from './clock';
import { LiveEvents } from './events';
import { Faults } from './faults';
import { listen } from './http';
import { Journal } from './journal';
import { type PlatformOptions, settingsOf } from './options';
import { ControlServer } from './control/server';
import { Deliveries } from './updates/delivery';
import type { Update } from './updates/queue';
import { Subscriptions } from './updates/subscriptions';
import { UploadHost } from './uploads/host';
import type { Bot } from './world/types';
import { World } from './world/world';

/** A running platform. */
export interface Platform {
	/** Address of the API. */
	baseUrl: string;
	/** Address of the upload origin. */
	uploadUrl: string;
	/** Address of the control API and of the messenger window. */
	controlUrl: string;
	clock: Clock;
	journal: Journal;
	uploads: UploadHost;
	/** Closes all servers and connections and cancels all timers. */
	stop(): Promise<void>;
}

/** Starts the service on the loopback address: API, upload origin and control API, each on its own port. */
export async function startPlatform(options: PlatformOptions = {}): Promise<Platform> {
	const settings = settingsOf(options);
	const clock = new Clock();
	const events = new LiveEvents();
	const journal = new Journal((entry) => events.emit(() => ({ type: entry.kind, ...entry })));
	const faults = new Faults();
	const subscriptions = new Subscriptions();
	const uploads: UploadHost = new UploadHost({
		clock,
		journal,
		faults,
		readyAfterMs: () => settings.readyAfterMs,
		admits: (token) => !settings.uploadAuthorization || world.botByToken(token) !== undefined,
		limits: settings.uploadLimits,
	});
	const deliveries = new Deliveries({ clock, journal, faults, settings, subscriptions });

	/** Sends an update by webhook while the bot has one, otherwise queues it for polling. */
	const publish = (bot: Bot, update: Update) => {
		events.emit(() => ({ type: 'update', bot_id: bot.user_id, update }));
		if (bot.subscriptions.size === 0) bot.queue.push(update, clock.now());
		for (const subscription of bot.subscriptions.values()) {
			const { update_types } = subscription;
			if (update_types?.includes(update.update_type) ?? true)
				deliveries.start(subscription, update);
		}
	};

	const scheme = settings.tls === undefined ? 'http' : 'https';
	const upload = await listen((...io) => uploads.handle(...io), settings.uploadPort, settings.tls);
	const urls = { api: '', upload: `${scheme}://${settings.hostName}:${upload.port}` };
	const world: World = new World({
		settings,
		clock,
		journal,
		events,
		uploads,
		subscriptions,
		urls,
		publish,
	});
	const server = new ApiServer(world, faults);
	const api = await listen((...io) => server.handle(...io), settings.port, settings.tls);
	urls.api = `${scheme}://${settings.hostName}:${api.port}`;
	const { app } = new ControlServer(world, faults, deliveries);
	const control = await listen(async (...io) => void app(...io), settings.controlPort);
	const servers = [api, upload, control];
	return {
		baseUrl: urls.api,
		uploadUrl: urls.upload,
		controlUrl: `http://127.0.0.1:${control.port}`,
		clock,
		journal,
		uploads,
		stop: async () => {
			clock.stop();
			deliveries.reset();
			await Promise.all(servers.map((each) => each.stop()));
		},
	};
}
