import {
	NodeApiError,
	type IHookFunctions,
	type ITriggerFunctions,
	type ITriggerResponse,
} from 'n8n-workflow';
import { openService } from '../service/client';
import { throwWithAdvice } from '../service/errors';
import { reasonOf } from '../service/failure';
import type { Service } from '../service/types';
import { inspect, publicAddress, subscribe, unsubscribe, type Wanted } from './subscription';
import { readFilters } from './filters';
import { enlist, leaveLater, leftLately, remembered, stay, strike } from './addresses';
import { noteOthers } from './otherSubscriptions';
import { chosenEvents, formOf, isAutomatic, polls, triggerKey } from './parameters';
import { secretOf } from './secret';
import { watch, watchdogOf } from './watchdog';
import { openDispatcher } from './dispatcher';
import { startPolling } from './polling';

const urlOf = (context: IHookFunctions): string =>
	publicAddress(context.getNode(), context.getNodeWebhookUrl('default'));

const isTest = (context: IHookFunctions): boolean => context.getMode() === 'manual';

async function wantedBy(context: IHookFunctions): Promise<Wanted> {
	const events = chosenEvents(context);
	// Filters that cannot be used are told when the workflow is activated, not when an event is lost to them.
	readFilters(formOf(context), events);
	return { url: urlOf(context), events, secret: await secretOf(context) };
}

/** Notes when a person has switched the trigger on: a start of n8n does not count. */
function noteActivation(context: IHookFunctions, url: string): void {
	const known = remembered(context);
	if (!isAutomatic(context)) {
		known.activatedAt = Date.now();
		delete known.yieldedTo;
	}
	enlist(context, url, known.activatedAt);
}

/**
 * Whether the service already calls this trigger, for just the events it wants, with its secret. A trigger that has
 * yielded to another one stays away when n8n starts.
 */
async function checkExists(this: IHookFunctions): Promise<boolean> {
	const wanted = await wantedBy(this);
	const service = await serviceFor(this);
	await stay(wanted.url, service.connection.botKey);
	if (!isTest(this)) noteActivation(this, wanted.url);
	const asking = isSubscribed(this, service, wanted);
	return await asking.catch((error: unknown) => leaveToWatchdog(this, wanted, error));
}

async function isSubscribed(
	context: IHookFunctions,
	service: Service,
	wanted: Wanted,
): Promise<boolean> {
	const known = remembered(context);
	const { lack, others } = await inspect(service, wanted, known.mark);
	noteOthers(context, wanted.url, others);
	return lack === undefined || (lack === 'missing' && others.includes(known.yieldedTo ?? ''));
}

/**
 * Subscribes this trigger's address (interface: POST /subscriptions); the same address is replaced. n8n has started the
 * trigger before.
 */
async function create(this: IHookFunctions): Promise<boolean> {
	const wanted = await wantedBy(this);
	const service = await serviceFor(this);
	if (isTest(this)) {
		enlist(this, wanted.url, Date.now());
		await subscribe(service, wanted);
		return true;
	}
	const subscribing = subscribeWithMissed(this, service, wanted);
	return await subscribing.catch((error: unknown) => leaveToWatchdog(this, wanted, error));
}

/** Hands over what was missed, then subscribes. */
async function subscribeWithMissed(
	context: IHookFunctions,
	service: Service,
	wanted: Wanted,
): Promise<boolean> {
	const watchdog = watchdogOf(triggerKey(context));
	// A start of n8n asks for what came while it was down; a person who switches on, for what came since just now.
	const since = isAutomatic(context) ? remembered(context).seenAt : leftLately(wanted.url);
	if (watchdog && !(await watchdog.askForMissed(service, since))) {
		// It subscribes when the turn of all these events has come.
		Object.assign(remembered(context), { url: wanted.url, seenAt: since });
		void watchdog.look();
		return true;
	}
	const mark = await subscribe(service, wanted);
	Object.assign(remembered(context), { url: wanted.url, mark, seenAt: Date.now() });
	return true;
}

/** A start that n8n makes by itself may take two minutes, or it has failed: no request is repeated then. */
const serviceFor = async (context: IHookFunctions): Promise<Service> =>
	await openService(context, isAutomatic(context) ? { patienceMs: 0 } : {});

/** n8n never again starts a trigger that could not start with n8n. So the watchdog goes on where the service failed. */
function leaveToWatchdog(context: IHookFunctions, { url }: Wanted, error: unknown): boolean {
	if (!isAutomatic(context)) throw error;
	context.logger.warn(`The subscription of the trigger is checked later: ${reasonOf(error)}`);
	remembered(context).url = url;
	return true;
}

/**
 * Removes the subscription of this trigger's address and no other; that of a published workflow after a few seconds, since
 * n8n also calls this when a published workflow changes.
 */
async function remove(this: IHookFunctions): Promise<boolean> {
	const url = urlOf(this);
	strike(url);
	const service = await openService(this);
	// n8n does not tell here whether it is a test that ends; only the address of production is remembered.
	if (url !== remembered(this).url) await leave(this, service, url);
	else leaveLater(url, service.connection.botKey, async () => await tryToLeave(this, service, url));
	return true;
}

/** Never rejects: n8n has gone on. What is left behind is tidied up by the next trigger of the bot. */
async function tryToLeave(context: IHookFunctions, service: Service, url: string): Promise<void> {
	try {
		await leave(context, service, url);
	} catch (error) {
		const reason = reasonOf(error);
		context.logger.warn(`The webhook subscription of ${url} could not be removed: ${reason}`);
	}
}

/** A token that is no longer valid cannot hold the trigger back: nobody could remove the subscription with it. */
async function leave(context: IHookFunctions, service: Service, url: string): Promise<void> {
	await unsubscribe(service, url).catch((error: unknown) => {
		if (!(error instanceof NodeApiError) || error.httpCode !== '401') throw error;
		context.logger.warn(
			'The webhook subscription could not be removed: the service refuses the access token',
		);
	});
}

/** n8n shows the message alone of what keeps a trigger from being published or tested. */
const advising = <C, R>(work: (this: C) => Promise<R>) =>
	async function (this: C): Promise<R> {
		return await work.call(this).catch(throwWithAdvice);
	};

/** What n8n calls when the workflow is published, tested, changed and unpublished. */
export const lifecycle = {
	checkExists: advising(checkExists),
	create: advising(create),
	delete: advising(remove),
};

/**
 * Starts what an active workflow keeps running: the dispatcher of its events, and the watchdog of its subscription or
 * long polling.
 */
export const start = advising(async function (this: ITriggerFunctions): Promise<ITriggerResponse> {
	const dispatcher = openDispatcher(this);
	let receiver: ITriggerResponse | undefined;
	try {
		receiver = polls(this) ? await startPolling(this, dispatcher) : watch(this, dispatcher);
	} finally {
		if (!receiver) dispatcher.close(this);
	}
	return {
		closeFunction: async () => {
			dispatcher.close(this);
			await receiver.closeFunction?.();
		},
	};
});
