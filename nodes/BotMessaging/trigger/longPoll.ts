import { NodeOperationError, type INode } from 'n8n-workflow';
import { at, listAt, textAt } from '../service/read';
import type { Service } from '../service/types';
import { subscribedUrls } from './subscription';
import { isUpdate, type Update } from '../events/update';

/** What one poll brought (interface: GET /updates). */
export interface Batch {
	updates: Update[];
	/** Where the next poll begins; passing it tells the service that everything before it was read. */
	marker: string | undefined;
}

/** One poll. */
export interface PollRequest {
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

/** Asks the service for events and waits for them. */
export async function poll(
	service: Service,
	{ marker, events, holdSeconds, signal }: PollRequest,
): Promise<Batch> {
	const answer = await service.request({
		method: 'GET',
		path: '/updates',
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
		`The bot has a webhook subscription, so polling gets no events: ${urls.join(', ')}`,
		{
			description:
				'Deactivate the workflow or program that subscribed this address, or remove it with the operation Subscription → Delete. Or choose Webhook in Receive By.',
		},
	);
}
