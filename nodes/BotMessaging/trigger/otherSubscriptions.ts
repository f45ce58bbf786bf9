import type { Logger, NodeExecutionHint } from 'n8n-workflow';
import type { Service } from '../service/types';
import { isLeaving, liveAt, nameOfAddress, type Remembered } from './addresses';
import { triggerKey, WEBHOOK_PATH, type TriggerContext } from './parameters';
import { unsubscribe, type Found } from './subscription';

/** Production and test address of one trigger differ in the endpoint before these last two parts of the path. */
const tailOf = (url: string): string => url.split('/').slice(-2).join('/');

const isSameTrigger = (url: string, other: string): boolean => tailOf(url) === tailOf(other);

/** The last parts of the address of a trigger of this package: n8n's id of the webhook, then its path. */
const OURS = new RegExp(
	`^(-test)?/[\\da-f]{8}(-[\\da-f]{4}){3}-[\\da-f]{12}/${WEBHOOK_PATH}$`,
	'i',
);

/** Whether an address is that of a trigger of the n8n that another one belongs to, for production or tests. */
function isOfSameN8n(url: string, other: string): boolean {
	const endpoint = url.replace(/(-test)?(\/[^/]*){2}$/, '');
	return other.startsWith(endpoint) && OURS.test(other.slice(endpoint.length));
}

/** An address as people know it, told by a trigger whose own is `url`. */
function describeAddress(url: string, other: string): string {
	const isOurs = liveAt(other) === undefined && isOfSameN8n(url, other);
	return isOurs ? `a workflow of this n8n (${other})` : nameOfAddress(other);
}

/** So often a subscription may be lost to the same address within this time, in ms, before this trigger gives way. */
const MOST_LOSSES = 2;
const LOSSES_MS = 1_800_000;

/** The bot's subscriptions besides that of one trigger. */
export class OtherSubscriptions {
	/** When the trigger's own was lost to which address, in ms. */
	private losses: Array<{ url: string; at: number }> = [];

	/** Addresses of this n8n behind which nothing was found at the last look. */
	private suspects = new Set<string>();

	/**
	 * Whether the trigger's subscription is left to the one that has taken its place: some services keep one for each bot,
	 * and two triggers would take it from each other for ever. Whoever was switched on last keeps it.
	 *
	 * @param url address of the trigger
	 * @param tell told when the trigger gives way: what happened, and what to do
	 */
	takeOver(
		url: string,
		{ lack, others }: Found,
		known: Remembered,
		tell: (message: string, description: string) => void,
	): boolean {
		const [rival] = others;
		if (lack !== 'missing' || rival === undefined || others.length > 1) return false;
		// A test run of this very trigger ends soon.
		if (isSameTrigger(url, rival) || known.yieldedTo === rival) return true;
		const now = Date.now();
		this.losses = this.losses.filter(({ at }) => now - at < LOSSES_MS);
		this.losses.push({ url: rival, at: now });
		const isOlder = (liveAt(rival)?.activatedAt ?? Infinity) < (known.activatedAt ?? 0);
		const lost = this.losses.filter((loss) => loss.url === rival);
		if (isOlder || lost.length < MOST_LOSSES) return false;
		known.yieldedTo = rival;
		tell(
			'The events of the bot go to another subscription',
			`The service keeps one subscription for each bot, and ${describeAddress(url, rival)} has taken it ${lost.length} times. This workflow gets no events of the bot until the other subscription is gone. Unpublish one of the two workflows, or give each a bot of its own.`,
		);
		return true;
	}

	/** Removes what this n8n left behind when it was stopped, once it was found twice: all triggers have started by then. */
	async tidyUp(url: string, others: string[], service: Service, logger: Logger): Promise<void> {
		const abandoned = others.filter(
			(other) => isOfSameN8n(url, other) && !liveAt(other) && !isLeaving(other),
		);
		for (const other of abandoned.filter((each) => this.suspects.has(each))) {
			await unsubscribe(service, other);
			logger.info(`Removed a subscription that no workflow uses any more: ${other}`);
		}
		this.suspects = new Set(abandoned);
	}
}

/** Other subscriptions of the bot, by trigger, as they were last seen: in words. */
const seen = new Map<string, string | undefined>();

/** Notes which other subscriptions the bot has, and says so in the log when that is news. */
export function noteOthers(context: TriggerContext, url: string, others: string[]): void {
	const foreign = others.filter((other) => !isSameTrigger(url, other));
	const key = triggerKey(context);
	const message = foreign.length > 0 ? messageOf(url, foreign) : undefined;
	if (message !== undefined && message !== seen.get(key)) context.logger.warn(message);
	seen.set(key, message);
}

/** What a test run shows beside the event. */
export function hintsFor(context: TriggerContext): NodeExecutionHint[] {
	const message = seen.get(triggerKey(context));
	return context.getMode() === 'manual' && message !== undefined
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
