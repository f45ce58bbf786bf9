import { LONGEST_COLLECTION_MS, type Policy } from '../settings/dispatcherOptions';

/** Maximum number of items per execution. */
export const MOST_TOGETHER = 100;

/** One event on its way into an execution. */
export interface Queued<T> {
	/** Identity of the event: the same for every delivery of it. */
	key: string;
	/** When it happened, in ms. Waiting events are sorted by it. */
	time: number;
	/** Chat whose events keep their order. An event without a chat waits for no other. */
	chat?: string;
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

/** An event that waits, and its fate, which callers wait for. */
export interface Entry<T> extends Queued<T> {
	fate: Promise<Fate>;
	settle(fate: Fate): void;
}

/** Events that go into one execution, in order. */
export interface Group<T> {
	queue: ChatQueue<T>;
	entries: Array<Entry<T>>;
	/** Earliest time to start, in ms. */
	readyAt: number;
	/** When it stops taking further events, in ms. */
	closesAt: number;
	cameAt: number;
	failures: number;
}

/** An execution that n8n was asked for, with the events of these groups. All times are in ms. */
export interface Execution<T> {
	readonly groups: Array<Group<T>>;
	/** When the first of its events happened. */
	readonly time: number;
	/** When n8n was asked for it first, and last. */
	readonly since: number;
	askedForAt: number;
	/** Whether its steps may have begun. Until then, events of its chats that happened earlier go first. */
	mayHaveBegun: boolean;
	/**
	 * When its chats stop waiting for it: Infinity until it has begun, so that it keeps its place while n8n is full.
	 */
	until: number;
}

/** The queue of one chat, in the order the events happened. All times are in ms. */
export class ChatQueue<T> {
	private readonly groups: Array<Group<T>> = [];

	private readonly running = new Set<Execution<T>>();

	constructor(readonly name: string) {}

	/** Whether the queue holds no state and can be dropped. */
	get isIdle(): boolean {
		return this.groups.length === 0 && this.running.size === 0;
	}

	enter(entry: Entry<T>, policy: Policy, now: number): void {
		if (this.join(entry, policy, now)) return;
		const quietMs = entry.collects && entry.person !== undefined ? policy.quietMs : 0;
		const group: Group<T> = {
			queue: this,
			entries: [entry],
			readyAt: now + quietMs,
			closesAt: quietMs > 0 ? now + LONGEST_COLLECTION_MS : now,
			cameAt: now,
			failures: 0,
		};
		insert(this.groups, group, (other) => happenedAt(other) > entry.time);
	}

	/** Adds a message to an open group of its writer. Returns whether there is one. */
	private join(entry: Entry<T>, { quietMs }: Policy, now: number): boolean {
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

	/** The groups that may start now. `settleMs`: how long an event waits for earlier ones it may have overtaken. */
	startable({ inOrder }: Policy, settleMs: number, now: number): Array<Group<T>> {
		for (const each of this.running) if (each.until <= now) this.running.delete(each);
		const inFront = inOrder ? [...this.running] : [];
		if (inFront.some(({ mayHaveBegun }) => mayHaveBegun)) return [];
		const before = Math.min(...inFront.map(({ time }) => time));
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
		// A loop without arrays: the dispatcher asks every few ms, and many events may wait.
		let soonest = Infinity;
		for (const { readyAt, cameAt } of this.groups) {
			const settledAt = cameAt + settleMs;
			if (readyAt > now && readyAt < soonest) soonest = readyAt;
			if (settledAt > now && settledAt < soonest) soonest = settledAt;
		}
		return soonest;
	}

	/** Whether a stored execution may begin: no other of its chat may have, and no earlier events are stored. */
	mayBegin({ time }: Execution<T>): boolean {
		return ![...this.running].some((other) => other.mayHaveBegun || other.time < time);
	}

	/** Whether events that happened before those of a started group could start, but are held up. */
	isOvertaken(group: Group<T>, now: number): boolean {
		return this.groups.some(
			(other) => other.readyAt <= now && happenedAt(other) < happenedAt(group),
		);
	}

	start(group: Group<T>, execution: Execution<T>): void {
		this.groups.splice(this.groups.indexOf(group), 1);
		this.running.add(execution);
	}

	end(execution: Execution<T>): void {
		this.running.delete(execution);
	}

	/** Lets a group that was started wait again, in front of those that happened at the same time. */
	putBack(group: Group<T>): void {
		// Its person may have done something else since it was started, which comes before what they write now.
		group.closesAt = 0;
		insert(this.groups, group, (other) => happenedAt(other) >= happenedAt(group));
	}
}

/** When the first event of a group happened, in ms. */
export const happenedAt = <T>({ entries: [first] }: Group<T>): number => first?.time ?? 0;

/** Inserts an element before the first later one. */
function insert<E>(list: E[], element: E, isLater: (other: E) => boolean): void {
	const index = list.findIndex(isLater);
	list.splice(index < 0 ? list.length : index, 0, element);
}
