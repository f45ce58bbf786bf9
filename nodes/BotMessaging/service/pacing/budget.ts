import { realClock, type Clock } from './clock';
import { Limit, Path, type Grant, type Refused } from './limit';

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

/** What a request asks for. */
export interface Wish {
	/** The chat whose own limit it counts against. */
	chat?: string;
	/** Whether it repeats a refused request: it then goes before all others of its party. */
	again?: boolean;
	/** How many requests for the same chat wait behind it: of a party's requests the longest row goes first. */
	backlog?: () => number;
	/** `low` goes only while nothing else waits, and most of the bot's pace is unused. */
	priority?: 'low';
	/** Ends the waiting. */
	signal?: AbortSignal;
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

/** The part of a second's requests that may go at once after a quiet time. */
const BURST_SHARE = 1 / 3;
/** Messages may go in pairs: what the service allows in a second may go at once. */
const CHAT_BURST_SHARE = 1;

/** Any request waits for so long. */
const SHORT_PAUSE_MS = 1000;

/** Parties that wait are asked this often whether to stop, and chats whether they can be forgotten. */
const LOOK_MS = 250;

/** A budget that was not used for so long is forgotten. */
const IDLE_MS = 60_000;

/** Every so many turns of a party go to whoever waits longest, so that nobody waits for ever behind longer rows. */
const OLDEST_EVERY = 4;

/** What happened within this time has one reason. */
const SAME_REASON_MS = 1000;

/** A request that waits. */
interface Waiter extends Wish {
	readonly party: Party;
	readonly since: number;
	resolve(turn: Turn | NoTurn): void;
}

/** What a party has in the budget. */
interface Presence {
	/** Requests that wait, by chat; those of one chat in their order. */
	rows: Map<string | undefined, Waiter[]>;
	/** Requests that wait or are under way. */
	count: number;
	turns: number;
}

/**
 * The budget of one bot token, shared by all executions of the process: who may send a request, and when. Its pace is
 * the lowest that those ask for who are sending at the time, lowered further by what the service refuses. A request
 * waits for its chat, then for the bot; parties take turns, so that a single reply does not wait behind a broadcast.
 */
export class Budget {
	private readonly path = new Path();

	private readonly bot: Limit;

	private readonly chats = new Map<string, Limit>();

	/** In the order of their turns. */
	private readonly parties = new Map<Party, Presence>();

	private agreed: Pace;

	private usedAt = -Infinity;

	private lookedAt = -Infinity;

	private wakeAt = Infinity;

	private pacedAt = -Infinity;

	private refusedChat?: { chat: string; at: number };

	constructor(
		pace: Pace,
		private readonly clock: Clock = realClock,
	) {
		this.agreed = pace;
		this.bot = this.limit(() => this.agreed.requestsPerSecond, BURST_SHARE);
	}

	/** The pace of the whole token now, in requests per second. */
	get rate(): number {
		return this.bot.rate;
	}

	/** Number of chats that are remembered. */
	get chatCount(): number {
		return this.chats.size;
	}

	/** Whether nothing is kept here that would be missed. */
	isIdle(): boolean {
		const now = this.clock.now();
		return this.parties.size === 0 && now - this.usedAt > IDLE_MS && !this.bot.isLearning(now);
	}

	/** Waits until a request may be sent. */
	async turn(party: Party, wish: Wish = {}): Promise<Turn | NoTurn> {
		return await new Promise((resolve) => {
			const isFirst = this.enter({ ...wish, party, since: this.clock.now(), resolve });
			if (isFirst) this.work();
		});
	}

	private limit(ceiling: () => number, burstShare: number): Limit {
		return new Limit(this.path, ceiling, burstShare);
	}

	/** Returns whether it is the first of its row; behind others it changes nothing yet. */
	private enter(waiter: Waiter): boolean {
		const { party, chat, again } = waiter;
		const presence = this.parties.get(party) ?? { rows: new Map(), count: 0, turns: 0 };
		const row = presence.rows.get(chat) ?? [];
		if (again) row.unshift(waiter);
		else row.push(waiter);
		presence.rows.set(chat, row);
		presence.count++;
		this.parties.set(party, presence);
		if (presence.count === 1) this.agree();
		return row[0] === waiter;
	}

	/** A request of the party has come to its end. */
	private leave(party: Party): void {
		this.usedAt = this.clock.now();
		const presence = this.parties.get(party);
		if (!presence || --presence.count > 0) return;
		this.parties.delete(party);
		this.agree();
	}

	/** The pace is the lowest of those who are there; when nobody is, what it was. */
	private agree(): void {
		const paces = [...this.parties.keys()].map(({ pace }) => pace);
		if (paces.length === 0) return;
		this.agreed = {
			requestsPerSecond: Math.min(...paces.map((pace) => pace.requestsPerSecond)),
			messagesPerSecondPerChat: Math.min(...paces.map((pace) => pace.messagesPerSecondPerChat)),
		};
	}

	/** Lets everybody go who may, and comes back when the next one may. */
	private work(): void {
		const now = this.clock.now();
		if (now - this.lookedAt >= LOOK_MS) this.look(now);
		for (;;) {
			const next = this.next(now);
			if (typeof next === 'number') {
				this.comeBack(now, next);
				return;
			}
			this.grant(next, now);
		}
	}

	/** The request to go now, or the time when one may. */
	private next(now: number): Waiter | number {
		const botAt = this.bot.freeAt(now);
		if (botAt > now) return botAt;
		let at = Infinity;
		let low: Waiter | undefined;
		for (const [party, presence] of this.parties) {
			const free: Waiter[] = [];
			for (const [chat, [first]] of presence.rows) {
				if (!first) continue;
				const chatAt = this.chatOf(chat)?.freeAt(now) ?? now;
				if (chatAt > now) at = Math.min(at, chatAt);
				else if (first.priority === 'low') low ??= first;
				else free.push(first);
			}
			if (free.length === 0) continue;
			this.parties.delete(party);
			this.parties.set(party, presence);
			return choose(free, ++presence.turns % OLDEST_EVERY === 0);
		}
		if (!low) return at;
		return this.bot.inUse(now) < this.rate / 2 ? low : Math.min(at, now + LOOK_MS);
	}

	private chatOf(name: string | undefined): Limit | undefined {
		if (name === undefined) return undefined;
		const known = this.chats.get(name);
		if (known) return known;
		const chat = this.limit(() => this.agreed.messagesPerSecondPerChat, CHAT_BURST_SHARE);
		this.chats.set(name, chat);
		return chat;
	}

	private grant(waiter: Waiter, now: number): void {
		const chat = this.chatOf(waiter.chat);
		const chatAt = chat?.freeAt(now) ?? -Infinity;
		const isPaced = this.bot.freeAt(now) > Math.max(waiter.since, chatAt);
		if (isPaced) this.pacedAt = now;
		const grants = {
			bot: this.bot.take(now, isPaced),
			chat: chat?.take(now, chatAt > waiter.since),
		};
		this.remove(waiter);
		waiter.resolve(this.issue(waiter, grants));
	}

	private remove(waiter: Waiter): void {
		const rows = this.parties.get(waiter.party)?.rows;
		const row = rows?.get(waiter.chat);
		if (!rows || !row) return;
		row.splice(row.indexOf(waiter), 1);
		if (row.length === 0) rows.delete(waiter.chat);
	}

	private comeBack(now: number, next: number): void {
		const isWanted = [...this.parties.values()].some(({ rows }) => rows.size > 0);
		const at = Math.min(next, now + LOOK_MS);
		if (!isWanted || this.wakeAt <= at) return;
		this.wakeAt = at;
		void this.clock.sleep(Math.max(1, Math.ceil(at - now))).then(() => {
			if (this.wakeAt === at) this.wakeAt = Infinity;
			this.work();
		});
	}

	/** Sends those away who were stopped, or who will not wait for as long as the service asks for; forgets chats. */
	private look(now: number): void {
		this.lookedAt = now;
		const pauseMs = this.bot.closedUntil - now;
		for (const [party, { rows }] of [...this.parties]) {
			const isImpatient = pauseMs > Math.max(party.patienceMs, SHORT_PAUSE_MS);
			const isStopped = party.stopped();
			for (const waiter of [...rows.values()].flat()) {
				if (isStopped || waiter.signal?.aborted) this.deny(waiter, 'stopped');
				else if (isImpatient) this.deny(waiter, 'impatient');
			}
		}
		for (const [name, chat] of this.chats) if (chat.isQuiet(now)) this.chats.delete(name);
	}

	private deny(waiter: Waiter, denied: NoTurn['denied']): void {
		this.remove(waiter);
		this.leave(waiter.party);
		waiter.resolve({ denied });
	}

	private issue({ party, chat }: Waiter, grants: { bot: Grant; chat?: Grant }): Turn {
		const end = (): number => {
			const now = this.clock.now();
			const delayMs = now - grants.bot.sentAt;
			grants.bot.delayMs = delayMs;
			if (grants.chat) grants.chat.delayMs = delayMs;
			this.leave(party);
			return now;
		};
		return {
			lost: end,
			accepted: () => {
				end();
				this.path.note(grants.bot.delayMs ?? 0);
				this.work();
			},
			refused: (refused) => {
				party.refusals++;
				const now = end();
				const limit = chat === undefined ? undefined : this.chats.get(chat);
				if (
					chat !== undefined &&
					limit &&
					grants.chat &&
					this.isAboutChat(refused, chat, limit, grants.bot.sentAt)
				) {
					limit.refuse(grants.chat, refused, now);
				} else this.bot.refuse(grants.bot, refused, now);
				if (chat !== undefined) this.refusedChat = { chat, at: now };
			},
		};
	}

	/**
	 * Whether a refusal is about the limit of its chat and not about that of the whole token. The service's words decide
	 * where they tell. Otherwise a chat that had just got another message is held responsible, unless there is reason to
	 * suspect the whole token: it was used up just before, or another chat was refused as well.
	 */
	private isAboutChat(refused: Refused, name: string, chat: Limit, sentAt: number): boolean {
		const now = this.clock.now();
		if (refused.aboutChat) return true;
		// A chat that has been slowed down still has the limit of a chat.
		if (refused.limit !== undefined) {
			return refused.limit <= 2 * this.agreed.messagesPerSecondPerChat;
		}
		if (chat.inUse(now) < 2 && !chat.isLearning(now)) return false;
		const last = this.refusedChat;
		const isElsewhere = last && last.chat !== name && now - last.at < SAME_REASON_MS;
		return !isElsewhere && sentAt - this.pacedAt > SAME_REASON_MS;
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

/** The budgets of the process, by a name of the token that does not reveal it; in the order of their last use. */
const budgets = new Map<string, Budget>();

/** The one budget of the process for a token. Those that have been idle for long are forgotten on the way. */
export function budgetFor(key: string, pace: Pace): Budget {
	const budget = budgets.get(key) ?? new Budget(pace);
	budgets.delete(key);
	for (const [other, each] of budgets) if (each.isIdle()) budgets.delete(other);
	budgets.set(key, budget);
	return budget;
}
