import type { ITriggerFunctions } from 'n8n-workflow';
import { openService } from '../service/client';
import { realClock, serviceTime, settledWithin } from '../service/clock';
import type { Service } from '../service/types';
import type { Dispatcher } from './dispatch/dispatcher';
import { addLiveTrigger, liveTriggerAt } from './subscription/liveTriggers';
import { Memory } from './subscription/memory';
import { MissedEvents } from './polling/missedEvents';
import { noteOthers, OtherSubscriptions } from './subscription/otherSubscriptions';
import { MINUTES_BETWEEN_CHECKS, Reports } from './subscription/reports';
import { isAutomatic, triggerKey, type TriggerSettings } from './settings/parameters';
import { forgetOtherSecret, secretOf, wasCalledWithOtherSecret } from './subscription/secret';
import { inspect, subscribeAfter, unsubscribe, type Wanted } from './subscription/subscription';

/** How long a renewal waits for checks of the bot's other triggers, in ms. */
const OTHERS_MS = 60_000;

/** Why a subscription is renewed that looks right. */
const CALLED = 'calls with another secret';

/** When n8n loaded this package, in ms. */
const LOADED_AT = realClock.now();

/** Running watchdogs, by trigger. */
const running = new Map<string, Watchdog>();

/** The watchdog of a trigger, if this process runs it. */
export const watchdogOf = (trigger: string): Watchdog | undefined => running.get(trigger);

/** Triggers whose watchdog has to check as soon as it runs. */
const awaited = new Set<string>();

/** Lets the watchdog of a trigger check now, or as soon as it runs. */
export function checkSoon(trigger: string): void {
	const watchdog = watchdogOf(trigger);
	if (watchdog) void watchdog.check();
	else awaited.add(trigger);
}

/**
 * Checks and restores the subscription of an active trigger: the service ends it after 8 hours without success, other
 * programs may delete or change it, and the token may become that of another bot. Runs in the (leading) main process,
 * where n8n runs `trigger()`.
 */
class Watchdog {
	checking?: Promise<void>;

	/** Resolves once it is known whether the last check renews the subscription. */
	private decided = Promise.resolve();

	private decide = (): void => {};

	readonly key: string;

	/** When the subscription was last renewed because of calls with another secret, Unix time in ms. */
	private renewedAt = 0;

	/** The `botKey` of the last check; unknown before the first one. */
	bot?: string;

	/** The differing event types of the last check. If a renewal does not change them, renewing again is pointless. */
	private told?: string;

	private readonly others = new OtherSubscriptions();

	private readonly reports: Reports;

	readonly missed: MissedEvents;

	/** Number of checks since n8n's lifecycle hooks were last seen done. */
	private unready = 0;

	readonly memory: Memory;

	constructor(
		private readonly context: ITriggerFunctions,
		dispatcher: Dispatcher,
		private readonly settings: TriggerSettings,
	) {
		this.key = triggerKey(context);
		this.missed = new MissedEvents(dispatcher, context.logger, this.isStopped);
		this.memory = new Memory(context);
		this.reports = new Reports(context);
		running.set(this.key, this);
	}

	/** Checks the subscription, once at a time. Never rejects. */
	async check(): Promise<void> {
		if (!this.checking) this.decided = new Promise((resolve) => (this.decide = resolve));
		this.checking ??= this.checkAndRenew()
			.then(() => this.reports.succeeded())
			.catch((error: unknown) => {
				if (!this.isStopped()) this.reports.failed(error);
			})
			.finally(() => {
				this.decide();
				this.checking = undefined;
			});
		await this.checking;
	}

	/** Resolves when a check in progress has ended. */
	async stop(): Promise<void> {
		if (!this.isStopped()) running.delete(this.key);
		await this.checking;
	}

	private readonly isStopped = (): boolean => running.get(this.key) !== this;

	private async checkAndRenew(): Promise<void> {
		const { context, memory, settings } = this;
		const { known } = memory;
		const { url } = known;
		if (url === undefined || !this.isReady(url)) return;
		const secret = await secretOf(context, settings.secret);
		const wanted = { url, events: settings.events, secret };
		const service = await openService(context, {}, this.isStopped);
		this.bot = service.connection.botKey;
		const found = await inspect(service, wanted, known.mark);
		if (this.isStopped()) return;
		noteOthers(context, url, found.sharing);
		const isInVain = found.told !== undefined && found.told === this.told;
		const isCalled = wasCalledWithOtherSecret(this.key, this.renewedAt);
		const lack = (isInVain ? undefined : found.lack) ?? (isCalled ? CALLED : undefined);
		if (lack === undefined) {
			memory.learn({ seenAt: serviceTime(service.connection), yieldedTo: undefined });
			await this.others.removeAbandoned(url, found.others, service, context.logger);
		} else if (!this.others.shouldYield(url, found, memory, this.reports.tell)) {
			if (lack === 'missing' && found.others.length === 0) checkAll(this.bot);
			await this.renew(service, wanted, lack);
		}
		this.told = found.told;
	}

	/**
	 * Whether the lifecycle hooks, which n8n calls at the same time as it starts the trigger, are done; they may also have
	 * failed. In an automatic start, n8n leaves them out if its database fails at that moment.
	 */
	private isReady(url: string): boolean {
		if (liveTriggerAt(url)) this.unready = 0;
		else if (++this.unready === 1 || !isAutomatic(this.context)) return false;
		else addLiveTrigger(this.context, url);
		return true;
	}

	/** Subscribes again, after asking for missed events. */
	private async renew(service: Service, wanted: Wanted, lack: string): Promise<void> {
		const { context, memory } = this;
		// A start of n8n asks for events since it went down or, if the workflow was published meanwhile, since it began.
		const startedAt = serviceTime(service.connection) - (realClock.now() - LOADED_AT);
		const { seenAt: since = startedAt } = memory.known;
		const once = await openService(context, { patienceMs: 0 }, this.isStopped);
		this.decide();
		if (lack === 'missing') {
			// What is acknowledged before those that check now take part would be lost for them if n8n were killed.
			const all = watchdogsOf(service.connection.botKey).map(async (each) => await each.decided);
			await settledWithin(OTHERS_MS, Promise.all(all), this.isStopped);
		}
		const handOver = async (): Promise<boolean> =>
			lack !== 'missing' || (await this.missed.handOver(service, since));
		const mark = await subscribeAfter(handOver, once, wanted, this.isStopped);
		if (mark === undefined) return;
		memory.learn({ mark, yieldedTo: undefined });
		forgetOtherSecret(this.key);
		if (lack === CALLED) this.renewedAt = realClock.now();
		// The trigger was switched off meanwhile, and its own removal may already have run.
		if (!running.has(this.key)) await unsubscribe(await openService(context), wanted.url);
		else context.logger.warn(`Subscribed to the events of the bot again. Found: ${lack}`);
	}
}

/** The watchdogs of a bot's triggers. One that has not checked yet may be of any bot. */
const watchdogsOf = (bot: string): Watchdog[] =>
	[...running.values()].filter((each) => (each.bot ?? bot) === bot);

/** Lets all triggers of a bot without any subscription check: once one is subscribed, new events come to it alone. */
export function checkAll(bot: string): void {
	for (const each of watchdogsOf(bot)) void each.check();
}

/** Whether another trigger of a bot checks right now: it may be about to ask for missed events. */
export const areOthersChecking = (bot: string, trigger: string): boolean =>
	watchdogsOf(bot).some((each) => each.checking && each.key !== trigger);

/** Starts the watchdog of a trigger that receives by webhook. Returns how to stop it. */
export function startWatchdog(
	context: ITriggerFunctions,
	dispatcher: Dispatcher,
	settings: TriggerSettings,
): () => Promise<void> {
	const watchdog = new Watchdog(context, dispatcher, settings);
	// Spread the checks of the triggers over the minute.
	const second = [...context.getNode().id].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
	context.helpers.registerCron(
		{ expression: `${second % 60} */${MINUTES_BETWEEN_CHECKS} * * * *` },
		() => watchdog.check(),
	);
	if (awaited.delete(triggerKey(context))) void watchdog.check();
	return async () => await watchdog.stop();
}
