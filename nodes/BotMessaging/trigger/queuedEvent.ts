/** One event on its way into an execution. */
export interface Queued<T> {
	/** What two deliveries of the same event share. */
	key: string;
	/** When it happened, in ms. What waits stands in this order. */
	time: number;
	/** Chat whose events keep their order. An event without one waits for nothing. */
	chat?: string;
	/** Who caused it. */
	person?: string;
	/** Whether it may go together with the next ones of the same person in the same chat. */
	collects: boolean;
	content: T;
}

/**
 * What became of an event: its execution has `begun`, or had before (`known`); it waits for its turn longer than who
 * asked (`late`, it keeps its place); there is no room (`full`); its execution could not be started (`failed`).
 */
export type Fate = 'begun' | 'known' | 'late' | 'full' | 'failed';

/** Somebody who waits for what becomes of an event, until then, in ms. */
interface Waiter {
	until: number;
	settle(fate: Fate): void;
}

/** An event that waits. */
export interface Entry<T> extends Queued<T> {
	waiters: Waiter[];
}

/** Tells those who do not wait any longer. */
export function loseWaiters<T>(entry: Entry<T>, now: number): void {
	const lost = entry.waiters.filter(({ until }) => until <= now);
	if (lost.length === 0) return;
	entry.waiters = entry.waiters.filter(({ until }) => until > now);
	for (const { settle } of lost) settle('late');
}
