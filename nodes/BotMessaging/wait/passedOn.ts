import { NodeOperationError } from 'n8n-workflow';
import { identityOf } from '../events/events';
import type { Update } from '../events/update';
import { evictOldest } from '../service/evict';
import { settledWithin } from '../service/clock';
import type { PressContext } from './report';

/** How long a request of the service waits until n8n has taken an answer, in ms; the service waits 30 s. */
const TAKING_PATIENCE_MS = 25_000;

/** Maximum number of events to remember; the oldest are evicted. */
const MOST_PASSED_ON = 1000;

/**
 * Whether possible answers were taken, by event and by the key of the bot: the same event can come again, to several
 * triggers of the bot, and to several bots of a group.
 */
const passedOn = new Map<string, Map<string, Promise<boolean>>>();

/** Whether an event is being passed on, or was taken. */
export const isPassedOn = (update: Update): boolean => passedOn.has(identityOf(update));

/**
 * Passes an event of a bot on once, however often it comes; one that was not taken is tried again. Resolves to whether it
 * was taken.
 *
 * @throws NodeOperationError when that takes too long for the service: the event has to be delivered again
 */
export async function passOnOnce(
	context: PressContext,
	botKey: string,
	update: Update,
	passOn: () => Promise<boolean>,
): Promise<boolean> {
	const key = identityOf(update);
	const byBot = passedOn.get(key) ?? new Map<string, Promise<boolean>>();
	const before = byBot.get(botKey);
	if (before) return await inTime(context, before);
	const taking = passOn();
	passedOn.set(key, byBot.set(botKey, taking));
	evictOldest(passedOn, MOST_PASSED_ON);
	void taking
		.catch(() => false)
		.then((isTaken) => {
			if (!isTaken) byBot.delete(botKey);
			if (byBot.size === 0 && passedOn.get(key) === byBot) passedOn.delete(key);
		});
	return await inTime(context, taking);
}

async function inTime(context: PressContext, taking: Promise<boolean>): Promise<boolean> {
	const isRequest = 'getRequestObject' in context;
	if (isRequest && !(await settledWithin(TAKING_PATIENCE_MS, taking))) {
		throw new NodeOperationError(context.getNode(), 'n8n has not taken an answer yet');
	}
	return await taking;
}
