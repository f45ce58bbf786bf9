import type { NodeExecutionHint } from 'n8n-workflow';
import { triggerKey, type TriggerContext } from './parameters';

/** Other subscriptions of the bot, by trigger, as they were last seen. */
const seen = new Map<string, string[]>();

/** Production and test address of one trigger differ in the endpoint before these last two parts of the path. */
const tailOf = (url: string): string => url.split('/').slice(-2).join('/');

/** Notes which other subscriptions the bot has, and says so in the log when that is news. */
export function noteOthers(context: TriggerContext, url: string, others: string[]): void {
	const foreign = others.filter((other) => tailOf(other) !== tailOf(url));
	const key = triggerKey(context);
	const isNews = foreign.join() !== (seen.get(key) ?? []).join();
	seen.set(key, foreign);
	if (isNews && foreign.length > 0) context.logger.warn(messageOf(foreign));
}

/** What a test run shows beside the event. */
export function hintsFor(context: TriggerContext): NodeExecutionHint[] {
	const foreign = seen.get(triggerKey(context)) ?? [];
	return context.getMode() === 'manual' && foreign.length > 0
		? [{ message: messageOf(foreign), location: 'outputPane', type: 'warning' }]
		: [];
}

const messageOf = (urls: string[]): string =>
	`The bot has other webhook subscriptions, which get the same events and were left as they are: ${urls.join(', ')}. The operation Subscription → Delete removes one that is no longer needed.`;
