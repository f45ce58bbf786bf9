import { Answers } from './answers';
import { Attendance } from './attendance';
import { Chats } from './chats';
import { realClock, type Clock } from './clock';
import { Gate, Path, type Grant } from './gate';
import { Turns } from './turns';
import type { NoTurn, Pace, Party, Turn, Waiter, Wish } from './types';

/** The part of a second's requests that may go at once after a quiet time. */
const BURST_SHARE = 1 / 3;

/** Any request waits for so long. */
const SHORT_PAUSE_MS = 1000;

/** Parties that wait are asked this often whether to stop. */
const LOOK_MS = 250;

/** A budget that was not used for so long is forgotten. */
const IDLE_MS = 60_000;

/**
 * The budget of one bot token, shared by all executions of the process: who may send a request, and when. Its pace is
 * the lowest that those ask for who are sending at the time, lowered further by what the service refuses. Parties
 * take turns, so that a single reply does not wait behind a long broadcast.
 */
export class Budget {
	private readonly path = new Path();

	private readonly gate = new Gate(this.path, BURST_SHARE);

	private readonly chats: Chats;

	private readonly answers: Answers;

	/** Requests that only the pace of the whole token holds up. */
	private readonly ready = new Turns<Waiter>();

	/** All requests that wait. */
	private readonly waiters = new Map<Party, Set<Waiter>>();

	private readonly attendance: Attendance;

	private order = 0;

	private usedAt = -Infinity;

	private lookedAt = -Infinity;

	private wakeAt = Infinity;

	constructor(
		pace: Pace,
		private readonly clock: Clock = realClock,
	) {
		this.attendance = new Attendance(pace);
		this.chats = new Chats(
			this.path,
			() => this.attendance.messagesPerSecondPerChat,
			(waiter) => this.makeReady(waiter),
		);
		const ceiling = (): number => this.attendance.requestsPerSecond;
		this.answers = new Answers(this.path, this.gate, this.chats, ceiling);
	}

	/** The pace of the whole token now, in requests per second. */
	get rate(): number {
		return this.answers.speed.rate;
	}

	/** Number of chats that are remembered. */
	get chatCount(): number {
		return this.chats.size;
	}

	/** Whether nothing is kept here that would be missed. */
	isIdle(): boolean {
		const now = this.clock.now();
		return this.attendance.isEmpty && now - this.usedAt > IDLE_MS && !this.answers.isLearning(now);
	}

	/** Waits until a request may be sent. */
	async turn(party: Party, wish: Wish = {}): Promise<Turn | NoTurn> {
		return await new Promise((resolve) => {
			const now = this.clock.now();
			const waiter: Waiter = {
				owner: party,
				chat: wish.chat,
				rank: wish.again ? -Infinity : -(wish.backlog?.() ?? 0),
				order: this.order++,
				gone: false,
				heldByChat: false,
				resolve,
			};
			this.enter(waiter);
			if (waiter.chat === undefined) this.makeReady(waiter);
			else this.chats.add(waiter.chat, waiter, now);
			this.work();
		});
	}

	private enter(waiter: Waiter): void {
		const party = waiter.owner;
		const mine = this.waiters.get(party) ?? new Set();
		this.waiters.set(party, mine.add(waiter));
		this.attendance.enter(party);
	}

	/** A request of the party has come to its end. */
	private leave(party: Party): void {
		this.usedAt = this.clock.now();
		this.attendance.leave(party);
	}

	private makeReady(waiter: Waiter): void {
		const now = this.clock.now();
		if (this.ready.isEmpty()) this.gate.arrive(now, this.answers.speed);
		waiter.readyAt = now;
		this.ready.add(waiter);
	}

	/** Lets everybody go who may, and comes back when the next one may. */
	private work(): void {
		const now = this.clock.now();
		if (now - this.lookedAt >= LOOK_MS) this.look(now);
		this.chats.wake(now);
		while (!this.ready.isEmpty() && this.gate.freeAt(now, this.answers.speed) <= now) {
			const waiter = this.ready.take();
			if (!waiter) break;
			if (this.chats.admits(waiter, now)) this.grant(waiter, now);
			else this.unready(waiter);
		}
		this.comeBack(now);
	}

	private unready(waiter: Waiter): void {
		waiter.readyAt = undefined;
	}

	private grant(waiter: Waiter, now: number): void {
		const waited = now > (waiter.readyAt ?? now);
		if (waited) this.answers.notePaced(now);
		const grants = [this.gate.take(now, this.answers.speed, waited), this.chats.grant(waiter, now)];
		this.end(waiter);
		waiter.resolve(this.issue(waiter, grants.filter(isGrant)));
	}

	/** A request no longer waits. */
	private end(waiter: Waiter): void {
		const mine = this.waiters.get(waiter.owner);
		mine?.delete(waiter);
		if (mine?.size === 0) this.waiters.delete(waiter.owner);
		if (waiter.readyAt !== undefined) this.unready(waiter);
	}

	private comeBack(now: number): void {
		if (this.waiters.size === 0) return;
		const free = this.ready.isEmpty() ? Infinity : this.gate.freeAt(now, this.answers.speed);
		const at = Math.min(free, this.chats.nextAt(), now + LOOK_MS);
		if (this.wakeAt <= at) return;
		this.wakeAt = at;
		void this.clock.sleep(Math.max(1, Math.ceil(at - now))).then(() => {
			if (this.wakeAt === at) this.wakeAt = Infinity;
			this.work();
		});
	}

	/** Sends those away who were stopped, or who will not wait for as long as the service asks for. */
	private look(now: number): void {
		this.lookedAt = now;
		const pauseMs = this.gate.closedUntil - now;
		for (const party of [...this.waiters.keys()]) {
			if (party.stopped()) this.deny(party, { denied: 'stopped' }, now);
			else if (pauseMs > Math.max(party.patienceMs, SHORT_PAUSE_MS)) {
				this.deny(party, { denied: 'impatient' }, now);
			}
		}
	}

	private deny(party: Party, noTurn: NoTurn, now: number): void {
		for (const waiter of [...(this.waiters.get(party) ?? [])]) {
			waiter.gone = true;
			this.chats.passOver(waiter, now);
			this.end(waiter);
			this.leave(party);
			waiter.resolve(noTurn);
		}
	}

	private issue({ owner, chat }: Waiter, grants: Grant[]): Turn {
		const sent = { chat, at: this.clock.now() };
		const end = (): number => {
			const now = this.clock.now();
			for (const grant of grants) grant.delayMs = now - sent.at;
			this.leave(owner);
			return now;
		};
		return {
			lost: end,
			accepted: () => this.answers.accept(sent, end()),
			refused: (refused) => {
				owner.refusals++;
				this.answers.refuse(refused, sent, end());
			},
		};
	}
}

const isGrant = (grant: Grant | undefined): grant is Grant => grant !== undefined;
