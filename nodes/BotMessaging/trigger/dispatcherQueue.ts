import type { Clock } from '../service/pacing/clock';
import type { Group } from './chatLine';
import { ChatLines } from './chatLines';
import type { Policy } from './dispatcherOptions';
import { Overtaking } from './overtaking';
import { loseWaiters, type Entry, type Fate, type Queued } from './queuedEvent';
import type { Started } from './startExecution';
import { Storing } from './storing';

/** Starts one execution with these events as its items. Never throws. */
type Outlet<T> = (contents: T[]) => Started;

/** Keys of events whose executions have begun. */
interface KnownKeys {
	has(key: string): boolean;
	add(key: string): void;
}

/** Events that wait at most. Who comes then is turned away and comes again. */
export const MOST_WAITING = 2000;

/** An execution of which nothing was heard so long, in ms, holds up no others, and later is not waited for any more. */
const STORING_MS = 30_000;
const SILENCE_MS = 900_000;

/** What waits is looked at so often at least, in ms; patience ends that exactly, and lag is seen that well. */
const LOOK_MS = 20;

/**
 * Decides which events start an execution when: at once, one after the other in each chat, collected, or several
 * together. It knows nothing of n8n: executions are started by the outlet, time is the clock's. Each event starts one
 * execution, however often it is offered; no chat waits for another one; what is kept is bounded.
 */
export class DispatcherQueue<T> {
	private readonly lines = new ChatLines<T>();

	/** Offered events whose execution has not begun. */
	private readonly pending = new Map<string, Entry<T>>();

	private readonly storing = new Set<Storing<T>>();

	private outlet?: Outlet<T>;

	private policy: Policy = {
		inOrder: false,
		longestWaitMs: 0,
		settleMs: 0,
		quietMs: 0,
		together: false,
	};

	private readonly overtaking = new Overtaking();

	private isLooking = false;

	/** Whether executions ask here before they begin, so that n8n can store them while they wait for overtaken events. */
	private isAsked = false;

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
		const now = this.clock.now();
		if (this.pending.size >= MOST_WAITING) return undefined;
		const entry = { ...event, waiters: [] };
		if (!this.lines.enter(entry, this.policy, now)) return undefined;
		this.pending.set(entry.key, entry);
		return entry;
	}

	/**
	 * Has the execution of these events, which n8n has stored, wait for its turn: events of their chat that happened before
	 * them and came after them go first. `false` when that takes so long that it has to end; it is started anew then.
	 */
	async mayBegin(keys: string[]): Promise<boolean> {
		this.isAsked = true;
		const storing = [...this.storing].find((each) => each.isFor(keys));
		if (!storing || storing.running.hasBegun) return true;
		this.overtaking.noteJourney(this.clock.now() - storing.since);
		while (this.outlet) {
			const now = this.clock.now();
			const settleMs = this.overtaking.waitMs(this.policy, now);
			const turn = this.storing.has(storing) ? storing.turn(settleMs, now) : 'end';
			if (turn === 'end') return false;
			if (turn === 'begin') break;
			await this.clock.sleep(LOOK_MS);
		}
		storing.running.hasBegun = true;
		return true;
	}

	/** Whether n8n stores executions while their events wait for overtaken ones. */
	private get storesAhead(): boolean {
		const { inOrder, together } = this.policy;
		return this.isAsked && inOrder && !together;
	}

	/** How long an event waits for overtaken ones before its execution is started, in ms. */
	private waitMs(now: number): number {
		return this.storesAhead ? 0 : this.overtaking.waitMs(this.policy, now);
	}

	/** Starts what may start now. */
	private pump(): void {
		const now = this.clock.now();
		while (this.outlet) {
			const groups = this.next(now);
			if (groups.length === 0) break;
			this.start(groups, this.outlet, now);
		}
		if (this.isAwaited && !this.isLooking) void this.look();
	}

	/** Whether time can change anything: after `close` only for who waits for an answer. */
	private get isAwaited(): boolean {
		if (this.outlet) return this.pending.size > 0;
		for (const { waiters } of this.pending.values()) if (waiters.length > 0) return true;
		return false;
	}

	/** Looks after what waits, as long as something does: n8n's rules for nodes allow no timers. */
	private async look(): Promise<void> {
		this.isLooking = true;
		while (this.isAwaited) {
			const ms = Math.max(1, Math.min(LOOK_MS, this.restMs()));
			const wakesAt = this.clock.now() + ms;
			await this.clock.sleep(ms);
			const now = this.clock.now();
			this.overtaking.noteLag(now - wakesAt, now);
			for (const entry of this.pending.values()) loseWaiters(entry, now);
			for (const silent of this.storing) {
				if (now - silent.since > SILENCE_MS) this.leave(silent, 'failed');
			}
			this.pump();
		}
		this.isLooking = false;
	}

	/** Ms until something may start because time has passed. */
	private restMs(): number {
		const now = this.clock.now();
		return this.lines.soonest(this.waitMs(now), now) - now;
	}

	/** The groups of the next execution, none when nothing may start. */
	private next(now: number): Array<Group<T>> {
		if (this.policy.together && this.isStoring(now)) return [];
		return this.lines.next(this.policy, this.waitMs(now), now);
	}

	private isStoring(now: number): boolean {
		for (const { since } of this.storing) if (now - since < STORING_MS) return true;
		return false;
	}

	private start(groups: Array<Group<T>>, outlet: Outlet<T>, now: number): void {
		const { longestWaitMs } = this.policy;
		const storing = new Storing(groups, now, { longestWaitMs, asks: this.storesAhead });
		const { running } = storing;
		this.storing.add(storing);
		for (const group of groups) this.lines.start(group, running);
		const over = (): void => {
			for (const { line } of groups) {
				line.end(running);
				this.lines.forget(line);
			}
			this.pump();
		};
		const contents = groups.flatMap(({ entries }) => entries.map(({ content }) => content));
		const { begun, ended } = outlet(contents);
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

	private begin(storing: Storing<T>): void {
		for (const { entries } of storing.groups) for (const { key } of entries) this.known.add(key);
		this.leave(storing, 'begun');
	}

	private fail(storing: Storing<T>): void {
		if (!this.storing.delete(storing)) return;
		for (const group of storing.putBack(this.clock.now())) this.settle(group, 'failed');
	}

	private leave(storing: Storing<T>, fate: Fate): void {
		if (!this.storing.delete(storing)) return;
		for (const group of storing.groups) this.settle(group, fate);
	}

	private settle({ line, entries }: Group<T>, fate: Fate): void {
		for (const entry of entries) {
			// After a long silence, the same event may have been offered anew.
			if (this.pending.get(entry.key) === entry) this.pending.delete(entry.key);
			line.settle(entry, fate);
		}
		this.lines.forget(line);
	}
}
