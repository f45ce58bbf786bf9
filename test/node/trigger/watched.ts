import { hurry } from '../../support/hurry';
import { Stage } from '../support/stage';
import type { TriggerOptions } from '../support/trigger';

/** The events that the triggers of the watchdog's tests receive. */
export const EVENTS = ['message_created', 'bot_started'];

/** n8n gives each webhook its own ID. */
export const ANOTHER = { webhookId: '0b8f4a9e-6f0c-4a37-9f7e-000000000002' };

export const HOUR_MS = 3_600_000;

/** A new stage in a hurry for each test of the `describe` where this is called, and what its tests do there. */
export function watched() {
	hurry(5);
	const stage = Stage.forEachTest();

	/** The addresses that are subscribed. */
	const urls = async () => (await stage.subscriptions()).map(({ url }) => url);

	const active = async (more: Partial<TriggerOptions> = {}) =>
		await stage.activeTrigger({ events: EVENTS }, more);

	return { stage, urls, active };
}
