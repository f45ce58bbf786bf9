import type { IWebhookFunctions } from 'n8n-workflow';
import { BoundedMap } from '../../service/boundedMap';
import { openService } from '../../service/client';
import { realClock } from '../../service/clock';
import { reasonOf } from '../../service/failure';
import { chosenEvents, givenSecret, triggerKey } from '../settings/parameters';
import { remembered } from './memory';
import { forgetOtherSecret, secretOf, wasCalledWithOtherSecret } from './secret';
import { subscribe, subscribedUrls } from './subscription';

/** When a trigger's subscription was last renewed in this way, in ms, by trigger. */
const resubscribedAt = new BoundedMap<string, number>(1000);

/**
 * Subscribes a trigger again after a request with another secret, at most every ten minutes: for a process without its
 * watchdog, such as `n8n webhook`. A subscription that is gone is left to the watchdog, which asks for missed events
 * first. Never rejects.
 */
export async function resubscribe(context: IWebhookFunctions): Promise<void> {
	const trigger = triggerKey(context);
	const { url } = remembered(context);
	if (url === undefined || !wasCalledWithOtherSecret(trigger, resubscribedAt.get(trigger))) return;
	resubscribedAt.set(trigger, realClock.now());
	try {
		const secret = await secretOf(context, givenSecret(context));
		const service = await openService(context);
		if (!(await subscribedUrls(service)).includes(url)) return;
		await subscribe(service, { url, events: chosenEvents(context), secret });
		forgetOtherSecret(trigger);
		context.logger.warn(
			'Subscribed to the events of the bot again, after calls with another secret',
		);
	} catch (error) {
		context.logger.warn(`The subscription could not be renewed: ${reasonOf(error)}`);
	}
}
