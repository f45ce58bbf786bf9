import {
	fromFunction,
	webhookDescriptionFields,
	type IWebhookDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';
import { UTF8 } from '../service/answer';
import { BoundedMap } from '../service/boundedMap';
import { openService } from '../service/client';
import { realClock } from '../service/clock';
import { parseExact } from '../service/json';
import { passOnPress } from '../wait/press';
import { dispatcherOf } from './dispatch/dispatcher';
import type { Fate } from './dispatch/chatQueue';
import { readFilters } from './settings/filters';
import { fateIfOwn } from './dispatch/ownId';
import { chosenEvents, formOf, givenSecret, triggerKey, WEBHOOK_PATH } from './settings/parameters';
import { remembered } from './subscription/memory';
import {
	forgetOtherSecret,
	isAuthentic,
	secretOf,
	wasCalledWithOtherSecret,
} from './subscription/secret';
import { subscribe, subscribedUrls } from './subscription/subscription';
import { watchdogOf } from './watchdog';
import { isUpdate, noEvent, type Update } from '../events/events';
import { reasonOf } from '../service/failure';

type Reply = readonly [status: number, message: string];

/** The service delivers the event again. */
const UNAVAILABLE: Reply = [503, 'Not possible at the moment'];

const REPLIES: Record<Fate, Reply> = {
	begun: [200, 'Accepted'],
	ignored: [200, 'Ignored'],
	known: [200, 'Received before'],
	late: UNAVAILABLE,
	full: UNAVAILABLE,
	failed: UNAVAILABLE,
};

/** How long a request waits for its event's turn, in ms; the service waits 30 s (interface: Endpoint requirements). */
const PATIENCE_MS = 25_000;

/** Handles a request to the trigger's address. An accepted event is answered when its first step is about to begin. */
export async function receive(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	// A test run also gets events that production has received.
	const dispatcher = this.getMode() === 'manual' ? undefined : dispatcherOf(triggerKey(this));
	// If this threw, n8n would store the error as an execution.
	const isGenuine = await isAuthentic(this, dispatcher?.secret).catch((error: unknown) => {
		// Without a usable credential or secret, every request may be forged.
		this.logger.warn(`An event was refused: ${reasonOf(error)}`);
		return false;
	});
	if (!isGenuine) {
		if (!dispatcher && this.getMode() !== 'manual') void resubscribe(this);
		return reply(this, [403, 'The secret is missing or wrong']);
	}
	const update = await readUpdate(this);
	if (!update) return reply(this, [400, 'The body is not an event']);
	try {
		if (await passOnPress(this, update)) return reply(this, [200, 'Passed on']);
		if (dispatcher) {
			watchdogOf(triggerKey(this))?.memory.saveWith(this);
			// Answers when the fate is known. n8n is done with the request at once, so a waiting event costs it nothing.
			void dispatcher.take(update, PATIENCE_MS).then((fate) => reply(this, REPLIES[fate]));
			return { noWebhookResponse: true };
		}
		const passes = readFilters(formOf(this), chosenEvents(this));
		const fate = passes(update) ? await fateIfOwn(this, update) : 'ignored';
		if (fate) return reply(this, REPLIES[fate]);
		return { workflowData: [[{ json: update }]] };
	} catch (error) {
		this.logger.error(`An event was put off: ${reasonOf(error)}`);
		return reply(this, UNAVAILABLE);
	}
}

function reply(context: IWebhookFunctions, [status, message]: Reply): IWebhookResponseData {
	context.getResponseObject().status(status).json({ message });
	return { noWebhookResponse: true };
}

/** The event with exact integers: n8n's own parsing would round identifiers above 2^53. */
async function readUpdate(context: IWebhookFunctions): Promise<Update | undefined> {
	const request = context.getRequestObject();
	let body: unknown;
	try {
		// n8n itself reads only bodies of some content types.
		await request.readRawBody();
		body = parseExact(UTF8.decode(request.rawBody));
		if (isUpdate(body)) return body;
	} catch {
		// A body that is not JSON has no type either.
	}
	context.logger.warn(`An event was refused: ${noEvent([body])}`);
	return undefined;
}

/** When a trigger's subscription was last renewed in this way, in ms, by trigger. */
const resubscribedAt = new BoundedMap<string, number>(1000);

/**
 * Subscribes a trigger again after calls with another secret, for a process without its watchdog, such as `n8n webhook`.
 * A subscription that is gone is left to the watchdog, which asks for missed events first. Never rejects.
 */
async function resubscribe(context: IWebhookFunctions): Promise<void> {
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

/** A polling trigger registers no webhook. n8n runs the source text of this function: it must be self-contained. */
const method = (parameters: Record<string, unknown>): string =>
	parameters.delivery === 'polling' ? '' : 'POST';

/** The webhook. From n8n 2.40 on, resolving its method takes no expression engine, so events are cheaper. */
export const webhook: IWebhookDescription = {
	name: 'default',
	httpMethod: `={{ (${String(method)})($parameter) }}`,
	...(typeof webhookDescriptionFields === 'function' &&
		webhookDescriptionFields({ httpMethod: fromFunction(method) })),
	// The trigger node answers when it runs in the execution.
	responseMode: 'responseNode',
	path: WEBHOOK_PATH,
	// Nobody calls a polling trigger.
	ndvHideUrl: '={{ $parameter.delivery === "polling" }}',
};
