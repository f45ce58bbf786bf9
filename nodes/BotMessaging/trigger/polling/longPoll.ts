import {
	NodeOperationError,
	sleep,
	type IExecuteFunctions,
	type INode,
	type Logger,
} from 'n8n-workflow';
import { openService } from '../../service/client';
import { fateIfOwn } from '../dispatch/ownId';
import { readFilters } from '../settings/filters';
import { chosenEvents, formOf } from '../settings/parameters';
import { at, textAt } from '../../service/read';
import { realClock, type Backoff } from '../../service/clock';
import { POLLS } from '../../service/types';
import { nameOfAddress } from '../subscription/liveTriggers';
import { subscribedUrls, type Requests } from '../subscription/subscription';
import { isUpdate, noEvent, type Update } from '../../events/events';
import { ticketPressed } from '../../wait/ticket';

/** The result of one poll (interface: GET /updates). */
export interface Batch {
	updates: Update[];
	/** What is no event. */
	others: unknown[];
	/** Where the next poll begins; passing it acknowledges everything before it. */
	marker: string | undefined;
}

interface PollRequest {
	marker?: string;
	/** Types of events; all when empty. */
	events: string[];
	/** How long the service may hold the poll while there are no events, in seconds. */
	holdSeconds: number;
	signal?: AbortSignal;
}

/** Maximum number of events in one answer (wire 1.3). */
const MOST_UPDATES = 100;

/** How long an answer may take beyond the hold, in ms. */
const SLACK_MS = 15_000;

export const POLL_PAUSES: Backoff = { first: 1000, growth: 2, longest: 60_000 };

/** Requests events, and waits up to `holdSeconds` for the first. */
export async function poll(
	service: Requests,
	{ marker, events, holdSeconds, signal }: PollRequest,
): Promise<Batch> {
	const answer = await service.request({
		method: 'GET',
		path: '/updates',
		chat: POLLS,
		query: {
			limit: MOST_UPDATES,
			timeout: holdSeconds,
			marker,
			types: events.length > 0 ? events : undefined,
		},
		timeoutMs: holdSeconds * 1000 + SLACK_MS,
		signal,
	});
	// Without a marker in the answer, it is unchanged.
	const batch: Batch = { updates: [], others: [], marker: textAt(answer, 'marker') ?? marker };
	// What stands in place of the list is none, but may be an event.
	for (const entry of [at(answer, 'updates') ?? []].flat()) {
		if (isUpdate(entry)) batch.updates.push(entry);
		else batch.others.push(entry);
	}
	return batch;
}

export type PollLogger = Pick<Logger, 'error'>;

/** Logs what is passed over in a batch that is acknowledged: it is no event, and does not come again. */
export function reportOthers(logger: PollLogger, { others }: Batch): void {
	if (others.length > 0) logger.error(`Events were passed over: ${noEvent(others)}`);
}

/** A trigger that polls. */
type Polling = Pick<IExecuteFunctions, 'getNode' | 'getWorkflow'>;

/** Throws NodeOperationError if a webhook is subscribed: then all events go there, and none to polls. */
export async function assertNoWebhook(context: Polling, service: Requests): Promise<void> {
	const urls = await subscribedUrls(service);
	if (urls.length === 0) return;
	const { id } = context.getWorkflow();
	const names = urls.map((url) => nameOfAddress(url, id)).join(', ');
	throw new NodeOperationError(
		context.getNode(),
		`The bot has a webhook subscription, so polling gets no events: ${names}`,
		{
			description:
				"Unpublish the workflow, end the test run or stop the program that subscribed this address, or remove the subscription with Subscription → Delete. Or choose 'Webhook' in 'Receive By'.",
		},
	);
}

interface Claimant {
	readonly trigger: string;
	stop(): void;
}

/** The poller of each bot; only one, since each event goes to one poller only. */
const claimants = new Map<string, Claimant>();

/**
 * Claims the events of a bot for this poller alone, and stops an earlier one of the same trigger. Throws
 * NodeOperationError when another trigger polls. Awaits nothing, so that of two triggers that start together, one sees
 * the claim of the other.
 */
export function claimPolls(bot: string, claimant: Claimant, node: INode): void {
	const other = claimants.get(bot);
	if (other === claimant) return;
	if (other && other.trigger !== claimant.trigger) {
		throw new NodeOperationError(node, 'Another active trigger polls for the events of this bot', {
			description:
				'Each event goes to one of those who poll. If both triggers are in this workflow, choose the events of both in one of them. Otherwise unpublish the other workflow, or receive by webhook.',
		});
	}
	other?.stop();
	releasePolls(claimant);
	claimants.set(bot, claimant);
}

/** Releases what this poller has claimed. */
export function releasePolls(claimant: Claimant): void {
	for (const [bot, each] of claimants) if (each === claimant) claimants.delete(bot);
}

/** How long a test run waits for an event, in ms; n8n waits as long for a test webhook. */
const TEST_PATIENCE_MS = 120_000;

const TEST_HOLD_SECONDS = 25;
const TEST_PAUSE_MS = 1000;

/** Waits for the latest event that would start the workflow. Without a marker, an active workflow gets it as well. */
export async function waitForTestEvent(context: IExecuteFunctions): Promise<Update[]> {
	const signal = context.getExecutionCancelSignal();
	const service = await openService(context, {}, () => signal?.aborted === true);
	await assertNoWebhook(context, service);
	const events = chosenEvents(context);
	const passes = readFilters(formOf(context), events);
	const end = realClock.now() + TEST_PATIENCE_MS;
	while (realClock.now() < end) {
		const { updates } = await poll(service, { events, holdSeconds: TEST_HOLD_SECONDS });
		for (const update of updates.filter(passes).reverse()) {
			// A press that answers Send and Wait starts no workflow.
			if (ticketPressed(update) !== undefined) continue;
			if ((await fateIfOwn(context, update)) === undefined) return [update];
		}
		await sleep(TEST_PAUSE_MS);
	}
	return [];
}
