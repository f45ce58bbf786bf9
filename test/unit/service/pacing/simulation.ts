import type { Clock } from '../../../../nodes/BotMessaging/service/clock';
import { Budget } from '../../../../nodes/BotMessaging/service/pacing/budget';
import type {
	Pace,
	Sender,
	Permit,
	PermitRequest,
} from '../../../../nodes/BotMessaging/service/pacing/fairQueue';
import { Limiter } from '../../../platform/limiter';

/** Work that takes more steps of virtual time is endless: the longest of all tests takes less than 50,000. */
const MOST_STEPS = 500_000;

/** Resolves when no promise has anything left to do. */
const settled = async () =>
	await new Promise<void>((resolve) => {
		// Ticks come after all promises, and cost a tenth of a turn of the event loop.
		process.nextTick(resolve);
	});

/** Time that passes only when everybody waits for it. */
export class VirtualClock implements Clock {
	private time = 0;

	/** The next one last. */
	private readonly timers: Array<{ at: number; wake: () => void }> = [];

	now(): number {
		return this.time;
	}

	async sleep(ms: number): Promise<void> {
		const at = this.time + ms;
		await new Promise<void>((wake) => this.timers.splice(this.placeFor(at), 0, { at, wake }));
	}

	/** Where a timer for this time belongs: behind all later ones, and before those for the same time. */
	private placeFor(at: number): number {
		let [low, high] = [0, this.timers.length];
		while (low < high) {
			const middle = (low + high) >>> 1;
			if ((this.timers[middle]?.at ?? 0) > at) low = middle + 1;
			else high = middle;
		}
		return low;
	}

	/** Timers that nobody has waited for to the end. */
	get pending(): number {
		return this.timers.length;
	}

	/** Lets time pass until `work` is done, or for `ms` when given. */
	async run<T>(work: Promise<T>): Promise<T> {
		let done = false;
		const ended = work.finally(() => (done = true));
		ended.catch(() => {});
		for (let step = 0; step < MOST_STEPS; step++) {
			await settled();
			if (done) return await ended;
			const next = this.timers.pop();
			if (!next) throw new Error('Everybody waits for something that never happens');
			this.time = Math.max(this.time, next.at);
			next.wake();
		}
		throw new Error(`Endless: there is still work at ${this.time} ms`);
	}
}

export type Algorithm = 'bucket' | 'sliding' | 'fixed';

export const ALGORITHMS: Algorithm[] = ['bucket', 'sliding', 'fixed'];

/** Counts arrivals as services do. Refused ones are not counted. */
export function limiter(algorithm: Algorithm, rate: number): (now: number) => boolean {
	if (rate === Infinity) return () => true;
	if (algorithm !== 'fixed') {
		const played = new Limiter();
		return (now) => played.admit(now, rate, algorithm);
	}
	let window = -1;
	let inWindow = 0;
	return (now) => {
		// The window's edge lies anywhere, so it is put where it does not fit the sender.
		const current = Math.floor((now + 370) / 1000);
		if (current !== window) inWindow = 0;
		window = current;
		if (inWindow >= rate) return false;
		inWindow++;
		return true;
	};
}

/** Random numbers between 0 and 1 that are the same in every run. */
export function seeded(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state * 1103515245 + 12345) % 2147483648;
		return state / 2147483648;
	};
}

interface ServiceModel {
	/** Limit of all requests per second. */
	rate?: number;
	/** Limit of requests per second into one chat. */
	chatRate?: number;
	algorithm?: Algorithm;
	/** Time to the service and back, in ms. */
	latencyMs?: number;
	/** Each way takes up to so much longer, in ms. */
	jitterMs?: number;
	/** A refusal names the limit. */
	namesLimit?: boolean;
}

interface Arrival {
	at: number;
	chat?: string;
	admitted: boolean;
	who: string;
}

/** A service with limits, in virtual time. */
class ServiceStub {
	readonly arrivals: Arrival[] = [];

	readonly clock = new VirtualClock();

	private readonly admit: (now: number) => boolean;

	private readonly chats = new Map<string, (now: number) => boolean>();

	private readonly random = seeded(7);

	constructor(private readonly model: ServiceModel) {
		this.admit = limiter(model.algorithm ?? 'sliding', model.rate ?? Infinity);
	}

	/** Answers a request after its way there and back; a refusal with what it tells. */
	async request(chat: string | undefined, who: string): Promise<{ limit?: number } | undefined> {
		const { latencyMs = 0, jitterMs = 0, namesLimit } = this.model;
		const way = () => latencyMs / 2 + jitterMs * this.random();
		await this.clock.sleep(way());
		const now = this.clock.now();
		const wholeAdmits = this.admit(now);
		const admitted = wholeAdmits && (chat === undefined || this.chatAdmits(chat, now));
		this.arrivals.push({ at: now, chat, admitted, who });
		await this.clock.sleep(way());
		if (admitted) return undefined;
		return namesLimit ? { limit: wholeAdmits ? this.model.chatRate : this.model.rate } : {};
	}

	private chatAdmits(chat: string, now: number): boolean {
		const { algorithm = 'sliding', chatRate = Infinity } = this.model;
		const admit = this.chats.get(chat) ?? limiter(algorithm, chatRate);
		this.chats.set(chat, admit);
		return admit(now);
	}
}

/** The pace of a sender unless told otherwise. */
export const PACE: Pace = { requestsPerSecond: 30, messagesPerSecondPerChat: 2 };

/** A process whose executions share a budget for a service, all in virtual time. */
export class Simulation {
	readonly budget: Budget;

	private readonly service: ServiceStub;

	constructor(
		model: ServiceModel,
		private readonly pace: Pace = PACE,
	) {
		this.service = new ServiceStub(model);
		this.budget = new Budget(pace, this.clock);
	}

	get clock(): VirtualClock {
		return this.service.clock;
	}

	get arrivals(): Arrival[] {
		return this.service.arrivals;
	}

	get refused(): number {
		return this.arrivals.filter(({ admitted }) => !admitted).length;
	}

	sender(over: Partial<Sender> = {}): Sender {
		return { pace: this.pace, patienceMs: 60_000, stopped: () => false, refusals: 0, ...over };
	}

	/** Takes the turn of one request, which then stays in flight. */
	async turn(sender: Sender, wish?: PermitRequest): Promise<Permit> {
		const turn = await this.clock.run(this.budget.acquire(sender, wish));
		if ('denied' in turn) throw new Error(turn.denied);
		return turn;
	}

	/** Sends `count` requests of a sender of their own, and lets time pass until all are answered. */
	async broadcast(count: number, chatOf?: (index: number) => string | undefined): Promise<void> {
		await this.clock.run(this.sendAll(this.sender(), count, chatOf));
	}

	/** Sends one request, again and again while it is refused. Resolves with the time of its answer. */
	async send(sender: Sender, wish: PermitRequest = {}, who = ''): Promise<number> {
		for (let { again } = wish; ; again = true) {
			const turn = await this.budget.acquire(sender, { ...wish, again });
			if ('denied' in turn) throw new Error(turn.denied);
			const refused = await this.service.request(wish.chat, who);
			if (!refused) {
				turn.accepted();
				return this.clock.now();
			}
			turn.refused(refused);
		}
	}

	/** Sends `count` requests of one sender, each as soon as there is a place for it. */
	async sendAll(
		sender: Sender,
		count: number,
		chatOf: (index: number) => string | undefined = () => undefined,
	): Promise<void> {
		const all = Array.from({ length: count }, (_, index) =>
			this.send(sender, { chat: chatOf(index) }),
		);
		await Promise.all(all);
	}
}

/** The time that a simulation took, as a multiple of what the limit requires. */
export const ratio = (simulation: Simulation, count: number, rate: number): number =>
	simulation.clock.now() / ((count / rate) * 1000);
