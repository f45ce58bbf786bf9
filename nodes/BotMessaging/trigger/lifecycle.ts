import { NodeApiError, type IHookFunctions, type INode } from 'n8n-workflow';
import { openService } from '../service/client';
import { serviceTime } from '../service/clock';
import { throwWithAdvice } from '../service/errors';
import type { Connection } from '../service/connection';
import { reasonOf } from '../service/failure';
import type { Service } from '../service/types';
import {
	inspect,
	publicAddress,
	subscribe,
	unsubscribe,
	type Wanted,
} from './subscription/subscription';
import {
	addLiveTrigger,
	liveTriggerAt,
	nextActivation,
	removeLiveTrigger,
} from './subscription/liveTriggers';
import {
	unsubscribeLater,
	stoppedRecently,
	noteStopped,
	pollsOf,
	keepSubscribed,
	webhookOf,
} from './subscription/removals';
import { remembered } from './subscription/memory';
import { noteOthers } from './subscription/otherSubscriptions';
import { publicationPatience, notePublished, removalPatience } from './subscription/publication';
import { isAutomatic, readTriggerSettings, triggerKey } from './settings/parameters';
import { forgetOtherSecret, secretOf, wasCalledWithOtherSecret } from './subscription/secret';
import { isSearching } from './polling/missedEvents';
import { checkAll, checkSoon, areOthersChecking, watchdogOf } from './watchdog';

const addressOf = (context: IHookFunctions): string | undefined =>
	reachable(context.getNode(), context.getNodeWebhookUrl('default'));

const urlOf = (context: IHookFunctions): string =>
	publicAddress(context.getNode(), addressOf(context));

/**
 * The address at which n8n finds a trigger. The path of a node without webhook ID, such as one that n8n's command line has
 * imported, holds its name. n8n registers that percent-encoded but looks for it decoded, so it is encoded once more.
 */
const reachable = ({ webhookId }: INode, url?: string): string | undefined =>
	webhookId === undefined ? url?.replace(/[^/]+(?=\/[^/]*$)/, encodeURIComponent) : url;

const isTest = (context: IHookFunctions): boolean => context.getMode() === 'manual';

async function wantedBy(context: IHookFunctions): Promise<Wanted> {
	// Unusable settings are refused here as well: if only `trigger()` failed, n8n would leave the subscription.
	const { events, secret } = readTriggerSettings(context);
	return { url: urlOf(context), events, secret: await secretOf(context, secret) };
}

/** Addresses of which the service did not tell whether they are subscribed, so that nothing was subscribed since. */
const unchecked = new Set<string>();

/** Whether the service already calls this trigger with exactly the events it wants and with its secret. */
async function isSubscribed(context: IHookFunctions): Promise<boolean> {
	if (isAutomatic(context)) return leaveToWatchdog(context);
	const wanted = await wantedBy(context);
	const service = await serviceFor(context);
	await keepSubscribed(wanted.url, service.connection.botKey);
	const known = remembered(context);
	if (!isTest(context)) {
		// A person has switched it on.
		known.activatedAt = nextActivation();
		delete known.yieldedTo;
	}
	unchecked.add(wanted.url);
	const { lack, others, sharing } = await inspect(service, wanted, known.mark);
	unchecked.delete(wanted.url);
	noteOthers(context, wanted.url, sharing);
	if (lack === 'missing' && others.length === 0) checkAll(service.connection.botKey);
	if (lack !== undefined || wasCalledWithOtherSecret(triggerKey(context))) return false;
	known.seenAt = serviceTime(service.connection);
	addLiveTrigger(context, wanted.url);
	return true;
}

/**
 * Subscribes this trigger's address, replacing its old subscription (interface: POST /subscriptions), once missed events
 * are handed over. n8n has already called `trigger()`; before n8n 2.40, it does so afterwards.
 */
async function makeSubscription(context: IHookFunctions): Promise<boolean> {
	const wanted = await wantedBy(context);
	const service = await serviceFor(context);
	if (isTest(context)) {
		addLiveTrigger(context, wanted.url);
		await subscribe(service, wanted);
		return true;
	}
	const known = remembered(context);
	const trigger = triggerKey(context);
	const since = missedSince(context, service.connection);
	const isAll =
		since === undefined ||
		(await watchdogOf(trigger)?.missed.handOver(await openService(context), since));
	if (isAll) {
		known.mark = await subscribe(service, wanted);
		forgetOtherSecret(trigger);
	}
	known.url = wanted.url;
	known.seenAt = isAll ? serviceTime(service.connection) : since;
	addLiveTrigger(context, wanted.url);
	// The watchdog subscribes once all these events are handed over. Before n8n 2.40, it is not on duty yet.
	if (!isAll) checkSoon(trigger);
	return true;
}

/** From when on events may have been missed, Unix ms by the service's clock; `undefined` if there are none to ask for. */
function missedSince(context: IHookFunctions, bot: Connection): number | undefined {
	const trigger = triggerKey(context);
	// Whatever its poller has left at the service is not handed over yet.
	if (stoppedRecently(pollsOf(trigger, bot.botKey))) return 0;
	// Its subscription may have been gone before it was switched off.
	const { seenAt } = remembered(context);
	if (stoppedRecently(webhookOf(trigger, bot.botKey))) return seenAt;
	// A subscription would take from the bot's other triggers what they have yet to poll.
	const isAwaited = isSearching(bot.botKey) || areOthersChecking(bot.botKey, trigger);
	return isAwaited ? serviceTime(bot) : undefined;
}

/** n8n tries a test run once. */
const TESTING = { patienceMs: 5000, timeoutMs: 25_000 };

/** For the requests on which a start depends. */
async function serviceFor(context: IHookFunctions): Promise<Service> {
	const settings = isTest(context) ? TESTING : publicationPatience(triggerKey(context));
	return await openService(context, settings);
}

/**
 * An automatic start leaves everything to the watchdog, which is more patient: n8n never starts a trigger again that has
 * failed then, not even when n8n is restarted, and starts five workflows at a time, so that others would wait for a slow
 * service as well. With an unusable webhook address, the watchdog looks after the address from before, if there is one.
 */
function leaveToWatchdog(context: IHookFunctions): boolean {
	const known = remembered(context);
	let { url } = known;
	try {
		url = urlOf(context);
	} catch (error) {
		if (url === undefined) throwWithAdvice(error);
		context.logger.warn(`The subscription stays at its address: ${reasonOf(error)}`);
	}
	known.url = url;
	addLiveTrigger(context, url);
	checkSoon(triggerKey(context));
	return true;
}

const pathOf = (address = ''): string => (URL.canParse(address) ? new URL(address).pathname : '');

/**
 * The address to remove: the one that this trigger runs at, even if n8n's public address has become unusable. What it only
 * remembers may be that of another n8n. Test runs have another path.
 */
function urlToRemove(context: IHookFunctions): string {
	const { url = '' } = remembered(context);
	const isLive = liveTriggerAt(url)?.trigger === triggerKey(context);
	return isLive && pathOf(url) === pathOf(addressOf(context)) ? url : urlOf(context);
}

/**
 * Removes the subscription of this trigger's address and no other. That of a published workflow is removed after a few
 * seconds, since n8n also calls this when such a workflow changes.
 */
async function remove(context: IHookFunctions): Promise<void> {
	const url = urlToRemove(context);
	const live = liveTriggerAt(url);
	// n8n also calls this for a copy that it could not switch on because its address is taken.
	if (live && live.trigger !== triggerKey(context)) return;
	removeLiveTrigger(url);
	const service = await openService(context, removalPatience(triggerKey(context)));
	const { botKey } = service.connection;
	const unsubscribeOrWarn = async (): Promise<void> =>
		await unsubscribe(service, url).catch((error: unknown) => warnOfRest(context, error, url));
	// n8n does not say whether a test ends; only the production address is remembered.
	const isRemembered = url === remembered(context).url;
	if (isRemembered && live) noteStopped(webhookOf(triggerKey(context), botKey));
	// n8n does not wait for it. The bot's next trigger removes a subscription that is left behind.
	if (isRemembered) unsubscribeLater(url, botKey, unsubscribeOrWarn);
	else if (!unchecked.delete(url)) await unsubscribeOrWarn();
}

/** Logs that a subscription stays, and why. With a refused token, nobody could remove it. */
function warnOfRest(context: IHookFunctions, error: unknown, url = 'a trigger'): void {
	const isRefused = error instanceof NodeApiError && error.httpCode === '401';
	const reason = isRefused ? 'the service refuses the access token' : reasonOf(error);
	context.logger.warn(`The webhook subscription of ${url} could not be removed: ${reason}`);
}

/** Puts the advice into the error message: n8n shows nothing else when a trigger cannot be published or tested. */
const withAdvice = (hook: (context: IHookFunctions) => Promise<boolean>) =>
	async function (this: IHookFunctions): Promise<boolean> {
		const isDone = await hook(this).catch(throwWithAdvice);
		if (isDone) notePublished(triggerKey(this));
		return isDone;
	};

/**
 * Never fails: n8n would keep the test run that it could not end in its cache, with everything that it holds for it, and
 * hang for minutes when the next test run of any trigger begins, as it then copies the cache.
 */
async function removeOrWarn(this: IHookFunctions): Promise<boolean> {
	await remove(this).catch((error: unknown) => warnOfRest(this, error));
	return true;
}

/** Hooks that n8n calls when the workflow is published, tested, changed or unpublished. */
export const lifecycle = {
	checkExists: withAdvice(isSubscribed),
	create: withAdvice(makeSubscription),
	delete: removeOrWarn,
};
