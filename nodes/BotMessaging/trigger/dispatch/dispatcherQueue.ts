import type { Clock } from '../../service/clock';
import type { Execution, Fate, Group, Queued } from './chatQueue';
import { ChatQueues } from './chatQueues';
import type { Policy } from '../settings/dispatcherOptions';
import { LostExecutions, Overtaking } from './estimates';
import type { Ledger } from './ledger';
import type { Started } from './startExecution';

/** Starts one execution with these events as its items. Never throws. */
type Starter<T> = (contents: T[]) => Started;

/** How long an execution that has not begun may hold up the next batch, and when it counts as failed, in ms. */
const STORING_MS = 30_000;
const SILENCE_MS = 900_000;

/**
 * Longest time that a stored execution waits for earlier events, in ms. Then it frees its slot: n8n may limit how many
 * executions run at a time, and those that wait could use up the limit.
 */
const LONGEST_HOLD_MS = 5000;

/** A failed start is retried with exponential backoff: first pause in ms, and number of retries. */
export const FIRST_PAUSE_MS = 1000;
export const RETRIES = 6;

/** Longest pause between two checks of what waits, in ms: the resolution of waits and of lag measurements. */
const CHECK_MS = 20;

/** How long to pause when time changes something in `restMs`, or nothing if that is not positive; in whole ms. */
const pauseMs = (restMs: number): number =>
	restMs > 0 ? Math.ceil(Math.min(CHECK_MS, restMs)) : CHECK_MS;

/**
 * Decides when events start executions: at once, one after the other in each chat, collected, or several together.
 * It knows nothing of n8n: the starter starts executions, the clock tells the time. Each event starts one execution,
 * however often it is offered; no chat waits for another; memory is bounded.
 */
export class DispatcherQueue<T> {
	private readonly chats = new ChatQueues<T>();

	/** Executions that n8n was asked for and that have not begun, oldest first. */
	private readonly storing = new Set<Execution<T>>();

	/** `undefined` while the queue is closed. */
	private starter?: Starter<T>;

	private readonly lost = new LostExecutions();

	private readonly overtaking = new Overtaking();

	private isChecking = false;

	/** @param known keys of events whose executions have begun */
	constructor(
		private readonly known: Pick<Ledger, 'has' | 'add'>,
		private readonly clock: Clock,
		private policy: Policy,
	) {}

	/** Lets executions start. Events that already wait keep their place. */
	open(policy: Policy, starter: Starter<T>): void {
		this.policy = policy;
		this.starter = starter;
		this.pump();
	}

	/** Starts no more executions. What runs or waits is remembered until `open`. */
	close(): void {
		this.starter = undefined;
	}

	/** Number of offered events that have not begun, and of chats with state. */
	get size(): { events: number; chats: number } {
		return this.chats.size;
	}

	/** Queues an event. Resolves to its fate, after `patienceMs` at the latest. Never rejects. */
	async offer(event: Queued<T>, patienceMs: number): Promise<Fate> {
		if (this.known.has(event.key)) return 'known';
		const entry = this.chats.enter(event, this.policy, this.clock.now());
		if (!entry) return 'full';
		this.pump();
		if (patienceMs === Infinity) return await entry.fate;
		const patience = this.clock.sleep(patienceMs).then(() => 'late' as const);
		return await Promise.race([entry.fate, patience]);
	}

	/**
	 * Makes an execution that n8n has stored wait for its turn: events of the same chat that happened earlier but
	 * arrived later go first. Resolves to `false` when that takes too long, or when these can go together with its own:
	 * this execution has to end, and its events start another one.
	 */
	async mayBegin(keys: string[]): Promise<boolean> {
		this.overtaking.isAsked = true;
		const execution = [...this.storing].find(({ groups }) =>
			groups.some(({ entries }) => entries.some(({ key }) => keys.includes(key))),
		);
		if (!execution || execution.mayHaveBegun) return true;
		const { groups, since } = execution;
		const { together } = this.policy;
		const askedAt = this.clock.now();
		if (!together) this.overtaking.noteStartDelay(askedAt - since);
		// Events that may go together have waited before.
		const cameAt = together ? -Infinity : Math.max(...groups.map((group) => group.cameAt));
		while (this.starter && !execution.mayHaveBegun) {
			const now = this.clock.now();
			const settledAt = cameAt + this.overtaking.settleMs(this.policy, now);
			if (!this.storing.has(execution)) return false;
			const isTurn = settledAt <= now && groups.every(({ queue }) => queue.mayBegin(execution));
			const isOvertaken = groups.some((group) => group.queue.isOvertaken(group, now));
			if (isTurn && !isOvertaken) break;
			if (isTurn || now - askedAt > LONGEST_HOLD_MS) {
				this.giveUp(execution, groups);
				return false;
			}
			await this.clock.sleep(pauseMs(settledAt - now));
		}
		execution.mayHaveBegun = true;
		return true;
	}

	/** Starts everything that may start now. */
	private pump(): void {
		const now = this.clock.now();
		while (this.starter && !this.isHeldUp(now)) {
			const waitMs = this.overtaking.waitMs(this.policy, now);
			const groups = this.chats.next(this.policy, waitMs, now);
			if (groups.length === 0) break;
			const asks = this.overtaking.asks(this.policy);
			const execution = this.chats.start(groups, asks, now);
			this.storing.add(execution);
			this.ask(execution, this.starter, now);
		}
		if (!this.isChecking) void this.checkWhileWaiting();
	}

	/** Whether the next batch has to wait until n8n has stored the one before. */
	private isHeldUp(now: number): boolean {
		return this.policy.together && [...this.storing].some(({ since }) => now - since < STORING_MS);
	}

	/** Checks what waits for as long as anything does. A loop of sleeps: n8n's rules for nodes forbid timers. */
	private async checkWhileWaiting(): Promise<void> {
		this.isChecking = true;
		while (this.starter && this.chats.size.events > 0) {
			const before = this.clock.now();
			const waitMs = this.overtaking.waitMs(this.policy, before);
			const ms = pauseMs(this.chats.soonest(waitMs, before) - before);
			await this.clock.sleep(ms);
			const now = this.clock.now();
			this.overtaking.noteLag(now - before - ms, now);
			for (const each of this.storing) if (now - each.since > SILENCE_MS) this.giveUp(each);
			const lost = this.policy.loadsFiles ? [] : this.lost.among(this.storing, now);
			for (const each of lost) if (this.starter) this.ask(each, this.starter, now);
			this.pump();
		}
		this.isChecking = false;
	}

	/** Asks n8n for an execution, if need be again: of several, the first to begin counts, and the others end at once. */
	private ask(execution: Execution<T>, starter: Starter<T>, now: number): void {
		execution.askedForAt = now;
		const { groups } = execution;
		const entries = groups.flatMap((group) => group.entries);
		const { begun, ended } = starter(entries.map(({ content }) => content));
		// One that does not begin, or not first, ends without consequences.
		ended.catch(() => {});
		const over = (): void => {
			this.chats.end(execution);
			this.pump();
		};
		begun.then(
			() => {
				const begunAt = this.clock.now();
				this.lost.noteBegun(now, begunAt);
				for (const { key } of entries) this.known.add(key);
				if (execution.until < Infinity) return;
				execution.until = begunAt + this.policy.longestWaitMs;
				if (this.storing.delete(execution)) this.chats.settle(groups, 'begun');
				this.pump();
				ended.then(over, over);
			},
			() => this.retry(execution),
		);
	}

	/** Lets the events of an execution that was not stored start another one after a pause, a few times at the most. */
	private retry(execution: Execution<T>): void {
		if (!this.storing.has(execution)) return;
		const { groups } = execution;
		for (const group of groups) {
			group.readyAt = this.clock.now() + FIRST_PAUSE_MS * 2 ** group.failures;
			group.failures++;
		}
		const back = groups.filter(({ failures }) => failures <= RETRIES);
		this.giveUp(execution, back);
	}

	/** Gives up an execution that has not begun: the groups that are put `back` wait for another one, the others fail. */
	private giveUp(execution: Execution<T>, back: Array<Group<T>> = []): void {
		this.storing.delete(execution);
		this.chats.end(execution, back);
		const failed = execution.groups.filter((group) => !back.includes(group));
		this.chats.settle(failed, 'failed');
	}
}
