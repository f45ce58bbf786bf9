import { sleep } from 'n8n-workflow';
import { realClock } from '../../service/clock';

/**
 * How long a subscription outlives its trigger: a number of pauses, and their length in ms. When a published workflow
 * changes, n8n switches its trigger off and a moment later on again. As long as the subscription exists, the service
 * redelivers what nobody took meanwhile. In a busy n8n that moment is longer, but so is each pause.
 */
const GRACE = { pauses: 160, pauseMs: 50 };

/** A trigger that starts again within this time after it was switched off asks for missed events, in ms. */
const RECENT_MS = 120_000;

interface PendingRemoval {
	url: string;
	bot: string;
	unsubscribe(): Promise<void>;
	/** Its removal, once that has begun. Never rejects. */
	removal?: Promise<void>;
}

/** Removals that are pending or under way. */
const pendingRemovals = new Set<PendingRemoval>();

/** When triggers were switched off, in ms, by how they received the events of which bot. */
const stoppedAt = new Map<string, number>();

/** The source of a trigger that polls for a bot. */
export const pollsOf = (trigger: string, bot: string): string => `${trigger} polls for ${bot}`;
/** The source of a trigger that the bot's service calls. */
export const webhookOf = (trigger: string, bot: string): string =>
	`${trigger} is called for ${bot}`;

/** Notes that a trigger no longer receives events in this way. */
export const noteStopped = (source: string): void => {
	stoppedAt.set(source, realClock.now());
};

async function remove(pending: PendingRemoval): Promise<void> {
	pending.removal ??= pending.unsubscribe().then(() => void pendingRemovals.delete(pending));
	await pending.removal;
}

const pendingRemovalsOf = (url: string): PendingRemoval[] =>
	[...pendingRemovals].filter((pending) => pending.url === url);

/** Whether the subscription of an address ends within a few seconds, as its trigger was switched off. */
export const isEnding = (url: string): boolean => pendingRemovalsOf(url).length > 0;

/**
 * Removes a subscription after a few seconds, unless it is wanted again by then. `unsubscribe` never rejects. Called
 * again meanwhile, as n8n does when it fails to switch the trigger on, it does nothing.
 */
export function unsubscribeLater(url: string, bot: string, unsubscribe: () => Promise<void>): void {
	if (pendingRemovalsOf(url).some((pending) => pending.bot === bot)) return;
	const pending = { url, bot, unsubscribe };
	pendingRemovals.add(pending);
	void removeAfterGrace(pending);
}

async function removeAfterGrace(pending: PendingRemoval): Promise<void> {
	for (let pause = 0; pause < GRACE.pauses; pause++) await sleep(GRACE.pauseMs);
	if (pendingRemovals.has(pending)) await remove(pending);
}

/** Takes back the removal of an address that is wanted again; for another bot, completes it. Resolves after that. */
export async function keepSubscribed(url: string, bot: string): Promise<void> {
	const ended = pendingRemovalsOf(url).map((pending) => {
		if (pending.bot !== bot) return remove(pending);
		pendingRemovals.delete(pending);
		return pending.removal;
	});
	await Promise.all(ended);
}

/** Completes the pending removals of a bot at once: a bot with a subscription cannot be polled. */
export async function unsubscribeNow(bot: string): Promise<void> {
	await Promise.all([...pendingRemovals].filter((pending) => pending.bot === bot).map(remove));
}

/** Whether a trigger has stopped to receive in this way a short while ago. */
export function stoppedRecently(source: string): boolean {
	const now = realClock.now();
	for (const [each, at] of stoppedAt) if (now - at > RECENT_MS) stoppedAt.delete(each);
	return stoppedAt.has(source);
}
