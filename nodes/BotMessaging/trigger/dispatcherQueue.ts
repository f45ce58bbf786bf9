import type { Clock } from '../service/pacing/clock';

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

/** When events start executions. */
export interface Policy {
	/** The next event of a chat waits for the execution of the one before it. */
	inOrder: boolean;
	/** Longest wait for the execution of the one before, in ms. */
	longestWaitMs: number;
	/**
	 * How long the first event of a quiet chat waits for one that happened before it and was overtaken on its way, in
	 * ms; longer when many events come at once. 0 for events that come in their order.
	 */
	settleMs: number;
	/** How long a person has to be quiet until what they wrote starts one execution, in ms; 0 collects nothing. */
	quietMs: number;
	/** Events that wait while an execution is being stored go together into the next one. */
	together: boolean;
}

/** An execution that was asked for. */
export interface Started {
	/** Resolves when its first step is about to begin; rejects when it came to nothing. */
	begun: Promise<void>;
	/** Settles when it has ended or begun to wait. */
	ended: Promise<unknown>;
}

/** Starts one execution with these events as its items. */
export type Outlet<T> = (contents: T[]) => Started;

/** Keys of events whose executions have begun. */
export interface KnownKeys {
	has(key: string): boolean;
	add(key: string): void;
}

/**
 * What became of an event: its execution has `begun`, or had before (`known`); it waits for its turn longer than who
 * asked (`late`, it keeps its place); there is no room (`full`); its execution could not be started (`failed`).
 */
export type Fate = 'begun' | 'known' | 'late' | 'full' | 'failed';

/** Messages are held back for others of the same person no longer, in ms. */
export const LONGEST_COLLECTION_MS = 20_000;

/** Events that wait at most: of one chat, and of all. Who comes then is turned away and comes again. */
export const MOST_OF_CHAT = 200;
export const MOST_WAITING = 2000;

/** Each event that waits makes overtaking more likely: what it adds to the time to settle, in ms, and the most. */
const SETTLE_PER_EVENT_MS = 10;
const LONGEST_SETTLE_MS = 500;

/** Items of one execution at most. */
export const MOST_TOGETHER = 100;

/** A start that fails is tried again after a pause, each twice the last, in ms; so often. */
export const FIRST_PAUSE_MS = 1000;
export const RETRIES = 6;

/** An execution of which nothing was heard so long, in ms, holds up no others, and later is not waited for any more. */
const STORING_MS = 30_000;
const SILENCE_MS = 900_000;

/** What waits is looked at so often at least, in ms; patience ends that exactly. */
const LOOK_MS = 250;

interface Waiter {
	until: number;
	settle(fate: Fate): void;
}

interface Entry<T> extends Queued<T> {
	waiters: Waiter[];
}

/** Events that go into one execution, in order. */
interface Group<T> {
	line: Line<T>;
	entries: Array<Entry<T>>;
	/** Not started before, in ms. */
	readyAt: number;
	/** Takes no more events from then on, in ms. */
	closesAt: number;
	failures: number;
}

/** The events of one chat. */
interface Line<T> {
	name: string;
	groups: Array<Group<T>>;
	/** Executions, and the time to settle, that the next event waits for. */
	running: Set<Running>;
	/** Entries in `groups`. */
	size: number;
}

interface Running {
	/** Waited for until then, in ms. */
	until: number;
}

/** An execution that has not begun. */
interface Storing<T> {
	groups: Array<Group<T>>;
	since: number;
}

/**
 * Decides which events start an execution when: at once, one after the other in each chat, collected, or several
 * together. It knows nothing of n8n: executions are started by the outlet, time is the clock's. Each event starts one
 * execution, however often it is offered; no chat waits for another one; what is kept is bounded.
 */
export class DispatcherQueue<T> {
	private readonly lines = new Map<string, Line<T>>();

	/** Offered events whose execution has not begun. */
	private readonly pending = new Map<string, Entry<T>>();

	private readonly storing = new Set<Storing<T>>();

	private outlet?: Outlet<T>;

	private policy: Policy = {
		...{ inOrder: false, longestWaitMs: 0, settleMs: 0, quietMs: 0, together: false },
	};

	private isLooking = false;

	constructor(
		private readonly known: KnownKeys,
		private readonly clock: Clock,
	) {}

	/** Lets executions start. What has waited meanwhile keeps its place. */
	open(policy: Policy, outlet: Outlet<T>): void {
		this.policy = policy;
		this.outlet = outlet;
		this.pump();
	}

	/** Starts nothing more. What runs or waits is remembered until `open`. */
	close(): void {
		this.outlet = undefined;
	}

	/** Events that were offered and have not begun, and chats that something is known of. */
	get size(): { events: number; chats: number } {
		return { events: this.pending.size, chats: this.lines.size };
	}

	/** Takes an event in. Resolves to what became of it, after `patienceMs` at the latest. Never rejects. */
	async offer(event: Queued<T>, patienceMs: number): Promise<Fate> {
		if (this.known.has(event.key)) return 'known';
		const entry = this.pending.get(event.key) ?? this.enter(event);
		if (!entry) return 'full';
		return await new Promise((settle) => {
			entry.waiters.push({ until: this.clock.now() + patienceMs, settle });
			this.pump();
		});
	}

	private enter(event: Queued<T>): Entry<T> | undefined {
		const name = event.chat ?? `alone ${event.key}`;
		const line = this.lines.get(name) ?? { name, groups: [], running: new Set(), size: 0 };
		if (line.size >= MOST_OF_CHAT || this.pending.size >= MOST_WAITING) return undefined;
		const entry = { ...event, waiters: [] };
		if (event.chat !== undefined && !this.lines.has(name)) this.settleDown(line);
		this.lines.set(name, line);
		this.pending.set(entry.key, entry);
		line.size++;
		if (!this.join(line, entry)) this.lineUp(line, entry);
		return entry;
	}

	/** On the way through n8n, an event may overtake the one before it. The events that wait are put in order. */
	private settleDown(line: Line<T>): void {
		const { inOrder, settleMs } = this.policy;
		if (!inOrder || settleMs === 0) return;
		const ms = Math.min(LONGEST_SETTLE_MS, settleMs + this.pending.size * SETTLE_PER_EVENT_MS);
		line.running.add({ until: this.clock.now() + ms });
	}

	/** Adds a message to those that its writer has just written, if there are any. */
	private join(line: Line<T>, entry: Entry<T>): boolean {
		const now = this.clock.now();
		const own = line.groups.filter(
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
		group.readyAt = Math.min(now + this.policy.quietMs, group.closesAt);
		return true;
	}

	private lineUp(line: Line<T>, entry: Entry<T>): void {
		const now = this.clock.now();
		const { quietMs } = this.policy;
		const isOpen = entry.collects && quietMs > 0 && entry.person !== undefined;
		const group: Group<T> = {
			line,
			entries: [entry],
			readyAt: isOpen ? now + Math.min(quietMs, LONGEST_COLLECTION_MS) : now,
			closesAt: isOpen ? now + LONGEST_COLLECTION_MS : now,
			failures: 0,
		};
		insert(line.groups, group, ({ entries: [first] }) => (first?.time ?? 0) > entry.time);
	}

	/** Starts what may start now. */
	private pump(): void {
		const now = this.clock.now();
		for (let next = this.next(now); next.length > 0; next = this.next(now)) this.start(next, now);
		if (this.pending.size > 0 && !this.isLooking) void this.look();
	}

	/** Looks after what waits, as long as something does: n8n's rules for nodes allow no timers. */
	private async look(): Promise<void> {
		this.isLooking = true;
		while (this.pending.size > 0) {
			await this.clock.sleep(Math.max(1, Math.min(LOOK_MS, this.soonest())));
			const now = this.clock.now();
			for (const entry of this.pending.values()) loseWaiters(entry, now);
			for (const silent of this.storing) {
				if (now - silent.since > SILENCE_MS) this.leave(silent, 'failed');
			}
			this.pump();
		}
		this.isLooking = false;
	}

	/** Ms until something may start because time has passed. */
	private soonest(): number {
		const now = this.clock.now();
		let soonest = Infinity;
		for (const { groups, running } of this.lines.values()) {
			if (groups.length === 0) continue;
			for (const { readyAt } of groups) if (readyAt > now) soonest = Math.min(soonest, readyAt);
			for (const { until } of running) if (until > now) soonest = Math.min(soonest, until);
		}
		return soonest - now;
	}

	/** The groups of the next execution, none when nothing may start. */
	private next(now: number): Array<Group<T>> {
		const { together } = this.policy;
		if (!this.outlet || (together && this.isStoring(now))) return [];
		const batch: Array<Group<T>> = [];
		let items = 0;
		for (const line of this.lines.values()) {
			for (const group of this.startable(line, now)) {
				// One that has failed goes alone, so that it harms no other.
				if (!together || (group.failures > 0 && items === 0)) return [group];
				items += group.entries.length;
				if (group.failures > 0 || (items > MOST_TOGETHER && batch.length > 0)) break;
				batch.push(group);
			}
			this.forget(line);
			if (items >= MOST_TOGETHER) break;
		}
		return batch;
	}

	private isStoring(now: number): boolean {
		for (const { since } of this.storing) if (now - since < STORING_MS) return true;
		return false;
	}

	private startable({ groups, running }: Line<T>, now: number): Array<Group<T>> {
		const { inOrder } = this.policy;
		for (const each of running) {
			if (each.until <= now) running.delete(each);
			else if (inOrder) return [];
		}
		const ready: Array<Group<T>> = [];
		for (const group of groups) {
			if (group.readyAt <= now) ready.push(group);
			// One that is tried again keeps its place.
			else if (inOrder && group.failures > 0) break;
		}
		return ready;
	}

	private start(groups: Array<Group<T>>, now: number): void {
		const running: Running = { until: now + this.policy.longestWaitMs };
		const storing: Storing<T> = { groups, since: now };
		this.storing.add(storing);
		for (const group of groups) {
			const { line } = group;
			line.groups.splice(line.groups.indexOf(group), 1);
			line.running.add(running);
			// The lines take turns.
			this.lines.delete(line.name);
			this.lines.set(line.name, line);
		}
		const over = (): void => {
			for (const { line } of groups) {
				line.running.delete(running);
				this.forget(line);
			}
			this.pump();
		};
		const { begun, ended } = this.startNow(groups);
		begun.then(
			() => {
				this.begin(storing);
				this.pump();
			},
			() => {
				this.fail(storing);
				over();
			},
		);
		ended.then(over, over);
	}

	private startNow(groups: Array<Group<T>>): Started {
		const contents = groups.flatMap(({ entries }) => entries.map(({ content }) => content));
		try {
			if (this.outlet) return this.outlet(contents);
		} catch {
			// The same as one that is refused later.
		}
		return { begun: Promise.reject(), ended: Promise.resolve() };
	}

	private begin(storing: Storing<T>): void {
		for (const { entries } of storing.groups) for (const { key } of entries) this.known.add(key);
		this.leave(storing, 'begun');
	}

	private fail(storing: Storing<T>): void {
		if (!this.storing.delete(storing)) return;
		for (const group of storing.groups.toReversed()) {
			group.failures++;
			if (group.failures > RETRIES) {
				this.settle(group, 'failed');
				continue;
			}
			group.closesAt = 0;
			group.readyAt = this.clock.now() + FIRST_PAUSE_MS * 2 ** (group.failures - 1);
			group.line.groups.unshift(group);
		}
	}

	private leave(storing: Storing<T>, fate: Fate): void {
		if (!this.storing.delete(storing)) return;
		for (const group of storing.groups) this.settle(group, fate);
	}

	private settle({ line, entries }: Group<T>, fate: Fate): void {
		for (const entry of entries) {
			// After a long silence, the same event may have been offered anew.
			if (this.pending.get(entry.key) === entry) this.pending.delete(entry.key);
			line.size--;
			for (const { settle } of entry.waiters) settle(fate);
		}
		this.forget(line);
	}

	private forget(line: Line<T>): void {
		const isIdle = line.size === 0 && line.running.size === 0;
		if (isIdle && this.lines.get(line.name) === line) this.lines.delete(line.name);
	}
}

/** Puts something before the first that is later. */
function insert<E>(list: E[], element: E, isLater: (other: E) => boolean): void {
	const index = list.findIndex(isLater);
	list.splice(index < 0 ? list.length : index, 0, element);
}

function loseWaiters<T>(entry: Entry<T>, now: number): void {
	const lost = entry.waiters.filter(({ until }) => until <= now);
	if (lost.length === 0) return;
	entry.waiters = entry.waiters.filter(({ until }) => until > now);
	for (const { settle } of lost) settle('late');
}
