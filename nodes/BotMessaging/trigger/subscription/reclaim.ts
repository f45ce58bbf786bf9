import type { IWebhookFunctions } from 'n8n-workflow';
import { BoundedMap } from '../../service/boundedMap';
import { openService } from '../../service/client';
import { realClock } from '../../service/clock';
import { reasonOf } from '../../service/failure';
import { chosenEvents, givenSecret, triggerKey } from '../settings/parameters';
import { remembered } from './memory';
import { forgeryAt, RENEWAL_MS, secretOf } from './secret';
import { subscribe, subscribedUrls } from './subscription';

/** When a trigger's subscription was last reclaimed, in ms, by trigger. */
const reclaimedAt = new BoundedMap<string, number>(1000);

/**
 * Subscribes a trigger again after a request with another secret, at most every ten minutes: for a process without its
 * watchdog, such as `n8n webhook`. A subscription that is gone is left to the watchdog, which asks for missed events
 * first. Never rejects.
 */
export async function reclaim(context: IWebhookFunctions): Promise<void> {
	const trigger = triggerKey(context);
	const now = realClock.now();
	const last = reclaimedAt.get(trigger) ?? -Infinity;
	const { url } = remembered(context);
	if (url === undefined || forgeryAt(trigger) === undefined || now - last < RENEWAL_MS) return;
	reclaimedAt.set(trigger, now);
	try {
		const secret = await secretOf(context, givenSecret(context));
		const service = await openService(context);
		if (!(await subscribedUrls(service)).includes(url)) return;
		await subscribe(service, { url, events: chosenEvents(context), secret });
		context.logger.warn(
			'Subscribed to the events of the bot again, after calls with another secret',
		);
	} catch (error) {
		context.logger.warn(`The subscription could not be renewed: ${reasonOf(error)}`);
	}
}
