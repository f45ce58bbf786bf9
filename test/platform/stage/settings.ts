import { badRequest } from '../api/errors';
import type { Fields } from '../api/fields';
import { isObject, type JsonObject } from '../json';
import type { Settings } from '../options';
import type { StageCall, StageRoute } from './route';

export const settingRoutes: StageRoute[] = [
	{ method: 'GET', path: '/settings', handle: showSettings },
	{ method: 'PATCH', path: '/settings', handle: changeSettings },
	{ method: 'GET', path: '/clock', handle: ({ world }) => ({ now: world.now() }) },
	{
		method: 'POST',
		path: '/clock/advance',
		handle: async ({ world, body }) => {
			const ms = body.required('ms', body.number('ms'));
			if (!(ms >= 0)) throw badRequest("Field 'ms' must not be negative");
			await world.base.clock.advance(ms);
			return { now: world.now() };
		},
	},
];

interface Setting {
	show: (settings: Settings) => unknown;
	change: (settings: Settings, body: Fields, name: string) => void;
}

type Of<T> = { [Key in keyof Settings]-?: Settings[Key] extends T ? Key : never }[keyof Settings];

/** Every setting that can be changed while the platform runs. */
const SETTINGS: Record<string, Setting> = {
	latency_ms: number('latencyMs'),
	ready_after_ms: number('readyAfterMs'),
	single_subscription: flag('singleSubscription'),
	serial_delivery: flag('serialDelivery'),
	upload_authorization: flag('uploadAuthorization'),
	time_step_ms: number('timeStepMs'),
	own_events: flag('ownEvents'),
	null_bodies: flag('nullBodies'),
	legacy_rights: flag('legacyRights'),
	secret_header: text('secretHeader'),
	contact_user_key: text('contactUserKey'),
	polling_without_marker: {
		show: (settings) => settings.pollingWithoutMarker,
		change: (settings, body, name) => {
			settings.pollingWithoutMarker = oneOf(body, name, ['uncommitted', 'latest']);
		},
	},
	callback_ids: {
		show: (settings) => settings.callbackIds,
		change: (settings, body, name) => {
			settings.callbackIds = oneOf(body, name, ['keyboard', 'press']);
		},
	},
	trusted_ca: {
		show: (settings) => settings.trustedCa,
		change: (settings, body, name) => {
			const given = body.any(name);
			settings.trustedCa = typeof given === 'string' ? given : body.texts(name);
		},
	},
	resolve: {
		show: (settings) => settings.resolve,
		change: (settings, body, name) => {
			const entries = body.nested(name)?.entries() ?? [];
			settings.resolve = Object.fromEntries(entries.map(([host, at]) => [host, String(at)]));
		},
	},
};

function number(key: Of<number>): Setting {
	return {
		show: (settings) => settings[key],
		change: (settings, body, name) => {
			settings[key] = body.required(name, body.number(name));
		},
	};
}

function flag(key: Of<boolean>): Setting {
	return {
		show: (settings) => settings[key],
		change: (settings, body, name) => {
			settings[key] = body.required(name, body.flag(name));
		},
	};
}

function text(key: 'secretHeader' | 'contactUserKey'): Setting {
	return {
		show: (settings) => settings[key],
		change: (settings, body, name) => {
			settings[key] = body.required(name, body.text(name, { min: 1 }));
		},
	};
}

function oneOf<T extends string>(body: Fields, name: string, choices: readonly T[]): T {
	const choice = choices.find((known) => known === body.text(name));
	if (choice === undefined)
		throw badRequest(`Field '${name}' must be one of: ${choices.join(', ')}`);
	return choice;
}

function showSettings({ world }: StageCall): JsonObject {
	const { settings, uploads } = world.base;
	const shown = Object.entries(SETTINGS).map(([name, { show }]) => [name, show(settings)]);
	return { ...Object.fromEntries(shown), upload_limits: uploads.limits };
}

/** Changes the given settings; webhooks then use new connections. */
function changeSettings(call: StageCall): JsonObject {
	const { world, body, deliveries } = call;
	const { settings, uploads } = world.base;
	for (const [name] of body.entries()) {
		const setting = SETTINGS[name];
		if (setting !== undefined) setting.change(settings, body, name);
		else if (name !== 'upload_limits') throw badRequest(`Unknown setting: ${name}`);
	}
	const limits = body.any('upload_limits');
	if (isObject(limits)) uploads.limits = { ...uploads.limits, ...limits };
	if (body.has('trusted_ca') || body.has('resolve')) deliveries.reset();
	return showSettings(call);
}
