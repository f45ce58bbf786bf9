import type { Refused, ServiceRequest } from '../types';

/** Rates of one bot token (interface: Limits), in requests per second. */
export interface Pace {
	requestsPerSecond: number;
	messagesPerSecondPerChat: number;
}

/** A sender: one execution of a node. */
export interface Sender {
	readonly pace: Pace;
	/** How long its requests wait for a service that asked for a pause, in ms. */
	readonly patienceMs: number;
	/** Polled often: whether to send nothing more. */
	stopped(): boolean;
	/** Number of 429 answers, counted by the budget. */
	refusals: number;
}

/** What a request asks for: the chat whose own limit it counts against, and how it waits. */
export interface PermitRequest extends Pick<
	ServiceRequest,
	'chat' | 'backlog' | 'priority' | 'signal'
> {
	/** Whether it repeats a failed attempt: it then goes before all others of its sender. */
	again?: boolean;
}

/** Permission to send one request now. Once its outcome is known, exactly one of the methods is called, once. */
export interface Permit {
	/** The service counted the request and answered it, with success or not. */
	accepted(): void;
	/** The service answered that there were too many requests (429). */
	refused(refused: Refused): void;
	/** There was no answer. */
	lost(): void;
}

/** Why no permit is granted: the sender was stopped, or the service asked for a pause beyond its patience. */
export interface Denial {
	denied: 'stopped' | 'impatient';
}

export interface QueuedRequest extends PermitRequest {
	readonly sender: Sender;
	/** When it began to wait, in ms of the clock. */
	readonly since: number;
	resolve(outcome: Permit | Denial): void;
}

/** A sender's state in the queue. */
interface SenderState {
	/** Waiting requests by chat, in order within each chat. */
	rows: Map<string | undefined, QueuedRequest[]>;
	/** Number of requests waiting or in flight. */
	count: number;
	permits: number;
}

/** Which request may go now, or else when one may. */
interface Next {
	first?: QueuedRequest;
	/** One of low priority that may go if there is no other. */
	low?: QueuedRequest;
	/** When the next blocked chat becomes free, in ms of the clock. */
	at: number;
}

/** One in this many permits of a sender goes to its oldest request, so that none starves behind longer rows. */
const OLDEST_EVERY = 4;

/**
 * The requests waiting for one bot. Senders take turns, so that a single reply does not wait behind a broadcast;
 * requests for one chat keep their order. A sender stays in the queue until its last request has finished.
 */
export class FairQueue {
	/** In the order of the senders' turns. */
	private readonly states = new Map<Sender, SenderState>();

	/** The senders with requests waiting or in flight. */
	get senders(): Sender[] {
		return [...this.states.keys()];
	}

	/** All waiting requests. */
	get waiting(): QueuedRequest[] {
		return [...this.states.values()].flatMap(({ rows }) => [...rows.values()].flat());
	}

	/** Whether no request is waiting. */
	get isEmpty(): boolean {
		for (const { rows } of this.states.values()) if (rows.size > 0) return false;
		return true;
	}

	/** Adds a request. Returns whether it is the first of its row; behind others it changes nothing yet. */
	enter(queued: QueuedRequest): boolean {
		const { sender, chat, again } = queued;
		const fresh: SenderState = { rows: new Map(), count: 0, permits: 0 };
		const state = this.states.get(sender) ?? fresh;
		const row = state.rows.get(chat) ?? [];
		if (again) row.unshift(queued);
		else row.push(queued);
		state.rows.set(chat, row);
		state.count++;
		this.states.set(sender, state);
		return row[0] === queued;
	}

	/** Takes out a waiting request. Its sender stays until the request has finished, see `release`. */
	remove(queued: QueuedRequest): void {
		const { sender, chat } = queued;
		const rows = this.states.get(sender)?.rows;
		const row = rows?.get(chat);
		row?.splice(row.indexOf(queued), 1);
		if (row?.length === 0) rows?.delete(chat);
	}

	/** Notes that a request of the sender has finished. */
	release(sender: Sender): void {
		const state = this.states.get(sender);
		if (state && --state.count === 0) this.states.delete(sender);
	}

	/** Picks the request to go, and passes the turn to the next sender. `freeAt` tells when a chat may be written to. */
	next(now: number, freeAt: (chat: string | undefined) => number): Next {
		const next: Next = { at: Infinity };
		for (const [sender, state] of this.states) {
			const free: QueuedRequest[] = [];
			for (const [chat, [first]] of state.rows) {
				if (!first) continue;
				const at = freeAt(chat);
				if (at > now) next.at = Math.min(next.at, at);
				else if (first.priority === 'low') next.low ??= first;
				else free.push(first);
			}
			if (free.length === 0) continue;
			this.states.delete(sender);
			this.states.set(sender, state);
			next.first = choose(free, ++state.permits % OLDEST_EVERY === 0);
			break;
		}
		return next;
	}
}

/** Picks one of the requests that may go: a repetition, else that of the longest row, or with `oldest` the oldest. */
function choose(free: QueuedRequest[], oldest: boolean): QueuedRequest {
	const rank = ({ again, backlog }: QueuedRequest): number =>
		again ? Infinity : oldest ? 0 : (backlog?.() ?? 0);
	return free.reduce((best, one) => {
		const [a, b] = [rank(best), rank(one)];
		return b > a || (a === b && one.since < best.since) ? one : best;
	});
}
