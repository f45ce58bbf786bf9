import { NodeApiError, type IDataObject, type IHookFunctions } from 'n8n-workflow';
import { openService } from '../service/client';
import { publicAddress } from './address';
import { readFilters } from './filters';
import { noteOthers } from './notice';
import { chosenEvents, formOf } from './parameters';
import { secretOf } from './secret';
import { inspect, subscribe, unsubscribe, type Wanted } from './subscriptions';

/** What a trigger remembers of its subscription between restarts, in n8n's static data. */
export interface Remembered extends IDataObject {
	/** Address that is subscribed; only the life cycle knows it, the watchdog reads it here. */
	url?: string;
	/** Mark of the subscription as it was last made. */
	mark?: string;
}

/** The static data of a trigger. */
export const remembered = (context: Pick<IHookFunctions, 'getWorkflowStaticData'>): Remembered =>
	context.getWorkflowStaticData('node');

const urlOf = (context: IHookFunctions): string =>
	publicAddress(context.getNode(), context.getNodeWebhookUrl('default'));

async function wantedBy(context: IHookFunctions): Promise<Wanted> {
	const events = chosenEvents(context);
	// Filters that cannot be used are told when the workflow is activated, not when an event is lost to them.
	readFilters(formOf(context), events);
	return { url: urlOf(context), events, secret: await secretOf(context) };
}

/** Whether the service already calls this trigger, for just the events it wants, with its secret. */
async function checkExists(this: IHookFunctions): Promise<boolean> {
	const wanted = await wantedBy(this);
	const { lack, others } = await inspect(await openService(this), wanted, remembered(this).mark);
	noteOthers(this, wanted.url, others);
	return lack === undefined;
}

/** Subscribes this trigger's address (interface: POST /subscriptions); the same address is replaced. */
async function create(this: IHookFunctions): Promise<boolean> {
	const wanted = await wantedBy(this);
	const mark = await subscribe(await openService(this), wanted);
	Object.assign(remembered(this), { url: wanted.url, mark });
	return true;
}

/**
 * Removes the subscription of this trigger's address and no other. A token that is no longer valid cannot hold the
 * trigger back: nobody could remove the subscription with it.
 */
async function remove(this: IHookFunctions): Promise<boolean> {
	const service = await openService(this);
	await unsubscribe(service, urlOf(this)).catch((error: unknown) => warnOfToken(this, error));
	const known = remembered(this);
	delete known.url;
	delete known.mark;
	return true;
}

function warnOfToken(context: IHookFunctions, error: unknown): void {
	if (!(error instanceof NodeApiError) || error.httpCode !== '401') throw error;
	context.logger.warn(
		'The webhook subscription could not be removed: the service refuses the access token',
	);
}

/** What n8n calls when the workflow is published, tested, changed and unpublished. */
export const subscription = { checkExists, create, delete: remove };
