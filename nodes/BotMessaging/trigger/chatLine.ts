import { LONGEST_COLLECTION_MS, type Policy } from './dispatcherOptions';

/** Events of one chat that wait at most. Who comes then is turned away and comes again. */
export const MOST_OF_CHAT = 200;

/** Items of one execution at most. */
export const MOST_TOGETHER = 100;

/** A start that fails is tried again after a pause, each twice the last, in ms; so often. */
export const FIRST_PAUSE_MS = 1000;
export const RETRIES = 6;

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
 * asked (`late`, it keeps its place); there is no room (`full`); its execution could not be started (`failed`); it does
 * not start one (`ignored`).
 */
export type Fate = 'begun' | 'known' | 'late' | 'full' | 'failed' | 'ignored';

/** An event that waits, and those who wait for what becomes of it, each until then, in ms. */
export interface Entry<T> extends Queued<T> {
	waiters: Array<{ until: number; settle(fate: Fate): void }>;
}

/** Tells those who do not wait any longer. */
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
	/** Not started before, in ms. */
	readyAt: number;
	/** Takes no more events from then on, in ms. */
	closesAt: number;
	/** When it came, in ms. */
	cameAt: number;
	failures: number;
}

/** An execution that the next event of its chat waits for. */
export interface Running {
	/** It is waited for no longer, in ms. */
	until: number;
	/** When the first of its events happened, in ms. */
	time: number;
	/** Whether its steps may have begun. Until then, events that happened before it go before it. */
	hasBegun: boolean;
}

/** The events of one chat, in their order. All times are in ms. */
export class Line<T> {
	private readonly groups: Array<Group<T>> = [];

	private readonly running = new Set<Running>();

	/** Events that wait, or whose execution is being stored. */
	private size = 0;

	constructor(readonly name: string) {}

	get isFull(): boolean {
		return this.size >= MOST_OF_CHAT;
	}

	/** Whether nothing is known of the chat that would be missed. */
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

	/** Adds a message to those that its writer has just written, if there are any. */
	private join(entry: Entry<T>, quietMs: number, now: number): boolean {
		const own = this.groups.filter(
			({ entries: [first], closesAt }) => first?.person === entry.person && closesAt > now,
		);
		if (!entry.collects) {
			// What else a person does ends what they were writing.
			for (const group of own) group.readyAt = group.closesAt = now;
			return false;
		}
		const group = own.find(({ entries }) => entries.length < MOST_TOGETHER);
		if (!group) return false;
		insert(group.entries, entry, ({ time }) => time > entry.time);
		group.readyAt = Math.min(now + quietMs, group.closesAt);
		return true;
	}

	/** Puts a group into its place. */
	putBack(group: Group<T>): void {
		const time = happenedAt(group);
		insert(this.groups, group, (other) => happenedAt(other) > time);
	}

	/** What may start now. `settleMs`: how long an event waits for those that happened before it. */
	startable({ inOrder }: Policy, settleMs: number, now: number): Array<Group<T>> {
		let before = Infinity;
		for (const each of this.running) {
			if (each.until <= now) this.running.delete(each);
			else if (inOrder && each.hasBegun) return [];
			else if (inOrder) before = Math.min(before, each.time);
		}
		const ready: Array<Group<T>> = [];
		// Who waits for those before it waits for none of them any more when a later one does not.
		const settled = this.groups.findLastIndex(({ cameAt }) => cameAt + settleMs <= now);
		for (const [index, group] of this.groups.entries()) {
			if (index > settled || happenedAt(group) >= before) break;
			if (group.readyAt <= now) ready.push(group);
			// One that is tried again keeps its place.
			else if (inOrder && group.failures > 0) break;
		}
		return ready;
	}

	/** When something may start because time has passed. */
	soonest(settleMs: number, now: number): number {
		if (this.groups.length === 0) return Infinity;
		const times = [
			...this.groups.flatMap(({ readyAt, cameAt }) => [readyAt, cameAt + settleMs]),
			...[...this.running].map(({ until }) => until),
		];
		return Math.min(...times.filter((time) => time > now));
	}

	/** Whether an execution that n8n has stored may begin: nothing that happened before it is under way or waits. */
	mayBegin(running: Running, now: number): boolean {
		for (const other of this.running) {
			const isBefore = other.hasBegun || other.time < running.time;
			if (other !== running && other.until > now && isBefore) return false;
		}
		return !this.groups.some((group) => happenedAt(group) < running.time && group.readyAt <= now);
	}

	start(group: Group<T>, running: Running): void {
		this.groups.splice(this.groups.indexOf(group), 1);
		this.running.add(running);
	}

	end(running: Running): void {
		this.running.delete(running);
	}

	/** Puts a group that could not be started back, unless that was so too often. */
	retry(group: Group<T>, now: number): boolean {
		if (++group.failures > RETRIES) return false;
		group.closesAt = 0;
		group.readyAt = now + FIRST_PAUSE_MS * 2 ** (group.failures - 1);
		this.groups.unshift(group);
		return true;
	}

	/** Something has become of an event. */
	settle({ waiters }: Entry<T>, fate: Fate): void {
		this.size--;
		for (const { settle } of waiters) settle(fate);
	}
}

/** When the first event of a group happened, in ms. */
export const happenedAt = <T>({ entries: [first] }: Group<T>): number => first?.time ?? 0;

/** Puts something before the first that is later. */
function insert<E>(list: E[], element: E, isLater: (other: E) => boolean): void {
	const index = list.findIndex(isLater);
	list.splice(index < 0 ? list.length : index, 0, element);
}
