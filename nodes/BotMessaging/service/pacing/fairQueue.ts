import type { Refused, ServiceRequest } from '../types';

/** Rates of one bot token (interface: Limits), in requests per second. */
export interface Pace {
	requestsPerSecond: number;
	messagesPerSecondPerChat: number;
}

/** A sender: one execution of a node. */
export interface Party {
	readonly pace: Pace;
	/** How long its requests wait for a service that asked for a pause, in ms. */
	readonly patienceMs: number;
	/** Polled often: whether to send nothing more. */
	stopped(): boolean;
	/** Number of 429 answers, counted by the budget. */
	refusals: number;
}

/** What a request asks for: the chat whose own limit it counts against, and how it waits. */
export interface Wish extends Pick<ServiceRequest, 'chat' | 'backlog' | 'priority' | 'signal'> {
	/** Whether it repeats a failed attempt: it then goes before all others of its party. */
	again?: boolean;
}

/** Permission to send one request now. Once its outcome is known, exactly one of the methods is called, once. */
export interface Turn {
	/** The service counted the request and answered it, with success or not. */
	accepted(): void;
	/** The service answered that there were too many requests (429). */
	refused(refused: Refused): void;
	/** There was no answer. */
	lost(): void;
}

/** Why no turn is granted: the party was stopped, or the service asked for a pause beyond its patience. */
export interface NoTurn {
	denied: 'stopped' | 'impatient';
}

export interface Waiter extends Wish {
	readonly party: Party;
	/** When it began to wait, in ms of the clock. */
	readonly since: number;
	resolve(turn: Turn | NoTurn): void;
}

/** A party's state in the queue. */
interface Presence {
	/** Waiting requests by chat, in order within each chat. */
	rows: Map<string | undefined, Waiter[]>;
	/** Number of requests waiting or in flight. */
	count: number;
	turns: number;
}

/** Which request may go now, or else when one may. */
interface Next {
	first?: Waiter;
	/** One of low priority that may go if there is no other. */
	low?: Waiter;
	/** When the next blocked chat becomes free, in ms of the clock. */
	at: number;
}

/** One in this many turns of a party goes to its oldest request, so that none starves behind longer rows. */
const OLDEST_EVERY = 4;

/**
 * The requests waiting for one bot. Parties take turns, so that a single reply does not wait behind a broadcast;
 * requests for one chat keep their order. A party stays in the queue until its last request has finished.
 */
export class FairQueue {
	/** In the order of the parties' turns. */
	private readonly presences = new Map<Party, Presence>();

	/** The parties with requests waiting or in flight. */
	get parties(): Party[] {
		return [...this.presences.keys()];
	}

	/** All waiting requests. */
	get waiting(): Waiter[] {
		return [...this.presences.values()].flatMap(({ rows }) => [...rows.values()].flat());
	}

	/** Whether no request is waiting. */
	get isEmpty(): boolean {
		for (const { rows } of this.presences.values()) if (rows.size > 0) return false;
		return true;
	}

	/** Adds a request. Returns whether it is the first of its row; behind others it changes nothing yet. */
	enter(waiter: Waiter): boolean {
		const { party, chat, again } = waiter;
		const fresh: Presence = { rows: new Map(), count: 0, turns: 0 };
		const presence = this.presences.get(party) ?? fresh;
		const row = presence.rows.get(chat) ?? [];
		if (again) row.unshift(waiter);
		else row.push(waiter);
		presence.rows.set(chat, row);
		presence.count++;
		this.presences.set(party, presence);
		return row[0] === waiter;
	}

	/** Takes out a waiting request. Its party stays until the request has finished, see `leave`. */
	remove(waiter: Waiter): void {
		const { party, chat } = waiter;
		const rows = this.presences.get(party)?.rows;
		const row = rows?.get(chat);
		row?.splice(row.indexOf(waiter), 1);
		if (row?.length === 0) rows?.delete(chat);
	}

	/** Notes that a request of the party has finished. */
	leave(party: Party): void {
		const presence = this.presences.get(party);
		if (presence && --presence.count === 0) this.presences.delete(party);
	}

	/** Picks the request to go, and passes the turn to the next party. `freeAt` tells when a chat may be written to. */
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

/** Picks one of the requests that may go: a repetition, else that of the longest row, or with `oldest` the oldest. */
function choose(free: Waiter[], oldest: boolean): Waiter {
	const rank = ({ again, backlog }: Waiter): number =>
		again ? Infinity : oldest ? 0 : (backlog?.() ?? 0);
	return free.reduce((best, one) => {
		const [a, b] = [rank(best), rank(one)];
		return b > a || (a === b && one.since < best.since) ? one : best;
	});
}
