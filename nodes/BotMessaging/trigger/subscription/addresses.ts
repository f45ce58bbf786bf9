import { sleep } from 'n8n-workflow';
import { realClock } from '../../service/clock';
import { triggerKey, type TriggerContext } from '../settings/parameters';
import { remembered } from './memory';

/** A trigger that is active or tested in this process, and subscribed or about to be. */
interface LiveTrigger {
	trigger: string;
	/** Name and ID of its workflow. */
	workflow: string;
	workflowId: string;
	/** Whether the address is that of a test run, which ends soon. */
	isTest: boolean;
	/** When a person switched it on, Unix time in ms. */
	activatedAt: number;
	/** When it was registered, in ms. */
	enlistedAt: number;
}

const byUrl = new Map<string, LiveTrigger>();

/** How long n8n lets a test run wait for an event at most, in ms. */
const LONGEST_TEST_MS = 600_000;

/** Registers a trigger by the address that it subscribes. */
export function enlist(
	context: Pick<TriggerContext, 'getWorkflow' | 'getNode' | 'getMode' | 'getWorkflowStaticData'>,
	url: string,
): void {
	const { name: workflow = '', id: workflowId = '' } = context.getWorkflow();
	const { activatedAt = 0 } = remembered(context);
	const isTest = context.getMode() === 'manual';
	const enlistedAt = realClock.now();
	const trigger = triggerKey(context);
	byUrl.set(url, { trigger, workflow, workflowId, isTest, activatedAt, enlistedAt });
}

/** The time of an activation that happens now: after all others, even if the clock of the machine was set back since. */
export const nextActivation = (): number =>
	Math.max(Date.now(), ...[...byUrl.values()].map(({ activatedAt }) => activatedAt + 1));

export const strike = (url: string): void => {
	byUrl.delete(url);
};

/** Whether another trigger has this address: a copy of the one in this context, or the other way round. */
export function isOfAnother(context: TriggerContext, url: string): boolean {
	const live = liveAt(url);
	return live !== undefined && live.trigger !== triggerKey(context);
}

/** The trigger with this address, if this process runs it. */
export function liveAt(url: string): LiveTrigger | undefined {
	const live = byUrl.get(url);
	// n8n does not tell the end of a test run whose workflow was deleted meanwhile.
	const isOver = live?.isTest && realClock.now() - live.enlistedAt > LONGEST_TEST_MS;
	return isOver ? undefined : live;
}

/** A readable name for an address: its workflow, where that is known. */
export function nameOfAddress(address: string): string {
	const live = liveAt(address);
	if (!live) return address;
	return `${live.isTest ? 'a test run of the' : 'the published'} workflow “${live.workflow}” of this n8n`;
}

/**
 * How long a subscription outlives its trigger: a number of pauses, and their length in ms. When a published workflow
 * changes, n8n switches its trigger off and a moment later on again. As long as the subscription exists, the service
 * redelivers what nobody took meanwhile. In a busy n8n that moment is longer, but so is each pause.
 */
const GRACE = { pauses: 160, pauseMs: 50 };

/** A trigger that starts again within this time after it was switched off asks for missed events, in ms. */
const RECENT_MS = 120_000;

interface Leave {
	url: string;
	bot: string;
	unsubscribe(): Promise<void>;
	/** Its removal, once that has begun. Never rejects. */
	removal?: Promise<void>;
}

/** Removals that are pending or under way. */
const leaves = new Set<Leave>();

/** When triggers were switched off, in ms, by how they received the events of which bot. */
const left = new Map<string, number>();

/** The source of a trigger that polls for a bot. */
export const pollsOf = (trigger: string, bot: string): string => `${trigger} polls for ${bot}`;
/** The source of a trigger that the bot's service calls. */
export const webhookOf = (trigger: string, bot: string): string =>
	`${trigger} is called for ${bot}`;

/** Notes that a trigger no longer receives events in this way. */
export const noteLeft = (source: string): void => {
	left.set(source, realClock.now());
};

async function remove(leave: Leave): Promise<void> {
	leave.removal ??= leave.unsubscribe().then(() => void leaves.delete(leave));
	await leave.removal;
}

const leavesOf = (url: string): Leave[] => [...leaves].filter((leave) => leave.url === url);

/**
 * Removes the subscription of an address after a few seconds, unless it is wanted again by then. Called again meanwhile,
 * as n8n does when it fails to switch the trigger on, it does nothing.
 *
 * @param unsubscribe never rejects
 */
export function leaveLater(url: string, bot: string, unsubscribe: () => Promise<void>): void {
	if (leavesOf(url).some((leave) => leave.bot === bot)) return;
	const leave = { url, bot, unsubscribe };
	leaves.add(leave);
	void removeAfterGrace(leave);
}

async function removeAfterGrace(leave: Leave): Promise<void> {
	for (let pause = 0; pause < GRACE.pauses; pause++) await sleep(GRACE.pauseMs);
	if (leaves.has(leave)) await remove(leave);
}

/**
 * Takes back a pending removal because the address is wanted again; if it belongs to another bot, completes it at once.
 * Resolves when no removal is pending.
 */
export async function stay(url: string, bot: string): Promise<void> {
	const ended = leavesOf(url).map((leave) => {
		if (leave.bot !== bot) return remove(leave);
		leaves.delete(leave);
		return leave.removal;
	});
	await Promise.all(ended);
}

/** Completes the pending removals of a bot at once: a bot with a subscription cannot be polled. */
export async function leaveNow(bot: string): Promise<void> {
	await Promise.all([...leaves].filter((leave) => leave.bot === bot).map(remove));
}

/** Whether a trigger has stopped to receive in this way a short while ago. */
export function leftLately(source: string): boolean {
	const now = realClock.now();
	for (const [each, at] of left) if (now - at > RECENT_MS) left.delete(each);
	return left.has(source);
}
