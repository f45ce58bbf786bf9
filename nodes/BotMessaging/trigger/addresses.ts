import { sleep, type IDataObject, type IHookFunctions } from 'n8n-workflow';
import type { TriggerContext } from './parameters';

/** What a trigger remembers between restarts, in n8n's static data. */
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
	/** Where the next poll begins, and the bot whose marker it is. */
	marker?: string;
	bot?: string;
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

/** Enters a trigger under the address that it subscribes. `activatedAt`: see LiveTrigger. */
export function enlist(context: TriggerContext, url: string, activatedAt = 0): void {
	byUrl.set(url, { workflow: context.getWorkflow().name ?? '', activatedAt });
}

export const strike = (url: string): void => {
	byUrl.delete(url);
};

/** The trigger of this process that an address belongs to. */
export const liveAt = (url: string): LiveTrigger | undefined => byUrl.get(url);

/** An address as people know it: by its workflow, where that is known. */
export function nameOfAddress(address: string): string {
	const live = liveAt(address);
	return live ? `the published workflow “${live.workflow}” of this n8n` : address;
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
	const leave: Leave = { bot, isTakenBack: false, hurry: () => {}, done: Promise.resolve() };
	const hurried = new Promise<void>((resolve) => {
		leave.hurry = resolve;
	});
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
