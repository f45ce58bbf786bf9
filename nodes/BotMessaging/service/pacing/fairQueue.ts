import type { Refused, ServiceRequest } from '../types';

/** Rates of one bot token (interface: Limits), in requests per second. */
export interface Pace {
	requestsPerSecond: number;
	messagesPerSecondPerChat: number;
}

/** Who wants to send: one execution of a node. */
export interface Party {
	readonly pace: Pace;
	/** How long its requests wait for a service that asked for a pause, in ms. */
	readonly patienceMs: number;
	/** Asked often: whether nothing more is to be sent. */
	stopped(): boolean;
	/** Answers that the service had too many requests; counted by the budget. */
	refusals: number;
}

/** What a request asks for: the chat whose own limit it counts against, and how it waits. */
export interface Wish extends Pick<ServiceRequest, 'chat' | 'backlog' | 'priority' | 'signal'> {
	/** Whether it repeats a refused request: it then goes before all others of its party. */
	again?: boolean;
}

/** The right to send one request now. Once its end is known, one of the methods is called, once. */
export interface Turn {
	/** The service counted the request and answered it, well or badly. */
	accepted(): void;
	/** The service said that these are too many requests. */
	refused(refused: Refused): void;
	/** There was no answer. */
	lost(): void;
}

/** Why there is no turn: the party was stopped, or the service asked for a pause beyond its patience. */
export interface NoTurn {
	denied: 'stopped' | 'impatient';
}

/** A request that waits. */
export interface Waiter extends Wish {
	readonly party: Party;
	/** Since when, in ms of the clock. */
	readonly since: number;
	resolve(turn: Turn | NoTurn): void;
}

/** What a party has in the queue. */
interface Presence {
	/** Requests that wait, by chat; those of one chat in their order. */
	rows: Map<string | undefined, Waiter[]>;
	/** Requests that wait or are under way. */
	count: number;
	turns: number;
}

/** What may go now; otherwise when something may. */
interface Next {
	first?: Waiter;
	/** One of low priority that may go, if there is nothing else. */
	low?: Waiter;
	/** When the first of the chats is free that are not yet, in ms of the clock. */
	at: number;
}

/** Every so many turns of a party go to whoever waits longest, so that nobody waits for ever behind longer rows. */
const OLDEST_EVERY = 4;

/**
 * The requests that wait for a bot: parties take turns, so that a single reply does not wait behind a broadcast, and
 * requests for one chat keep their order. A party belongs to it until its last request has come to its end.
 */
export class FairQueue {
	/** In the order of their turns. */
	private readonly presences = new Map<Party, Presence>();

	/** Those who have requests that wait or are under way. */
	get parties(): Array<Party> {
		return [...this.presences.keys()];
	}

	/** Whether a party has requests that wait or are under way. */
	has(party: Party): boolean {
		return this.presences.has(party);
	}

	/** All requests that wait. */
	get waiting(): Waiter[] {
		return [...this.presences.values()].flatMap(({ rows }) => [...rows.values()].flat());
	}

	/** Whether no request waits. */
	get isEmpty(): boolean {
		for (const { rows } of this.presences.values()) if (rows.size > 0) return false;
		return true;
	}

	/** Returns whether it is the first of its row; behind others it changes nothing yet. */
	enter(waiter: Waiter): boolean {
		const { party, chat, again } = waiter;
		const presence = this.presences.get(party) ?? { rows: new Map(), count: 0, turns: 0 };
		const row = presence.rows.get(chat) ?? [];
		if (again) row.unshift(waiter);
		else row.push(waiter);
		presence.rows.set(chat, row);
		presence.count++;
		this.presences.set(party, presence);
		return row[0] === waiter;
	}

	/** It waits no longer; its party is there until it leaves. */
	remove(waiter: Waiter): void {
		const { party, chat } = waiter;
		const rows = this.presences.get(party)?.rows;
		const row = rows?.get(chat);
		if (!rows || !row) return;
		row.splice(row.indexOf(waiter), 1);
		if (row.length === 0) rows.delete(chat);
	}

	/** A request of the party has come to its end. Returns whether it was its last. */
	leave(party: Party): boolean {
		const presence = this.presences.get(party);
		if (!presence || --presence.count > 0) return false;
		return this.presences.delete(party);
	}

	/** Finds who is to go, and makes it the turn of the next party. `freeAt` tells when a chat may be written to. */
	next(now: number, freeAt: (chat: string | undefined) => number): Next {
		const next: Next = { at: Infinity };
		for (const [party, presence] of this.presences) {
			const free: Waiter[] = [];
			for (const [chat, [first]] of presence.rows) {
				if (!first) continue;
				const at = freeAt(chat);
				if (at > now) next.at = Math.min(next.at, at);
				else if (first.priority === 'low') next.low ??= first;
				else free.push(first);
			}
			if (free.length === 0) continue;
			this.presences.delete(party);
			this.presences.set(party, presence);
			next.first = choose(free, ++presence.turns % OLDEST_EVERY === 0);
			break;
		}
		return next;
	}
}

/** Of those who may go: who repeats, then the longest row; every now and then who waits longest. */
function choose(free: Waiter[], oldest: boolean): Waiter {
	const rank = ({ again, backlog }: Waiter): number =>
		again ? Infinity : oldest ? 0 : (backlog?.() ?? 0);
	return free.reduce((best, one) => {
		const [a, b] = [rank(best), rank(one)];
		return b > a || (a === b && one.since < best.since) ? one : best;
	});
}
