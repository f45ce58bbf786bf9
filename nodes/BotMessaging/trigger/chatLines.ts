import { happenedAt, Line, MOST_TOGETHER, type Entry, type Group, type Running } from './chatLine';
import type { Policy } from './dispatcherOptions';

/**
 * A stored execution that waits for events before it gives n8n its place back after so long, in ms: n8n may run no more
 * at a time than those that wait.
 */
const LONGEST_HOLD_MS = 5000;

/** An execution that was asked for, of the events of these groups. All times are in ms. */
export class Storing<T> implements Running {
	readonly until: number;

	readonly time: number;

	hasBegun: boolean;

	readonly entries: Array<Entry<T>>;

	/** When the last of its groups came. */
	private readonly cameAt: number;

	private askedAt = Infinity;

	/** Whether it ends without a step, to be started anew. */
	private hasGivenUp = false;

	/** @param asks whether it asks before it begins */
	constructor(
		readonly groups: Array<Group<T>>,
		readonly since: number,
		longestWaitMs: number,
		asks: boolean,
	) {
		this.until = since + longestWaitMs;
		this.time = Math.min(...groups.map(happenedAt));
		this.entries = groups.flatMap(({ entries }) => entries);
		this.cameAt = Math.max(...groups.map(({ cameAt }) => cameAt));
		this.hasBegun = !asks;
	}

	/** Whether it may begin now, or has to end and be started anew. `settleMs`: how long it waits for overtaken events. */
	turn(settleMs: number, now: number): 'begin' | 'wait' | 'end' {
		this.askedAt = Math.min(this.askedAt, now);
		const isSettled = this.cameAt + settleMs <= now;
		if (isSettled && this.groups.every(({ line }) => line.mayBegin(this, now))) return 'begin';
		this.hasGivenUp = now - this.askedAt > LONGEST_HOLD_MS;
		return this.hasGivenUp ? 'end' : 'wait';
	}

	/** Has its events wait for another execution. Returns those that were tried too often. */
	putBack(now: number): Array<Group<T>> {
		const lost: Array<Group<T>> = [];
		for (const group of this.groups.toReversed()) {
			if (this.hasGivenUp) group.line.putBack(group);
			else if (!group.line.retry(group, now)) lost.push(group);
		}
		return lost;
	}
}

/** The lines of all chats that something is known of. They take turns. All times are in ms. */
export class ChatLines<T> {
	private readonly lines = new Map<string, Line<T>>();

	get size(): number {
		return this.lines.size;
	}

	/** Lets an event line up in its chat, one without a chat by itself. `false` when there is no room. */
	enter(entry: Entry<T>, policy: Policy, now: number): boolean {
		const name = entry.chat ?? `alone ${entry.key}`;
		const line = this.lines.get(name) ?? new Line<T>(name);
		if (line.isFull) return false;
		this.lines.set(name, line);
		line.enter(entry, policy, now);
		return true;
	}

	/** When something may start because time has passed. */
	soonest(settleMs: number, now: number): number {
		return Math.min(...[...this.lines.values()].map((line) => line.soonest(settleMs, now)));
	}

	/** The groups of the next execution, none when nothing may start. */
	next(policy: Policy, settleMs: number, now: number): Array<Group<T>> {
		const { together } = policy;
		const batch: Array<Group<T>> = [];
		let items = 0;
		for (const line of this.lines.values()) {
			for (const group of line.startable(policy, settleMs, now)) {
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

	/** An execution is started; its chats have had their turn. */
	start(storing: Storing<T>): void {
		for (const group of storing.groups) {
			const { line } = group;
			line.start(group, storing);
			this.lines.delete(line.name);
			this.lines.set(line.name, line);
		}
	}

	/** An execution has ended. */
	end(storing: Storing<T>): void {
		for (const { line } of storing.groups) {
			line.end(storing);
			this.forget(line);
		}
	}

	/** Forgets a chat of which nothing is known that would be missed. */
	forget(line: Line<T>): void {
		if (line.isIdle && this.lines.get(line.name) === line) this.lines.delete(line.name);
	}
}
