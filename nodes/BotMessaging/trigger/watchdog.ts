import { NodeOperationError, type ITriggerFunctions, type ITriggerResponse } from 'n8n-workflow';
import { openService } from '../service/client';
import { noteOthers } from './notice';
import { chosenEvents, triggerKey } from './parameters';
import { givenSecret, secretOf } from './secret';
import { remembered } from './subscription';
import { inspect, subscribe, unsubscribe } from './subscriptions';

/** Failures in a row after which the workflow's error workflow hears of it. */
const PATIENCE = 3;

const MINUTES_BETWEEN_LOOKS = 2;

/** Watchdogs that are on, by trigger. */
const onDuty = new Map<string, Watchdog>();

/**
 * Looks after the subscription of an active trigger: the service ends it after 8 hours without success, other
 * programs may delete or change it, the token may become that of another bot. n8n runs it in the leading process.
 */
class Watchdog {
	private failures = 0;

	private looking: Promise<void> | undefined;

	private readonly key: string;

	// Read at once: n8n resolves expressions in the form only while it starts the trigger.
	private readonly events: string[];

	private readonly given: string;

	constructor(private readonly context: ITriggerFunctions) {
		this.key = triggerKey(context);
		this.events = chosenEvents(context);
		this.given = givenSecret(context);
		onDuty.set(this.key, this);
	}

	/** Never rejects. */
	async look(): Promise<void> {
		this.looking ??= this.check().finally(() => {
			this.looking = undefined;
		});
		await this.looking;
	}

	/** Resolves when nothing more will be done. */
	async stop(): Promise<void> {
		if (this.isOnDuty) onDuty.delete(this.key);
		await this.looking;
	}

	private get isOnDuty(): boolean {
		return onDuty.get(this.key) === this;
	}

	private async check(): Promise<void> {
		try {
			await this.heal();
			this.failures = 0;
		} catch (error) {
			this.report(error);
		}
	}

	private async heal(): Promise<void> {
		const { context } = this;
		const known = remembered(context);
		// Not subscribed yet: n8n calls `create` a moment after the trigger starts.
		if (!known.url) return;
		const { url } = known;
		const wanted = { url, events: this.events, secret: await secretOf(context, this.given) };
		const service = await openService(context, {}, () => !this.isOnDuty);
		const { lack, others } = await inspect(service, wanted, known.mark);
		noteOthers(context, url, others);
		if (lack === undefined || !this.isOnDuty) return;
		known.mark = await subscribe(service, wanted);
		// The trigger was switched off meanwhile, and its subscription is gone already.
		if (!onDuty.has(this.key)) await unsubscribe(await openService(context), url);
		else context.logger.warn(`Subscribed to the events of the bot again. Found: ${lack}`);
	}

	private report(error: unknown): void {
		if (!this.isOnDuty) return;
		const { context } = this;
		const reason = error instanceof Error ? error.message : 'unknown reason';
		context.logger.warn(`The subscription of the trigger could not be checked: ${reason}`);
		this.failures++;
		if (this.failures !== PATIENCE) return;
		context.saveFailedExecution(
			new NodeOperationError(
				context.getNode(),
				`The subscription of the trigger could not be checked ${PATIENCE} times in a row`,
				{
					description: `${reason}. Events may not arrive. The check goes on every ${MINUTES_BETWEEN_LOOKS} minutes and subscribes again when it can.`,
				},
			),
		);
	}
}

/** Starts the watchdog of a trigger that is called by webhook. */
export function watch(context: ITriggerFunctions): ITriggerResponse {
	const watchdog = new Watchdog(context);
	// Not all triggers in the same second.
	const second = [...context.getNode().id].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
	context.helpers.registerCron(
		{ expression: `${second % 60} */${MINUTES_BETWEEN_LOOKS} * * * *` },
		() => watchdog.look(),
	);
	return { closeFunction: async () => await watchdog.stop() };
}
