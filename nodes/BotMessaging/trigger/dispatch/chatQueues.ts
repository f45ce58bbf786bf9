import {
	happenedAt,
	ChatQueue,
	MOST_TOGETHER,
	type Entry,
	type Execution,
	type Fate,
	type Group,
	type Queued,
} from './chatQueue';
import type { Policy } from '../settings/dispatcherOptions';

/** Maximum number of waiting events, of one chat and of all. Further ones are refused and have to be offered again. */
export const MOST_OF_CHAT = 200;
export const MOST_WAITING = 2000;

/** The part of the room left that a chat can have, so that floods in a few chats leave room for all others. */
const SHARE_OF_CHAT = 1 / 5;

/** The events that wait or are being stored, in the queues of their chats, which take turns. All times are in ms. */
export class ChatQueues<T> {
	private readonly queues = new Map<string, ChatQueue<T>>();

	/** Events whose execution has not begun, by their keys. */
	private readonly pending = new Map<string, Entry<T>>();

	get size(): { events: number; chats: number } {
		return { events: this.pending.size, chats: this.queues.size };
	}

	/** The entry of an event, in the queue of its chat; one without a chat gets its own queue. `undefined` without room. */
	enter(event: Queued<T>, policy: Policy, now: number): Entry<T> | undefined {
		const { key, chat } = event;
		const before = this.pending.get(key);
		if (before || this.isFull(chat)) return before;
		let settle: Entry<T>['settle'] = () => {};
		const fate = new Promise<Fate>((resolve) => (settle = resolve));
		const entry = { ...event, fate, settle };
		this.pending.set(key, entry);
		const name = chat ?? `alone ${key}`;
		const queue = this.queues.get(name) ?? new ChatQueue<T>(name);
		this.queues.set(name, queue);
		queue.enter(entry, policy, now);
		return entry;
	}

	private isFull(chat: string | undefined): boolean {
		const room = MOST_WAITING - this.pending.size;
		if (room <= 0) return true;
		// Usually so few wait that no chat can be full, and they need not be counted.
		if (chat === undefined || this.pending.size < MOST_OF_CHAT) return false;
		let ofChat = 0;
		for (const entry of this.pending.values()) if (entry.chat === chat) ofChat++;
		return ofChat >= Math.min(MOST_OF_CHAT, room * SHARE_OF_CHAT);
	}

	soonest(settleMs: number, now: number): number {
		return Math.min(...[...this.queues.values()].map((queue) => queue.soonest(settleMs, now)));
	}

	/** The groups of the next execution; empty when nothing may start. */
	next(policy: Policy, settleMs: number, now: number): Array<Group<T>> {
		const batch: Array<Group<T>> = [];
		let items = 0;
		for (const queue of this.queues.values()) {
			for (const group of queue.startable(policy, settleMs, now)) {
				// A group that has failed goes alone, so that it cannot fail others, and after those in front of it.
				const goesAlone = !policy.together || group.failures > 0;
				if (goesAlone && batch.length === 0) return [group];
				if (goesAlone) break;
				items += group.entries.length;
				if (items > MOST_TOGETHER) break;
				batch.push(group);
			}
			this.forget(queue);
			if (items >= MOST_TOGETHER) break;
		}
		return batch;
	}

	/** Lets an execution start, which may ask for its turn first, and moves its chats to the end of the round. */
	start(groups: Array<Group<T>>, asks: boolean, now: number): Execution<T> {
		const time = Math.min(...groups.map(happenedAt));
		const times = { time, since: now, askedForAt: now, until: Infinity };
		const execution = { groups, mayHaveBegun: !asks, ...times };
		for (const group of groups) {
			const { queue } = group;
			queue.start(group, execution);
			this.queues.delete(queue.name);
			this.queues.set(queue.name, queue);
		}
		return execution;
	}

	/** Notes that an execution has ended or is given up; the groups that are put `back` wait for another one. */
	end(execution: Execution<T>, back: Array<Group<T>> = []): void {
		for (const group of back.toReversed()) group.queue.putBack(group);
		for (const { queue } of execution.groups) {
			queue.end(execution);
			this.forget(queue);
		}
	}

	/** Tells what became of the events of these groups, which wait no more. */
	settle(groups: Array<Group<T>>, fate: Fate): void {
		for (const { key, settle } of groups.flatMap(({ entries }) => entries)) {
			this.pending.delete(key);
			settle(fate);
		}
	}

	private forget(queue: ChatQueue<T>): void {
		if (queue.isIdle && this.queues.get(queue.name) === queue) this.queues.delete(queue.name);
	}
}
