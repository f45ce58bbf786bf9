import { NodeApiError, NodeOperationError, type INode, type ITriggerFunctions } from 'n8n-workflow';
import { backoffMs, realClock, sleepUnless } from '../../service/clock';
import { openService } from '../../service/client';
import { isLasting } from '../../service/errors';
import type { Service } from '../../service/types';
import { Deliveries } from './deliveries';
import type { Dispatcher } from '../dispatch/dispatcher';
import { unsubscribeNow, noteStopped, pollsOf } from '../subscription/removals';
import { keepMarker, keptMarker } from '../subscription/memory';
import { publicationPatience, notePublished } from '../subscription/publication';
import {
	assertNoWebhook,
	claimPolls,
	poll,
	POLL_PAUSES,
	releasePolls,
	reportOthers,
	type Batch,
} from './longPoll';
import { isAutomatic, triggerKey, type TriggerSettings } from '../settings/parameters';
import { reasonOf } from '../../service/failure';

/** Longest hold that the service supports (wire 1.3), in seconds. */
const HOLD_SECONDS = 30;

/** How long the next poll waits for events whose turn has not come, in ms. */
const WAIT_MS = 2000;

/** Shortest time between checks for a webhook, in ms: one that is subscribed later makes all polls empty. */
const SUBSCRIPTION_CHECK_MS = 5_000;

/** Number of failed polls in a row after which the owner of the workflow is told: about two minutes. */
const PATIENCE = 8;

/**
 * Starts polling and resolves to how to stop. Throws when another workflow polls for the bot, a webhook is subscribed
 * or the token is refused; in an automatic start that is reported later, as n8n would never start the trigger again.
 */
export async function startPolling(
	context: ITriggerFunctions,
	dispatcher: Dispatcher,
	{ events }: TriggerSettings,
): Promise<() => Promise<void>> {
	const poller = new Poller(context, dispatcher, events);
	if (!isAutomatic(context)) await poller.open();
	void poller.run();
	return async () => poller.stop();
}

/** No retries in the client: the poller has longer pauses of its own, which `stop` ends. */
const openForPolls = async (context: ITriggerFunctions): Promise<Service> =>
	await openService(context, { patienceMs: 0 });

class Poller {
	private readonly abortion = new AbortController();

	private readonly isStopped = (): boolean => this.abortion.signal.aborted;

	readonly trigger: string;

	/** Events polled since the marker. */
	private readonly deliveries: Deliveries;

	private checkedAt = realClock.now();

	/** Whether the owner of the workflow was told about the current failure. */
	private isTold = false;

	/** The service of the bot whose polls are claimed; `undefined` until that has succeeded. */
	private service?: Service;

	/** What `open` has polled for the first round. */
	private opening?: Batch;

	constructor(
		private readonly context: ITriggerFunctions,
		dispatcher: Dispatcher,
		private readonly events: string[],
	) {
		this.trigger = triggerKey(context);
		this.deliveries = new Deliveries(dispatcher, context.logger, this.isStopped, true);
	}

	/**
	 * Claims the polls of the bot, and gets a first marker, for n8n to save before any event is emitted: without it,
	 * some services give only the latest of the events that happen while n8n is down. Rejects when polls would fail.
	 */
	async open(): Promise<void> {
		const service = await openForPolls(this.context);
		// A webhook of this n8n that was just switched off may still be subscribed, which would make the polls empty.
		await unsubscribeNow(service.connection.botKey);
		const hurried = await openService(this.context, publicationPatience(this.trigger));
		await assertNoWebhook(this.context, hurried);
		notePublished(this.trigger);
		this.claim(service);
		if (keptMarker(this.context, service) !== undefined) return;
		this.opening = await this.poll(service, 0).catch(() => undefined);
		if (this.opening?.updates.length === 0) this.keep(service, this.opening);
	}

	/** Runs until `stop`, whatever fails: n8n restarts an ended trigger for a few seconds only. Never rejects. */
	async run(): Promise<void> {
		let failures = 0;
		while (!this.isStopped()) {
			try {
				// The credential may have been corrected meanwhile.
				const known = failures === 0 ? this.service : undefined;
				await this.round(known ?? (await this.readCredential()));
				failures = 0;
				this.isTold = false;
			} catch (error) {
				if (this.isStopped()) return;
				this.report(error, ++failures);
				await sleepUnless(backoffMs(failures - 1, POLL_PAUSES), this.isStopped);
			}
		}
	}

	/** Aborts the poll in flight and stops polling. */
	stop(): void {
		this.abortion.abort();
		releasePolls(this);
		if (this.service) noteStopped(pollsOf(this.trigger, this.service.connection.botKey));
	}

	/** Reads the credential again; it may now be that of another bot. */
	private async readCredential(): Promise<Service> {
		const service = await openForPolls(this.context);
		if (!this.isStopped()) this.claim(service);
		return service;
	}

	private claim(service: Service): void {
		claimPolls(service.connection.botKey, this, this.context.getNode());
		this.service = service;
	}

	/** One poll. Its marker is kept once n8n has stored all its executions: until then, the events come again. */
	private async round(service: Service): Promise<void> {
		// Without a marker, some services return an event only once.
		const waitMs = keptMarker(this.context, service) === undefined ? Infinity : WAIT_MS;
		const batch = this.opening ?? (await this.poll(service, HOLD_SECONDS));
		this.opening = undefined;
		const areDone = await this.deliveries.take(batch.updates, waitMs);
		if (this.isStopped()) return;
		if (areDone) this.keep(service, batch);
		if (batch.updates.length === 0) await this.lookForWebhook();
	}

	/** Moves the marker past a batch. What is no event does not hold up the others, and does not come again. */
	private keep(service: Service, batch: Batch): void {
		const { marker } = batch;
		if (marker !== keptMarker(this.context, service)) reportOthers(this.context.logger, batch);
		keepMarker(this.context, service, marker);
	}

	private async poll(service: Service, holdSeconds: number): Promise<Batch> {
		const marker = keptMarker(this.context, service);
		const { signal } = this.abortion;
		const request = { marker, events: this.events, holdSeconds, signal };
		return await poll(service, request).catch(async (error: unknown) => {
			if (!isLasting(error)) throw error;
			// Some services may refuse polls while a webhook is subscribed, in words of their own (wire 5.8).
			await assertNoWebhook(this.context, service);
			if (marker === undefined || !/marker/i.test(reasonOf(error))) throw error;
			this.context.logger.warn(`Polling begins anew: ${reasonOf(error)}`);
			return await poll(service, { ...request, marker: undefined });
		});
	}

	private async lookForWebhook(): Promise<void> {
		if (realClock.now() - this.checkedAt < SUBSCRIPTION_CHECK_MS) return;
		await assertNoWebhook(this.context, await this.readCredential());
		this.checkedAt = realClock.now();
	}

	/** Logs each failure, and reports it once by a failed execution, which starts the error workflow. */
	private report(error: unknown, failures: number): void {
		const { context } = this;
		context.logger.warn(`Polling for events failed and goes on: ${reasonOf(error)}`);
		const isNews = !this.isTold && (isLasting(error) || failures >= PATIENCE);
		if (!isNews) return;
		this.isTold = true;
		context.saveFailedExecution(reportable(error, failures, context.getNode()));
	}
}

/** The error to report. What n8n itself says, for example about a credential that was deleted, has no advice. */
function reportable(
	error: unknown,
	failures: number,
	node: INode,
): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	const message = `The trigger could not poll for events ${failures} times in a row`;
	const reason = reasonOf(error).replace(/\.$/, '');
	return new NodeOperationError(node, message, {
		description: `${reason}. No events arrive until this is mended; polling goes on, and gets them then.`,
	});
}
