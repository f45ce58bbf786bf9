import type { IDataObject, IHookFunctions } from 'n8n-workflow';

/** What a trigger remembers of its subscription between restarts, in n8n's static data. */
export interface Remembered extends IDataObject {
	/** Address that is subscribed; only the life cycle knows it, the watchdog reads it here. */
	url?: string;
	/** Mark of the subscription as it was last made. */
	mark?: string;
	/** When a person switched the trigger on, Unix time in ms. */
	activatedAt?: number;
	/** When the subscription was last seen as it should be, Unix time in ms. */
	seenAt?: number;
	/** The address that has taken the events of the bot, where the service keeps one subscription only. */
	yieldedTo?: string;
}

/** The static data of a trigger. */
export const remembered = (context: Pick<IHookFunctions, 'getWorkflowStaticData'>): Remembered =>
	context.getWorkflowStaticData('node');

/** A trigger that is on in this process and subscribed, or about to be. */
interface LiveTrigger {
	/** Name of its workflow. */
	workflow: string;
	/** When a person switched it on, Unix time in ms. */
	activatedAt: number;
}

const byUrl = new Map<string, LiveTrigger>();

/** Enters a trigger under the address that it subscribes. */
export const enlist = (url: string, trigger: LiveTrigger): void => {
	byUrl.set(url, trigger);
};

export const strike = (url: string): void => {
	byUrl.delete(url);
};

/** The trigger of this process that an address belongs to. */
export const liveAt = (url: string): LiveTrigger | undefined => byUrl.get(url);

/** Production and test address of one trigger differ in the endpoint before these last two parts of the path. */
const tailOf = (url: string): string => url.split('/').slice(-2).join('/');

export const isSameTrigger = (url: string, other: string): boolean => tailOf(url) === tailOf(other);

/** Path of the triggers' webhooks, as no other node has it: what ends in it may be tidied up. */
export const WEBHOOK_PATH = 'bot-messaging';

/** The last parts of the address of a trigger of this package: n8n's id of the webhook, then its path. */
const OURS = new RegExp(
	`^(-test)?/[\\da-f]{8}(-[\\da-f]{4}){3}-[\\da-f]{12}/${WEBHOOK_PATH}$`,
	'i',
);

/** Whether an address is that of a trigger of the n8n that another one belongs to, for production or tests. */
export function isOfSameN8n(url: string, other: string): boolean {
	const endpoint = url
		.split('/')
		.slice(0, -2)
		.join('/')
		.replace(/-test$/, '');
	return other.startsWith(endpoint) && OURS.test(other.slice(endpoint.length));
}

/** An address as people know it: by its workflow, where that is known. */
export function nameOfAddress(address: string): string {
	const live = liveAt(address);
	return live ? `the published workflow “${live.workflow}” of this n8n` : address;
}

/** The same, told by a trigger whose own address is known. */
export function describeAddress(url: string, other: string): string {
	const isOurs = liveAt(other) === undefined && isOfSameN8n(url, other);
	return isOurs ? `a workflow of this n8n (${other})` : nameOfAddress(other);
}
