import type { IAllExecuteFunctions } from 'n8n-workflow';
import { personOf, shapeOf } from '../../events/events';
import type { Update } from '../../events/update';
import { openService, type ServiceSettings } from '../../service/client';
import { at, textAt } from '../../service/read';
import type { ServiceAnswer } from '../../service/types';

/** What the service says about bots, by `botKey`; each is requested once. */
const bots = new Map<string, Promise<ServiceAnswer>>();

/**
 * The bot's own user ID; `undefined` when the credential cannot be read or the request fails. It only tells what the bot
 * itself has written: no reason to lose an event.
 */
export async function ownIdOf(
	context: IAllExecuteFunctions,
	settings?: Partial<ServiceSettings>,
): Promise<string | undefined> {
	try {
		const service = await openService(context, settings);
		const { botKey } = service.connection;
		const asked = bots.get(botKey) ?? service.request({ method: 'GET', path: '/me' });
		bots.set(botKey, asked);
		asked.catch(() => bots.delete(botKey));
		return textAt(await asked, 'user_id');
	} catch {
		return undefined;
	}
}

/** The service waits for the answer to an event. */
const IMPATIENT = { patienceMs: 5000, timeoutMs: 5000 };

/**
 * Whether an event tells of a message or comment of the bot itself, as some services do (wire 4.1): a workflow that
 * answers would answer itself without end. `false` where that cannot be found out. Never rejects.
 */
export async function isOwn(context: IAllExecuteFunctions, update: Update): Promise<boolean> {
	const shape = shapeOf(update);
	const person = personOf(update);
	if (!shape?.written || person === undefined || at(shape.user(update), 'is_bot') !== true) {
		return false;
	}
	return person === (await ownIdOf(context, IMPATIENT));
}
