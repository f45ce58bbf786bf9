import { LONGEST_COLLECTION_MS, type Policy } from '../settings/dispatcherOptions';

/** Maximum number of waiting events per chat. Further ones are refused and have to be offered again. */
export const MOST_OF_CHAT = 200;

/** Maximum number of items per execution. */
export const MOST_TOGETHER = 100;

/** A failed start is retried with exponential backoff: first pause in ms, and number of retries. */
export const FIRST_PAUSE_MS = 1000;
export const RETRIES = 6;

/** One event on its way into an execution. */
export interface Queued<T> {
	/** Identity of the event: the same for every delivery of it. */
	key: string;
	/** When it happened, in ms. Waiting events are sorted by it. */
	time: number;
	/** Chat whose events keep their order. An event without a chat waits for no other. */
	chat?: string;
	/** Who caused it. */
	person?: string;
	/** Whether it may be collected with the next ones of the same person in the same chat. */
	collects: boolean;
	content: T;
}

/**
 * What became of an event: its execution has `begun`, or had begun before (`known`); its turn did not come before the
 * caller's timeout (`late`, it keeps its place); the queue has no room (`full`); its execution could not be started
 * (`failed`); it starts none (`ignored`).
 */
export type Fate = 'begun' | 'known' | 'late' | 'full' | 'failed' | 'ignored';

/** A waiting event, and the callers that wait for its fate, each `until` a time in ms. */
export interface Entry<T> extends Queued<T> {
	waiters: Array<{ until: number; settle(fate: Fate): void }>;
}

/** Tells callers whose timeout has passed that the event is late. */
export function loseWaiters<T>(entry: Entry<T>, now: number): void {
	const lost = entry.waiters.filter(({ until }) => until <= now);
	if (lost.length === 0) return;
	entry.waiters = entry.waiters.filter(({ until }) => until > now);
	for (const { settle } of lost) settle('late');
}

/** Events that go into one execution, in order. */
export interface Group<T> {
	line: Line<T>;
	entries: Array<Entry<T>>;
	/** Earliest time to start, in ms. */
	readyAt: number;
	/** When it stops taking further events, in ms. */
	closesAt: number;
	cameAt: number;
	failures: number;
}

/** An execution that the next event of its chat waits for. */
export interface Running {
	/** When other events stop waiting for it, in ms; Infinity until its steps begin. */
	until: number;
	/** When the first of its events happened, in ms. */
	time: number;
	/** Whether its steps may have begun. Until then, events that happened earlier go first. */
	hasBegun: boolean;
}

/** The queue of one chat, in the order the events happened. All times are in ms. */
export class Line<T> {
	private readonly groups: Array<Group<T>> = [];

	private readonly running = new Set<Running>();

	/** Number of events that wait or whose execution is being stored. */
	private size = 0;

	constructor(readonly name: string) {}

	get isFull(): boolean {
		return this.size >= MOST_OF_CHAT;
	}

	/** Whether the line holds no state and can be dropped. */
	get isIdle(): boolean {
		return this.size === 0 && this.running.size === 0;
	}

	enter(entry: Entry<T>, { quietMs }: Policy, now: number): void {
		this.size++;
		if (this.join(entry, quietMs, now)) return;
		const isOpen = entry.collects && quietMs > 0 && entry.person !== undefined;
		this.putBack({
			line: this,
			entries: [entry],
			readyAt: isOpen ? now + quietMs : now,
			closesAt: isOpen ? now + LONGEST_COLLECTION_MS : now,
			cameAt: now,
			failures: 0,
		});
	}

	/** Adds a message to an open group of its writer. Returns whether there is one. */
	private join(entry: Entry<T>, quietMs: number, now: number): boolean {
		const own = this.groups.filter(
			({ entries: [first], closesAt }) => first?.person === entry.person && closesAt > now,
		);
		if (!entry.collects) {
			// Any other action of the person closes their group.
			for (const group of own) group.readyAt = group.closesAt = now;
			return false;
		}
		const group = own.find(({ entries }) => entries.length < MOST_TOGETHER);
		if (!group) return false;
		insert(group.entries, entry, ({ time }) => time > entry.time);
		group.readyAt = Math.min(now + quietMs, group.closesAt);
		return true;
	}

	/** Inserts a group in order. */
	putBack(group: Group<T>): void {
		const time = happenedAt(group);
		insert(this.groups, group, (other) => happenedAt(other) > time);
	}

	/** The groups that may start now. `settleMs`: how long an event waits for earlier ones it may have overtaken. */
	startable({ inOrder }: Policy, settleMs: number, now: number): Array<Group<T>> {
		let before = Infinity;
		for (const each of this.running) {
			if (each.until <= now) this.running.delete(each);
			else if (inOrder && each.hasBegun) return [];
			else if (inOrder) before = Math.min(before, each.time);
		}
		const ready: Array<Group<T>> = [];
		// Once a group has waited long enough, everything in front of it need not wait either.
		const settled = this.groups.findLastIndex(({ cameAt }) => cameAt + settleMs <= now);
		for (const [index, group] of this.groups.entries()) {
			if (index > settled || happenedAt(group) >= before) break;
			if (group.readyAt <= now) ready.push(group);
			// A group that waits for its retry is not overtaken.
			else if (inOrder && group.failures > 0) break;
		}
		return ready;
	}

	/** Next time at which something may become startable. The longest wait for an execution ends a moment later. */
	soonest(settleMs: number, now: number): number {
		let soonest = Infinity;
		for (const { readyAt, cameAt } of this.groups) {
			if (readyAt > now) soonest = Math.min(soonest, readyAt);
			if (cameAt + settleMs > now) soonest = Math.min(soonest, cameAt + settleMs);
		}
		return soonest;
	}

	/** Whether a stored execution may begin: no other of its chat has begun, and no earlier events are stored. */
	mayBegin({ time }: Running): boolean {
		// Earlier events that could start have started already.
		return ![...this.running].some((other) => other.hasBegun || other.time < time);
	}

	start(group: Group<T>, running: Running): void {
		this.groups.splice(this.groups.indexOf(group), 1);
		this.running.add(running);
	}

	end(running: Running): void {
		this.running.delete(running);
	}

	/** Requeues a group that failed to start, with a pause. Returns `false` when it has no retries left. */
	retry(group: Group<T>, now: number): boolean {
		if (++group.failures > RETRIES) return false;
		group.readyAt = now + FIRST_PAUSE_MS * 2 ** (group.failures - 1);
		this.groups.unshift(group);
		return true;
	}

	/** Removes an event from the line and tells the callers its fate. */
	settle({ waiters }: Entry<T>, fate: Fate): void {
		this.size--;
		for (const { settle } of waiters) settle(fate);
	}
}

/** When the first event of a group happened, in ms. */
export const happenedAt = <T>({ entries: [first] }: Group<T>): number => first?.time ?? 0;

/** Inserts an element before the first later one. */
function insert<E>(list: E[], element: E, isLater: (other: E) => boolean): void {
	const index = list.findIndex(isLater);
	list.splice(index < 0 ? list.length : index, 0, element);
}
