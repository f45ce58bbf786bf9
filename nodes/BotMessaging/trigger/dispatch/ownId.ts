import type { IAllExecuteFunctions } from 'n8n-workflow';
import { personOf, shapeOf, type Update } from '../../events/events';
import { openService } from '../../service/client';
import { settledWithin } from '../../service/clock';
import { at, textAt } from '../../service/read';
import type { Service } from '../../service/types';
import type { Fate } from './chatQueue';

/** User IDs of bots, by `botKey`; each is requested until the service tells it. */
const ownIds = new Map<string, Promise<string | undefined>>();

/** How long an answer may take, and how long the request is retried, in ms. */
const SETTINGS = { timeoutMs: 20_000, patienceMs: 10_000 };

/** The bot's user ID; `undefined` when it cannot be had: it only tells what the bot itself has written. */
export async function ownIdOf(context: IAllExecuteFunctions): Promise<string | undefined> {
	try {
		const service = await openService(context, SETTINGS);
		const { botKey } = service.connection;
		const asking = ownIds.get(botKey) ?? askOwnId(service);
		ownIds.set(botKey, asking);
		const id = await asking;
		if (!id) ownIds.delete(botKey);
		return id;
	} catch {
		return undefined;
	}
}

const askOwnId = async (service: Service): Promise<string | undefined> =>
	await service.request({ method: 'GET', path: '/me' }).then(
		(bot) => textAt(bot, 'user_id'),
		() => undefined,
	);

/** How long an event waits for that answer, in ms: the service waits for the answer to the event. */
const PATIENCE_MS = 10_000;

/**
 * The fate of an event that tells of a message or comment of the bot itself, as some services do (wire 4.1): a workflow
 * that answers would answer itself without end. `undefined` for others, and where the service does not say who the bot
 * is. While it has not answered, the event has to come again. Never rejects.
 */
export async function fateIfOwn(
	context: IAllExecuteFunctions,
	update: Update,
): Promise<Fate | undefined> {
	const shape = shapeOf(update);
	const person = personOf(update);
	if (!shape?.written || person === undefined || at(shape.user(update), 'is_bot') !== true) {
		return undefined;
	}
	const asking = ownIdOf(context);
	if (!(await settledWithin(PATIENCE_MS, asking))) return 'late';
	return person === (await asking) ? 'ignored' : undefined;
}
