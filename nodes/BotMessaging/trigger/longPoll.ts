import { NodeOperationError, sleep, type IExecuteFunctions, type INode } from 'n8n-workflow';
import { openService } from '../service/client';
import { readFilters } from './filters';
import { chosenEvents, formOf } from './parameters';
import { at, listAt, textAt } from '../service/read';
import type { Backoff } from '../service/retry';
import { POLLS, type Service } from '../service/types';
import { nameOfAddress } from './addresses';
import { subscribedUrls } from './subscription';
import { isUpdate, type Update } from '../events/update';

/** What one poll brought (interface: GET /updates). */
interface Batch {
	updates: Update[];
	/** Where the next poll begins; passing it tells the service that everything before it was read. */
	marker: string | undefined;
}

/** One poll. */
interface PollRequest {
	marker: string | undefined;
	/** Types of events, all when empty. */
	events: string[];
	/** How long the service may hold the poll when there is nothing, in seconds. */
	holdSeconds: number;
	signal?: AbortSignal;
}

/** Events in one answer at most (wire 1.3). */
const MOST_UPDATES = 100;

/** How much longer than the hold an answer may take, in ms. */
const SLACK_MS = 15_000;

/** Between tries of what fails while events are asked for. */
export const POLL_PAUSES: Backoff = { first: 1000, growth: 2, longest: 60_000 };

/** Asks the service for events and waits for them. */
export async function poll(
	service: Pick<Service, 'request'>,
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
	return {
		updates: listAt(answer, 'updates').filter(isUpdate),
		// Some answers leave the marker out; it is then unchanged.
		marker: at(answer, 'marker') === undefined ? marker : textAt(answer, 'marker'),
	};
}

/**
 * Makes sure that polls can bring something: while a webhook is subscribed, all events go there.
 *
 * @throws NodeOperationError that names the subscribed addresses
 */
export async function assertNoWebhook(node: INode, service: Service): Promise<void> {
	const urls = await subscribedUrls(service);
	if (urls.length === 0) return;
	throw new NodeOperationError(
		node,
		`The bot has a webhook subscription, so polling gets no events: ${urls.map(nameOfAddress).join(', ')}`,
		{
			description:
				"Unpublish the workflow that subscribed this address, stop the program that did, or remove it with the operation Subscription → Delete. Or choose 'Webhook' in 'Receive By'.",
		},
	);
}

/** Who polls for the events of a bot. */
interface Claimant {
	readonly trigger: string;
	stop(): void;
}

/** Those who poll, by bot: each event goes to one of them. */
const claimants = new Map<string, Claimant>();

/**
 * Has the events of a bot go to this one, and stops the one of the same trigger that had them before.
 *
 * @throws NodeOperationError when another workflow polls for the bot
 */
export function claimPolls(bot: string, claimant: Claimant, node: INode): void {
	const other = claimants.get(bot);
	if (other && other.trigger !== claimant.trigger) {
		throw new NodeOperationError(node, 'Another active workflow polls for the events of this bot', {
			description:
				'Each event goes to one of those who poll. Unpublish the other workflow, or receive by webhook.',
		});
	}
	other?.stop();
	claimants.set(bot, claimant);
}

/** Gives the events of a bot up, if they go to this one. */
export function releasePolls(bot: string, claimant: Claimant): void {
	if (claimants.get(bot) === claimant) claimants.delete(bot);
}

/** How long a test run waits for an event, in ms: as long as n8n waits for a test webhook. */
const TEST_PATIENCE_MS = 120_000;

const TEST_HOLD_SECONDS = 25;
const TEST_PAUSE_MS = 1000;

/**
 * Waits for one event in a run from the editor. No marker is passed, so nothing counts as read and an active
 * workflow gets the event as well. Returns the latest event that passes the filters, `undefined` when there was none.
 */
export async function waitForTestEvent(context: IExecuteFunctions): Promise<Update | undefined> {
	const signal = context.getExecutionCancelSignal();
	const service = await openService(context, {}, () => signal?.aborted === true);
	await assertNoWebhook(context.getNode(), service);
	const events = chosenEvents(context);
	const passes = readFilters(formOf(context), events);
	const end = Date.now() + TEST_PATIENCE_MS;
	while (Date.now() < end) {
		const { updates } = await poll(service, {
			marker: undefined,
			events,
			holdSeconds: TEST_HOLD_SECONDS,
			signal,
		});
		const latest = updates.filter(passes).at(-1);
		if (latest) return latest;
		await sleep(TEST_PAUSE_MS);
	}
	return undefined;
}
