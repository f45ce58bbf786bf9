import type { Clock } from '../../service/clock';
import { loseWaiters, type Entry, type Fate, type Group, type Queued } from './chatLine';
import { ChatLines, Storing } from './chatLines';
import type { Policy } from '../settings/dispatcherOptions';
import { LostExecutions, Overtaking } from './estimates';
import type { Ledger } from './ledger';
import type { Started } from './startExecution';

/** Starts one execution with these events as its items. Never throws. */
type Outlet<T> = (contents: T[]) => Started;

/** Maximum number of waiting events. Further ones are refused and have to be offered again. */
export const MOST_WAITING = 2000;

/** How long an execution that has not begun may hold up the next batch, and when it counts as failed, in ms. */
const STORING_MS = 30_000;
const SILENCE_MS = 900_000;

/** Longest pause between two checks of what waits, in ms: the resolution of timeouts and of lag measurements. */
const LOOK_MS = 20;

/** How long to pause when time changes something in `restMs`, or nothing if that is not positive; in whole ms. */
const pauseMs = (restMs: number): number =>
	restMs > 0 ? Math.ceil(Math.min(LOOK_MS, restMs)) : LOOK_MS;

/**
 * Decides when events start executions: at once, one after the other in each chat, collected, or several together.
 * It knows nothing of n8n: the outlet starts executions, the clock tells the time. Each event starts one execution,
 * however often it is offered; no chat waits for another; memory is bounded.
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
		loadsFiles: false,
	};

	private readonly lost = new LostExecutions();

	private readonly overtaking = new Overtaking();

	private isLooking = false;

	/** @param known keys of events whose executions have begun */
	constructor(
		private readonly known: Pick<Ledger, 'has' | 'add'>,
		private readonly clock: Clock,
	) {}

	/** Lets executions start. Events that already wait keep their place. */
	open(policy: Policy, outlet: Outlet<T>): void {
		this.policy = policy;
		this.outlet = outlet;
		this.pump();
	}

	/** Starts no more executions. What runs or waits is remembered until `open`. */
	close(): void {
		this.outlet = undefined;
	}

	/** Number of offered events that have not begun, and of chats with state. */
	get size(): { events: number; chats: number } {
		return { events: this.pending.size, chats: this.lines.size };
	}

	/** Queues an event. Resolves to its fate, after `patienceMs` at the latest. Never rejects. */
	async offer(event: Queued<T>, patienceMs: number): Promise<Fate> {
		if (this.known.has(event.key)) return 'known';
		const now = this.clock.now();
		const entry = this.pending.get(event.key) ?? this.enter(event, now);
		if (!entry) return 'full';
		return await new Promise((settle) => {
			entry.waiters.push({ until: now + patienceMs, settle });
			this.pump();
		});
	}

	private enter(event: Queued<T>, now: number): Entry<T> | undefined {
		const entry = { ...event, waiters: [] };
		const hasRoom = this.pending.size < MOST_WAITING && this.lines.enter(entry, this.policy, now);
		if (!hasRoom) return undefined;
		this.pending.set(entry.key, entry);
		return entry;
	}

	/**
	 * Makes an execution that n8n has stored wait for its turn: events of the same chat that happened earlier but
	 * arrived later go first. Resolves to `false` when that takes too long: this execution has to end, and its events
	 * start another one.
	 */
	async mayBegin(keys: string[]): Promise<boolean> {
		this.overtaking.isAsked = true;
		const storing = [...this.storing].find(({ entries }) =>
			entries.some(({ key }) => keys.includes(key)),
		);
		if (!storing || storing.hasBegun) return true;
		this.overtaking.noteJourney(this.clock.now() - storing.since);
		while (this.outlet) {
			const now = this.clock.now();
			const settleMs = this.overtaking.settleMs(this.policy, now);
			const turn = this.storing.has(storing) ? storing.turn(settleMs, now) : 'end';
			if (turn === 'end') return false;
			if (turn === 'begin') break;
			await this.clock.sleep(pauseMs(storing.settledAt(settleMs) - now));
		}
		storing.hasBegun = true;
		return true;
	}

	/** Starts everything that may start now. */
	private pump(): void {
		const now = this.clock.now();
		while (this.outlet) {
			const groups = this.next(now);
			if (groups.length === 0) break;
			this.start(groups, this.outlet, now);
		}
		if (this.isAwaited && !this.isLooking) void this.look();
	}

	/** Whether the passing of time matters: after `close`, only to callers that do not wait for ever. */
	private get isAwaited(): boolean {
		if (this.outlet) return this.pending.size > 0;
		return [...this.pending.values()].some(({ waiters }) =>
			waiters.some(({ until }) => until < Infinity),
		);
	}

	/** Checks what waits for as long as anything does. A loop of sleeps: n8n's rules for nodes forbid timers. */
	private async look(): Promise<void> {
		this.isLooking = true;
		while (this.isAwaited) {
			const before = this.clock.now();
			const waitMs = this.overtaking.waitMs(this.policy, before);
			const ms = pauseMs(this.lines.soonest(waitMs, before) - before);
			await this.clock.sleep(ms);
			const now = this.clock.now();
			this.overtaking.noteLag(now - before - ms, now);
			for (const entry of this.pending.values()) loseWaiters(entry, now);
			for (const silent of this.storing) {
				if (now - silent.since > SILENCE_MS) this.leave(silent, 'failed');
				else if (this.outlet && this.mayBeLost(silent, now)) this.ask(silent, this.outlet, now);
			}
			this.pump();
		}
		this.isLooking = false;
	}

	/** The groups of the next execution; empty when nothing may start. */
	private next(now: number): Array<Group<T>> {
		const isHeldUp =
			this.policy.together && [...this.storing].some(({ since }) => now - since < STORING_MS);
		if (isHeldUp) return [];
		return this.lines.next(this.policy, this.overtaking.waitMs(this.policy, now), now);
	}

	private mayBeLost(storing: Storing<T>, now: number): boolean {
		const [oldest] = this.storing;
		return (
			!this.policy.loadsFiles && this.lost.mayInclude(storing.askedForAt, storing === oldest, now)
		);
	}

	private start(groups: Array<Group<T>>, outlet: Outlet<T>, now: number): void {
		const asks = this.overtaking.storesAhead(this.policy);
		const storing = new Storing(groups, now, this.policy.longestWaitMs, asks);
		this.storing.add(storing);
		this.lines.start(storing);
		this.ask(storing, outlet, now);
	}

	/** Asks n8n for an execution, if need be again: of several, the first to begin counts, and the others end at once. */
	private ask(storing: Storing<T>, outlet: Outlet<T>, now: number): void {
		storing.askedForAt = now;
		const over = (): void => {
			this.lines.end(storing);
			this.pump();
		};
		const { begun, ended } = outlet(storing.entries.map(({ content }) => content));
		// One that does not begin, or not first, ends without consequences.
		ended.catch(() => {});
		begun.then(
			() => {
				const begunAt = this.clock.now();
				this.lost.noteBegun(now, begunAt);
				for (const { key } of storing.entries) this.known.add(key);
				if (storing.isTaken) return;
				storing.take(begunAt);
				this.leave(storing, 'begun');
				this.pump();
				ended.then(over, over);
			},
			() => {
				if (storing.isTaken) return;
				if (this.storing.has(storing)) {
					this.leave(storing, 'failed', storing.putBack(this.clock.now()));
				}
				this.pump();
			},
		);
	}

	/** Ends the storing of an execution and settles the fate of `groups`: all of its groups, or those not put back. */
	private leave(storing: Storing<T>, fate: Fate, groups = storing.groups): void {
		if (!this.storing.delete(storing)) return;
		if (fate === 'failed') this.lines.end(storing);
		for (const { line, entries } of groups) {
			for (const entry of entries) {
				// After a long silence, the same event may have been offered again as a new entry.
				if (this.pending.get(entry.key) === entry) this.pending.delete(entry.key);
				line.settle(entry, fate);
			}
			this.lines.forget(line);
		}
	}
}
