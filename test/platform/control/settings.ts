import { badRequest } from '../api/errors';
import type { Fields } from '../api/fields';
import { isObject, type JsonObject } from '../json';
import type { Limits, Settings } from '../options';
import type { ControlRequest, ControlRoutes } from './route';

export const settingRoutes: ControlRoutes = {
	'PATCH /settings': changeSettings,
	'PUT /limits': setLimits,
	'POST /clock/advance': async ({ world, body }) => {
		const ms = body.required('ms', body.number('ms'));
		if (!(ms >= 0)) throw badRequest("Field 'ms' must not be negative");
		await world.base.clock.advance(ms);
		return { now: world.now() };
	},
};

/** Reads a new value. */
type Read = (body: Fields, name: string) => unknown;

const number: Read = (body, name) => body.required(name, body.number(name));
const text: Read = (body, name) => body.required(name, body.text(name, { pattern: /^[a-z]+$/i }));
const flag: Read = (body, name) => body.required(name, body.flag(name));
const oneOf =
	(...choices: string[]): Read =>
	(body, name) => {
		const choice = choices.find((known) => known === body.text(name));
		if (choice !== undefined) return choice;
		throw badRequest(`Field '${name}' must be one of: ${choices.join(', ')}`);
	};

/** Every setting that can be changed while the platform runs, by its name here. */
const SETTINGS: Readonly<Record<string, readonly [keyof Settings, Read]>> = {
	ready_after_ms: ['readyAfterMs', number],
	single_subscription: ['singleSubscription', flag],
	serial_delivery: ['serialDelivery', flag],
	time_step_ms: ['timeStepMs', number],
	own_events: ['ownEvents', flag],
	null_bodies: ['nullBodies', flag],
	polling_without_marker: ['pollingWithoutMarker', oneOf('uncommitted', 'latest')],
	brand: ['brand', text],
	callback_ids: ['callbackIds', oneOf('keyboard', 'press')],
	trusted_ca: ['trustedCa', authorities],
	resolve: ['resolve', addresses],
};

const LIMITS: Readonly<Record<keyof Limits, Read>> = {
	requests_per_second: number,
	messages_per_second_per_chat: number,
	algorithm: oneOf('bucket', 'sliding'),
	chat_overflow: oneOf('refuse', 'delay'),
	unnamed: flag,
	polls_per_second: number,
	poll_updates: number,
};

function authorities(body: Fields, name: string): unknown {
	const given = body.any(name);
	return typeof given === 'string' ? given : body.texts(name);
}

function addresses(body: Fields, name: string): unknown {
	const entries = body.nested(name)?.entries() ?? [];
	return Object.fromEntries(entries.map(([host, at]) => [host, String(at)]));
}

/** Sets the given limits; the others stay. */
function setLimits({ world, body }: ControlRequest): Limits {
	const { settings } = world.base;
	const given = Object.entries(LIMITS).filter(([name]) => body.has(name));
	const changes = Object.fromEntries(given.map(([name, read]) => [name, read(body, name)]));
	settings.limits = { ...settings.limits, ...changes };
	return settings.limits;
}

/** Changes the given settings and shows all; webhooks then use new connections. */
function changeSettings({ world, body, deliveries }: ControlRequest): JsonObject {
	const { settings, uploads } = world.base;
	for (const [name] of body.entries()) {
		const [key, read] = SETTINGS[name] ?? [];
		if (key !== undefined) Object.assign(settings, { [key]: read?.(body, name) });
		else if (name !== 'upload_limits') throw badRequest(`Unknown setting: ${name}`);
	}
	const limits = body.any('upload_limits');
	if (isObject(limits)) uploads.limits = { ...uploads.limits, ...limits };
	if (body.has('trusted_ca') || body.has('resolve')) deliveries.reset();
	const shown = Object.entries(SETTINGS).map(([name, [key]]) => [name, settings[key]]);
	return { ...Object.fromEntries(shown), upload_limits: uploads.limits };
}
