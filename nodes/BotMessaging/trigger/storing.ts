import { happenedAt, type Group, type Running } from './chatLine';

/**
 * A stored execution that waits for events before it gives n8n its place back after so long, in ms: n8n may run no more
 * at a time than those that wait.
 */
const LONGEST_HOLD_MS = 5000;

/** An execution that was asked for and has not begun. All times are in ms. */
export class Storing<T> {
	/** What the next execution of the chat waits for. */
	readonly running: Running;

	/** When the last of its groups came. */
	readonly cameAt: number;

	private askedAt = Infinity;

	/** Whether it ends without a step, to be started anew. */
	private hasGivenUp = false;

	/** @param asks whether it asks before it begins */
	constructor(
		readonly groups: Array<Group<T>>,
		readonly since: number,
		{ longestWaitMs, asks }: { longestWaitMs: number; asks: boolean },
	) {
		this.cameAt = Math.max(...groups.map(({ cameAt }) => cameAt));
		this.running = {
			until: since + longestWaitMs,
			time: Math.min(...groups.map(happenedAt)),
			hasBegun: !asks,
		};
	}

	/** Whether it is for one of these events. */
	isFor(keys: string[]): boolean {
		return this.groups.some(({ entries }) => entries.some(({ key }) => keys.includes(key)));
	}

	/** Whether it may begin now, or has to end and be started anew. `settleMs`: how long it waits for overtaken events. */
	turn(settleMs: number, now: number): 'begin' | 'wait' | 'end' {
		this.askedAt = Math.min(this.askedAt, now);
		const isSettled = this.cameAt + settleMs <= now;
		if (isSettled && this.groups.every(({ line }) => line.mayBegin(this.running, now)))
			return 'begin';
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
