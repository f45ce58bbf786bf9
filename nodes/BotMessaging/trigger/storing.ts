import { happenedAt, type Entry, type Group, type Running } from './chatLine';

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
