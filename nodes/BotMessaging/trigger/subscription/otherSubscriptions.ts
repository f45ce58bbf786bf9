import type { Logger, NodeExecutionHint } from 'n8n-workflow';
import { realClock } from '../../service/clock';
import { escapeHtml } from '../../text/html';
import { isOfWorkflow, liveTriggerAt, nameOfAddress } from './liveTriggers';
import type { Memory } from './memory';
import { isEnding } from './removals';
import { triggerKey, WEBHOOK_PATH, type TriggerContext } from '../settings/parameters';
import { unsubscribe, type Found, type Requests } from './subscription';

/** n8n's webhook ID. A node without one, such as one that the command line has imported, has its workflow and its name. */
const WEBHOOK_ID = '[\\da-f]{8}(-[\\da-f]{4}){3}-[\\da-f]{12}';
const WORKFLOW_AND_NAME = '([\\da-z]{16}|\\d+)/[^/]+';

/** The end of a trigger's address in this package, and after the endpoint, which has `-test` for tests. */
const WITH_ID = new RegExp(`/${WEBHOOK_ID}/${WEBHOOK_PATH}$`, 'i');
const OURS = new RegExp(`^(-test)?/(${WEBHOOK_ID}|${WORKFLOW_AND_NAME})/${WEBHOOK_PATH}$`, 'i');

/** How many parts of the path may follow the endpoint in a trigger's address. */
const lengthsOf = (url: string): number[] => (WITH_ID.test(url) ? [2] : [2, 3]);

/** Whether one is a trigger's address for production, and the other for tests. n8n may use two hosts for these. */
function isTestOf(url: string, other: string): boolean {
	return lengthsOf(url).some((length) => {
		const [endpoint, ...tail] = url.split('/').slice(-length - 1);
		const [otherEndpoint, ...otherTail] = other.split('/').slice(-length - 1);
		return tail.join('/') === otherTail.join('/') && endpoint !== otherEndpoint;
	});
}

/** Whether `other` is the address of a test run, which ends soon: one of the trigger at `url`, or of another. */
const isTestRun = (url: string, other: string): boolean =>
	isTestOf(url, other) || liveTriggerAt(other)?.isTest === true;

/** Whether `other` is the address of a trigger on the same n8n as `url`, for production or tests. */
function isOfSameN8n(url: string, other: string): boolean {
	return lengthsOf(url).some((length) => {
		const endpoint = url
			.split('/')
			.slice(0, -length)
			.join('/')
			.replace(/-test$/, '');
		return other.startsWith(endpoint) && OURS.test(other.slice(endpoint.length));
	});
}

/** Who gets no events where two triggers share a bot that has one subscription, and what to do about it. */
const IN_ONE_WORKFLOW = [
	'This trigger',
	'Choose the events of both in one of the two triggers, and delete the other one.',
];
const IN_TWO_WORKFLOWS = [
	'This workflow',
	'Unpublish one of the two workflows, or give each a bot of its own.',
];

/** A readable name for another address, seen from the trigger at `url` in a workflow. */
function describeAddress(url: string, workflowId: string | undefined, other: string): string {
	const isOurs = !liveTriggerAt(other) && isOfSameN8n(url, other);
	return isOurs ? `a workflow of this n8n (${other})` : nameOfAddress(other, workflowId);
}

/** How often a subscription may be lost to the same address, and within what time in ms, before this trigger yields. */
const MOST_LOSSES = 2;
const LOSSES_MS = 1_800_000;

/** How long a subscription of this n8n may belong to no trigger before it counts as left behind, in ms. */
const ABANDONED_MS = 110_000;

/** The bot's subscriptions other than that of one trigger. */
export class OtherSubscriptions {
	/** When the trigger's subscription was lost, in ms, and to which address. */
	private losses: Array<{ url: string; at: number }> = [];

	/** Addresses of this n8n that belonged to no trigger at the last check, with when each was first seen so, in ms. */
	private suspects = new Map<string, number>();

	/**
	 * Whether the trigger at `url` leaves the bot to the subscription that has replaced its own: its `memory` learns
	 * that, and `tell` what happened. Some services keep one per bot, and two triggers would take it from each other
	 * forever; the one that was switched on last keeps it.
	 */
	shouldYield(
		url: string,
		{ lack, others }: Pick<Found, 'lack' | 'others'>,
		memory: Pick<Memory, 'known' | 'learn'>,
		tell: (message: string, description: string) => void,
	): boolean {
		const [rival] = others;
		if (lack !== 'missing' || rival === undefined || others.length > 1) return false;
		if (this.findAbandoned(url, others).length > 0) return false;
		const { yieldedTo, activatedAt = 0 } = memory.known;
		if (isTestRun(url, rival) || yieldedTo === rival) return true;
		const now = realClock.now();
		this.losses = this.losses.filter(({ at }) => now - at < LOSSES_MS);
		this.losses.push({ url: rival, at: now });
		const isOlder = (liveTriggerAt(rival)?.activatedAt ?? Infinity) < activatedAt;
		const lost = this.losses.filter((loss) => loss.url === rival);
		if (isOlder || lost.length < MOST_LOSSES) return false;
		memory.learn({ yieldedTo: rival });
		const { workflowId } = liveTriggerAt(url) ?? {};
		const name = describeAddress(url, workflowId, rival);
		const [loser, advice] = isOfWorkflow(workflowId, rival) ? IN_ONE_WORKFLOW : IN_TWO_WORKFLOWS;
		tell(
			'The events of the bot go to another subscription',
			`The service keeps one subscription for each bot, and ${name} has taken it ${lost.length} times. ${loser} gets no events of the bot until the other subscription is gone. ${advice}`,
		);
		return true;
	}

	/** Removes subscriptions left behind when n8n stopped. The service lists them beside that of the trigger. */
	async removeAbandoned(
		url: string,
		others: string[],
		service: Requests,
		logger: Pick<Logger, 'info'>,
	): Promise<void> {
		// So it keeps several for each bot, and none of them has taken the place of another.
		if (others.length > 0) this.losses = [];
		for (const other of this.findAbandoned(url, others)) {
			await unsubscribe(service, other);
			logger.info(`Removed a subscription that no workflow uses any more: ${other}`);
		}
	}

	/** The addresses of this n8n that have belonged to no trigger for a while: by then all triggers have started. */
	private findAbandoned(url: string, others: string[]): string[] {
		const now = realClock.now();
		const suspects = others.filter((other) => isOfSameN8n(url, other) && !liveTriggerAt(other));
		this.suspects = new Map(suspects.map((other) => [other, this.suspects.get(other) ?? now]));
		return suspects.filter((other) => now - (this.suspects.get(other) ?? now) >= ABANDONED_MS);
	}
}

/** By trigger, the warning about the bot's other subscriptions as last seen. */
const warnings = new Map<string, string | undefined>();

/** Notes the bot's other subscriptions that share events, and logs a warning when they have changed. */
export function noteOthers(context: TriggerContext, url: string, sharing: string[]): void {
	const foreign = sharing.filter((other) => !isTestRun(url, other) && !isEnding(other));
	const key = triggerKey(context);
	const message = foreign.length > 0 ? warningOf(context, url, foreign) : undefined;
	if (message !== undefined && message !== warnings.get(key)) context.logger.warn(message);
	warnings.set(key, message);
}

/** Hints that a test run shows next to the event, as HTML. */
export function hintsFor(context: TriggerContext): NodeExecutionHint[] {
	const message = warnings.get(triggerKey(context));
	return context.getMode() === 'manual' && message !== undefined
		? [{ message: escapeHtml(message), location: 'outputPane', type: 'warning' }]
		: [];
}

/** Workflows of this n8n can be unpublished; only for other subscriptions the message says how to remove them. */
function warningOf(context: TriggerContext, url: string, others: string[]): string {
	const { id } = context.getWorkflow();
	const names = others.map((other) => describeAddress(url, id, other)).join(', ');
	const all = `The bot has other webhook subscriptions, which get the same events: ${names}.`;
	return others.every((other) => liveTriggerAt(other) || isOfSameN8n(url, other))
		? `${all} Each event starts all of these.`
		: `${all} They were left as they are. The operation Subscription → Delete removes one that is no longer needed.`;
}
