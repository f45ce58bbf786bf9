import { sleep, type IDataObject, type IHookFunctions, type NodeExecutionHint } from 'n8n-workflow';
import { triggerKey, type TriggerContext } from './parameters';

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

/** Other subscriptions of the bot, by trigger, as they were last seen: in words. */
const seen = new Map<string, string>();

/** Notes which other subscriptions the bot has, and says so in the log when that is news. */
export function noteOthers(context: TriggerContext, url: string, others: string[]): void {
	const foreign = others.filter((other) => !isSameTrigger(url, other));
	const key = triggerKey(context);
	const message = foreign.length > 0 ? messageOf(url, foreign) : '';
	const isNews = message !== (seen.get(key) ?? '');
	seen.set(key, message);
	if (isNews && message !== '') context.logger.warn(message);
}

/** What a test run shows beside the event. */
export function hintsFor(context: TriggerContext): NodeExecutionHint[] {
	const message = seen.get(triggerKey(context)) ?? '';
	return context.getMode() === 'manual' && message !== ''
		? [{ message, location: 'outputPane', type: 'warning' }]
		: [];
}

/** Workflows of this n8n are unpublished in this n8n; what belongs to others, only they know. */
function messageOf(url: string, others: string[]): string {
	const all = `The bot has other webhook subscriptions, which get the same events: ${others.map((other) => describeAddress(url, other)).join(', ')}.`;
	return others.every((other) => isOfSameN8n(url, other))
		? `${all} Each event starts all of these workflows.`
		: `${all} They were left as they are. The operation Subscription → Delete removes one that is no longer needed.`;
}

/**
 * When a published workflow changes, n8n switches its trigger off and, a moment later, on again. What happens between
 * is not lost as long as the service keeps the subscription: it delivers again what nobody took. In ms.
 */
const GRACE_MS = 8_000;

/** A trigger that starts again so soon after it left asks for what it missed, in ms. */
const RECENT_MS = 120_000;

/** A subscription that is about to be removed. */
interface Leave {
	bot: string;
	isTakenBack: boolean;
	/** Ends the grace. */
	hurry(): void;
	/** Settles when it has been removed, or is not to be. Never rejects. */
	done: Promise<void>;
}

const leaves = new Map<string, Leave>();

/** When addresses were left, in ms. */
const left = new Map<string, number>();

/**
 * Removes the subscription of an address a few seconds later, unless it is wanted again by then.
 *
 * @param unsubscribe never rejects
 */
export function leaveLater(url: string, bot: string, unsubscribe: () => Promise<void>): void {
	let hurry = (): void => {};
	const hurried = new Promise<void>((resolve) => {
		hurry = resolve;
	});
	const leave: Leave = { bot, isTakenBack: false, hurry, done: Promise.resolve() };
	leave.done = Promise.race([sleep(GRACE_MS), hurried]).then(async () => {
		if (leave.isTakenBack) return;
		await unsubscribe();
		left.set(url, Date.now());
		if (leaves.get(url) === leave) leaves.delete(url);
	});
	leaves.set(url, leave);
}

/**
 * An address is wanted again: the subscription of this bot stays, that of another one is removed at once. Resolves when
 * nothing is going to be removed any more.
 */
export async function stay(url: string, bot: string): Promise<void> {
	const leave = leaves.get(url);
	if (!leave) return;
	leaves.delete(url);
	leave.isTakenBack = leave.bot === bot;
	leave.hurry();
	await leave.done;
}

/** Removes at once what is about to be removed of a bot: as long as it has a subscription, it cannot be polled. */
export async function leaveNow(bot: string): Promise<void> {
	const own = [...leaves.values()].filter((leave) => leave.bot === bot);
	for (const { hurry } of own) hurry();
	await Promise.all(own.map(({ done }) => done));
}

export const isLeaving = (url: string): boolean => leaves.has(url);

/** When the subscription of an address was removed, in ms, if that was just now. */
export function leftLately(url: string): number | undefined {
	for (const [each, at] of left) if (Date.now() - at > RECENT_MS) left.delete(each);
	return left.get(url);
}
