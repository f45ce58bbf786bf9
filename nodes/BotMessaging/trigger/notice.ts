import type { NodeExecutionHint } from 'n8n-workflow';
import { describeAddress, isOfSameN8n, isSameTrigger } from './live';
import { triggerKey, type TriggerContext } from './parameters';

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
