import {
	NodeOperationError,
	sleep,
	type ITriggerFunctions,
	type ITriggerResponse,
} from 'n8n-workflow';
import { openService } from '../service/client';
import { reasonOf } from '../service/failure';
import type { Service } from '../service/types';
import type { Dispatcher } from './dispatcher';
import { enlist, remembered } from './addresses';
import { handOverMissed } from './missedEvents';
import { noteOthers, OtherSubscriptions } from './otherSubscriptions';
import { chosenEvents, triggerKey } from './parameters';
import { forgeryAt, givenSecret, secretOf } from './secret';
import { inspect, subscribe, unsubscribe, type Wanted } from './subscription';

/** Failures in a row after which the workflow's error workflow hears of it. */
const PATIENCE = 3;

const MINUTES_BETWEEN_LOOKS = 2;

/** After requests with a wrong secret, the subscription is made again so often at most, in ms. */
const RENEWAL_MS = 600_000;

/** Between two rounds of asking for missed events, in ms. */
const ROUND_MS = 500;

/** Watchdogs that are on, by trigger. */
const onDuty = new Map<string, Watchdog>();

/** The watchdog of a trigger that this process has switched on. */
export const watchdogOf = (trigger: string): Watchdog | undefined => onDuty.get(trigger);

/**
 * Looks after the subscription of an active trigger: the service ends it after 8 hours without success, other
 * programs may delete or change it, the token may become that of another bot. n8n runs it where it runs `trigger()`: in the leading main one.
 */
class Watchdog {
	private failures = 0;

	private looking: Promise<void> | undefined;

	private readonly key: string;

	// Read at once: n8n resolves expressions in the form only while it starts the trigger.
	private readonly events: string[];

	private readonly given: string;

	private renewedAt = 0;

	/** Other events, as they were told at the last look: told again after a renewal, they are all that the service tells. */
	private told?: string;

	private readonly others = new OtherSubscriptions();

	constructor(
		private readonly context: ITriggerFunctions,
		private readonly dispatcher: Dispatcher,
	) {
		this.key = triggerKey(context);
		this.events = chosenEvents(context);
		this.given = givenSecret(context);
		onDuty.set(this.key, this);
	}

	/** Never rejects. */
	async look(): Promise<void> {
		this.looking ??= this.heal()
			.then(() => {
				this.failures = 0;
			})
			.catch((error: unknown) => this.report(error))
			.finally(() => {
				this.looking = undefined;
			});
		await this.looking;
	}

	/** Resolves when nothing more will be done. */
	async stop(): Promise<void> {
		if (this.isOnDuty) onDuty.delete(this.key);
		await this.looking;
	}

	/**
	 * Hands over what came while the bot had no subscription at all. Resolves to whether that is done; a failure is
	 * not tried again. Never rejects.
	 *
	 * @param since Unix time in ms: what is older was received; `undefined` asks for nothing
	 */
	async askForMissed(service: Service, since: number | undefined): Promise<boolean> {
		const { context, events, dispatcher } = this;
		return await handOverMissed(service, dispatcher, { events, since }, context.logger);
	}

	private get isOnDuty(): boolean {
		return onDuty.get(this.key) === this;
	}

	private async heal(): Promise<void> {
		const { context } = this;
		const known = remembered(context);
		// Not subscribed yet: n8n calls `create` a moment after the trigger starts.
		if (!known.url) return;
		const { url } = known;
		enlist(context, url, known.activatedAt);
		const wanted = { url, events: this.events, secret: await secretOf(context, this.given) };
		const service = await openService(context, {}, () => !this.isOnDuty);
		const found = await inspect(service, wanted, known.mark);
		if (!this.isOnDuty) return;
		noteOthers(context, url, found.others);
		const isInVain = found.told !== undefined && found.told === this.told;
		const lack = (isInVain ? undefined : found.lack) ?? this.refusedLately();
		if (lack === undefined) {
			known.seenAt = Date.now();
			delete known.yieldedTo;
			await this.others.tidyUp(url, found.others, service, context.logger);
		} else if (!this.others.takeOver(url, found, known, this.tell)) {
			await this.renew(service, wanted, lack, found.others);
		}
		this.told = found.told;
	}

	/** Subscribes again, first asking for what was missed. */
	private async renew(
		service: Service,
		wanted: Wanted,
		lack: string,
		others: string[],
	): Promise<void> {
		const { context } = this;
		const known = remembered(context);
		const isDeaf = lack === 'missing' && others.length === 0;
		// Once there is a subscription, what has not been handed over can be asked for no more.
		while (isDeaf && this.isOnDuty && !(await this.askForMissed(service, known.seenAt))) {
			await sleep(ROUND_MS);
		}
		if (!this.isOnDuty) return;
		known.mark = await subscribe(service, wanted);
		this.renewedAt = Date.now();
		delete known.yieldedTo;
		// The trigger was switched off meanwhile, and its subscription is gone already.
		if (!onDuty.has(this.key)) await unsubscribe(await openService(context), wanted.url);
		else context.logger.warn(`Subscribed to the events of the bot again. Found: ${lack}`);
	}

	/** Calls of the service that carry another secret than ours: somebody else has subscribed this very address. */
	private refusedLately(): string | undefined {
		const now = Date.now();
		const isNew = (forgeryAt(this.key) ?? 0) > this.renewedAt && now - this.renewedAt > RENEWAL_MS;
		return isNew ? 'calls with another secret' : undefined;
	}

	private report(error: unknown): void {
		if (!this.isOnDuty) return;
		const reason = reasonOf(error);
		this.context.logger.warn(`The subscription of the trigger could not be checked: ${reason}`);
		this.failures++;
		if (this.failures !== PATIENCE) return;
		this.tell(
			`The subscription of the trigger could not be checked ${PATIENCE} times in a row`,
			`${reason}. Events may not arrive. The check goes on every ${MINUTES_BETWEEN_LOOKS} minutes and subscribes again when it can.`,
		);
	}

	/** Tells the owner of the workflow, by the log and by a failed execution, which starts the error workflow. */
	private readonly tell = (message: string, description: string): void => {
		const { context } = this;
		context.logger.warn(`${message}. ${description}`);
		context.saveFailedExecution(
			new NodeOperationError(context.getNode(), message, { description }),
		);
	};
}

/** Starts the watchdog of a trigger that is called by webhook. */
export function watch(context: ITriggerFunctions, dispatcher: Dispatcher): ITriggerResponse {
	const watchdog = new Watchdog(context, dispatcher);
	// Not all triggers in the same second.
	const second = [...context.getNode().id].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
	context.helpers.registerCron(
		{ expression: `${second % 60} */${MINUTES_BETWEEN_LOOKS} * * * *` },
		() => watchdog.look(),
	);
	return { closeFunction: async () => await watchdog.stop() };
}
