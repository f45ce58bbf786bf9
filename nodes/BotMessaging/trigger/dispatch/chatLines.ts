import { happenedAt, Line, MOST_TOGETHER, type Entry, type Group, type Running } from './chatLine';
import type { Policy } from '../settings/dispatcherOptions';

/**
 * Longest time that a stored execution waits for earlier events, in ms. Then it frees its slot: n8n may limit how many
 * executions run at a time, and those that wait could use up the limit.
 */
const LONGEST_HOLD_MS = 5000;

/** An execution that n8n was asked to store, with the events of these groups. All times are in ms. */
export class Storing<T> implements Running {
	/** While n8n is full, it keeps its place before later events of its chats, however long it has to wait. */
	until = Infinity;

	readonly time: number;

	hasBegun: boolean;

	/** When n8n was last asked for it. */
	askedForAt = -Infinity;

	readonly entries: Array<Entry<T>>;

	private readonly cameAt: number;

	private askedAt = Infinity;

	/** Whether it ends without a step and its events start another execution. */
	private hasGivenUp = false;

	/** @param asks whether it asks for its turn before its steps begin */
	constructor(
		readonly groups: Array<Group<T>>,
		readonly since: number,
		private readonly longestWaitMs: number,
		asks: boolean,
	) {
		this.time = Math.min(...groups.map(happenedAt));
		this.entries = groups.flatMap(({ entries }) => entries);
		this.cameAt = Math.max(...groups.map(({ cameAt }) => cameAt));
		this.hasBegun = !asks;
	}

	/** Whether one of the executions that n8n was asked for has begun. */
	get isTaken(): boolean {
		return this.until < Infinity;
	}

	/** Notes that the first of them has begun. */
	take(now: number): void {
		this.until = now + this.longestWaitMs;
	}

	/** Whether it may begin now, has to wait, or has to end. `settleMs`: how long it waits for overtaken events. */
	turn(settleMs: number, now: number): 'begin' | 'wait' | 'end' {
		this.askedAt = Math.min(this.askedAt, now);
		const isSettled = this.settledAt(settleMs) <= now;
		if (isSettled && this.groups.every(({ line }) => line.mayBegin(this))) return 'begin';
		this.hasGivenUp = now - this.askedAt > LONGEST_HOLD_MS;
		return this.hasGivenUp ? 'end' : 'wait';
	}

	/** When events that it may have overtaken have had `settleMs` to arrive. */
	settledAt(settleMs: number): number {
		return this.cameAt + settleMs;
	}

	/** Puts its events back to wait for another execution. Returns the groups that have no retries left. */
	putBack(now: number): Array<Group<T>> {
		const lost: Array<Group<T>> = [];
		for (const group of this.groups.toReversed()) {
			// Its person may have done something else since it was started, which comes before what they write now.
			group.closesAt = 0;
			if (this.hasGivenUp) group.line.putBack(group);
			else if (!group.line.retry(group, now)) lost.push(group);
		}
		return lost;
	}
}

/** The lines of all chats with state, which take turns. All times are in ms. */
export class ChatLines<T> {
	private readonly lines = new Map<string, Line<T>>();

	get size(): number {
		return this.lines.size;
	}

	/** Adds an event to the line of its chat; one without a chat gets its own line. `false` when the line is full. */
	enter(entry: Entry<T>, policy: Policy, now: number): boolean {
		const name = entry.chat ?? `alone ${entry.key}`;
		const line = this.lines.get(name) ?? new Line<T>(name);
		if (line.isFull) return false;
		this.lines.set(name, line);
		line.enter(entry, policy, now);
		return true;
	}

	/** Next time at which something may become startable. */
	soonest(settleMs: number, now: number): number {
		return Math.min(...[...this.lines.values()].map((line) => line.soonest(settleMs, now)));
	}

	/** The groups of the next execution; empty when nothing may start. */
	next(policy: Policy, settleMs: number, now: number): Array<Group<T>> {
		const { together } = policy;
		const batch: Array<Group<T>> = [];
		let items = 0;
		for (const line of this.lines.values()) {
			for (const group of line.startable(policy, settleMs, now)) {
				// A group that has failed goes alone, so that it cannot fail others.
				if (!together || group.failures > 0) return [group];
				items += group.entries.length;
				if (items > MOST_TOGETHER) break;
				batch.push(group);
			}
			this.forget(line);
			if (items >= MOST_TOGETHER) break;
		}
		return batch;
	}

	/** Notes that an execution was started, and moves its chats to the end of the round. */
	start(storing: Storing<T>): void {
		for (const group of storing.groups) {
			const { line } = group;
			line.start(group, storing);
			this.lines.delete(line.name);
			this.lines.set(line.name, line);
		}
	}

	/** Notes that an execution has ended. */
	end(storing: Storing<T>): void {
		for (const { line } of storing.groups) {
			line.end(storing);
			this.forget(line);
		}
	}

	/** Drops the line of a chat without state. */
	forget(line: Line<T>): void {
		if (line.isIdle && this.lines.get(line.name) === line) this.lines.delete(line.name);
	}
}
