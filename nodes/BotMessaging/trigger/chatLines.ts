import { Line, MOST_TOGETHER, type Entry, type Group } from './chatLine';
import type { Policy } from './dispatcherOptions';
import type { Storing } from './storing';

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
