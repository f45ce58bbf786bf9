import type { Queued } from '../../../../nodes/BotMessaging/trigger/dispatch/chatQueue';
import type { Policy } from '../../../../nodes/BotMessaging/trigger/settings/dispatcherOptions';
import { DispatcherQueue } from '../../../../nodes/BotMessaging/trigger/dispatch/dispatcherQueue';
import { VirtualClock } from '../../service/pacing/simulation';

/** How long a trigger lets the service wait, and after how long the service delivers again, in ms. */
export const PATIENCE_MS = 25_000;
const REPETITION_MS = 60_000;

export const AT_ONCE: Policy = {
	inOrder: false,
	longestWaitMs: 300_000,
	settleMs: 0,
	quietMs: 0,
	together: false,
	loadsFiles: false,
};
export const IN_ORDER: Policy = { ...AT_ONCE, inOrder: true };

/** The course of an execution: after how long it begins, and how long after that it ends, in ms. */
export interface Course {
	begins: number;
	/** How long its record takes, once it has its turn, in ms. */
	records?: number;
	ends: number;
	fails: boolean;
}

interface Execution extends Course {
	contents: string[];
	/** When it was started, and when its first step began. */
	at: number;
	beganAt?: number;
}

/** n8n and the service around a queue. */
export class World {
	readonly clock = new VirtualClock();

	readonly executions: Execution[] = [];

	private readonly keys = new Set<string>();

	/** How late n8n's timers fire, in ms. */
	lagMs = 0;

	readonly queue: DispatcherQueue<string>;

	private events = 0;

	constructor(
		readonly policy: Policy,
		private readonly course: (contents: string[]) => Course,
		/** Whether executions run in the process of the queue and ask it before they begin. */
		private readonly asks = false,
	) {
		const late = {
			now: () => this.clock.now(),
			sleep: async (ms: number) => await this.clock.sleep(ms + this.lagMs),
		};
		this.queue = new DispatcherQueue<string>(this.keys, late, policy);
		this.open();
	}

	open(): void {
		this.queue.open(this.policy, (contents) => {
			const execution = { ...this.course(contents), contents, at: this.clock.now() };
			this.executions.push(execution);
			const begun = this.begin(execution);
			return { begun, ended: begun.then(async () => await this.clock.sleep(execution.ends)) };
		});
	}

	private async begin(execution: Execution): Promise<void> {
		await this.clock.sleep(execution.begins);
		if (execution.fails) throw new Error('not stored');
		if (this.asks && !(await this.queue.mayBegin(execution.contents))) {
			execution.fails = true;
			throw new Error('not its turn');
		}
		if (execution.records !== undefined) await this.clock.sleep(execution.records);
		execution.beganAt = this.clock.now();
	}

	event(chat: string | undefined, more: Partial<Queued<string>> = {}): Queued<string> {
		const content = more.key ?? `${chat ?? 'none'} ${++this.events}`;
		const time = this.clock.now();
		return { key: content, content, time, chat, collects: false, person: undefined, ...more };
	}

	/** Delivers an event as the service does: again and again until it is accepted. */
	async deliver(event: Queued<string>): Promise<void> {
		for (let attempt = 0; attempt < 60; attempt++) {
			const fate = await this.queue.offer(event, PATIENCE_MS);
			if (fate === 'begun' || fate === 'known') return;
			await this.clock.sleep(REPETITION_MS);
		}
		throw new Error(`${event.key} was never taken`);
	}

	/** Delivers events, each once it arrives: `after` some ms, or at once. Resolves when all are accepted. */
	async deliverAll(...events: Array<Partial<Queued<string>> & { after?: number }>): Promise<void> {
		const deliveries = events.map(async ({ after, chat, ...more }) => {
			if (after !== undefined) await this.clock.sleep(after);
			await this.deliver(this.event(chat, more));
		});
		await Promise.all(deliveries);
	}

	/** Delivers an event of each of these chats at the same moment. */
	async deliverTo(...chats: Array<string | undefined>): Promise<void> {
		await this.deliverAll(...chats.map((chat) => ({ chat })));
	}

	/** Executions that did not fail, in the order of their starts or, if they ask, of their first steps. */
	get good(): Execution[] {
		const good = this.executions.filter(({ fails }) => !fails);
		return this.asks ? good.toSorted((a, b) => (a.beganAt ?? 0) - (b.beganAt ?? 0)) : good;
	}

	/** The contents that these executions were given, in the same order. */
	get started(): string[] {
		return this.good.flatMap(({ contents }) => contents);
	}
}

export const quick: Course = { begins: 30, ends: 100, fails: false };

export const run = async <T>(world: World, work: () => Promise<T>): Promise<T> =>
	await world.clock.run(work());
