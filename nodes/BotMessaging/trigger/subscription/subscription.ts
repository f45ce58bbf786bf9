import { NodeOperationError, sleep, type INode } from 'n8n-workflow';
import { collectSubscriptions } from '../../form/paging';
import { backoffMs, realClock, sleepUnless, type Backoff } from '../../service/clock';
import { isLasting } from '../../service/errors';
import type { Service } from '../../service/types';
import { at, listAt, textAt } from '../../service/read';
import { markOf } from './secret';

/** What it takes of the service to look after subscriptions. */
export type Requests = Pick<Service, 'request'>;

/** The subscription that a trigger needs (interface: POST /subscriptions). */
export interface Wanted {
	url: string;
	/** Types of events; all when empty. */
	events: string[];
	secret: string;
}

/** The service's subscriptions, compared with what a trigger needs. */
export interface Found {
	/** Why the trigger has to subscribe; `undefined` when its subscription is correct. */
	lack?: 'missing' | 'other events' | 'other secret';
	/** With `other events`, the types that the service lists. */
	told?: string;
	/** Addresses of the bot's other subscriptions. */
	others: string[];
	/** Those of them that get some of the trigger's events, too. */
	sharing: string[];
}

/** Pause between two rounds of asking for missed events, in ms. */
const ROUND_MS = 500;

/** How long a trigger tries to subscribe after asking for missed events, and its pauses, in ms. */
const TRYING_MS = 60_000;
const PAUSES: Backoff = { first: 500, growth: 2, longest: 8000 };

/** The same for the same event types in any order, whatever a service lists as types. */
const keyOf = (events: unknown[]): string =>
	JSON.stringify(events.map((type) => JSON.stringify(type)).sort());

/** Whether some events belong to both lists; empty means all types. */
const shareEvents = (subscribed: unknown[], wanted: string[]): boolean =>
	[subscribed, wanted].some(({ length }) => length === 0) ||
	wanted.some((type) => subscribed.includes(type));

/** Addresses of all subscriptions of the bot. */
export const subscribedUrls = async (service: Requests): Promise<string[]> =>
	urlsOf(await collectSubscriptions(service));

const eventsOf = (subscription: unknown): unknown[] => listAt(subscription, 'update_types');

const urlsOf = (subscriptions: unknown[]): string[] =>
	subscriptions.flatMap((subscription) => textAt(subscription, 'url') || []);

/** Compares the service's list with what is wanted. `mark` stands for the secret, which the service never returns. */
export async function inspect(service: Requests, wanted: Wanted, mark: unknown): Promise<Found> {
	const subscriptions = await collectSubscriptions(service);
	const isOwn = (subscription: unknown): boolean => at(subscription, 'url') === wanted.url;
	const own = subscriptions.find(isOwn);
	const others = subscriptions.filter((subscription) => !isOwn(subscription));
	const lack = lackOf(own, wanted, mark);
	return {
		lack,
		told: lack === 'other events' ? keyOf(eventsOf(own)) : undefined,
		others: urlsOf(others),
		sharing: urlsOf(others.filter((other) => shareEvents(eventsOf(other), wanted.events))),
	};
}

function lackOf(own: unknown, { url, events, secret }: Wanted, mark: unknown): Found['lack'] {
	if (own === undefined) return 'missing';
	if (keyOf(eventsOf(own)) !== keyOf(events)) return 'other events';
	return mark === markOf(url, secret) ? undefined : 'other secret';
}

/** Subscribes an address, or replaces its subscription. Returns the mark of the subscription, see `inspect`. */
export async function subscribe(
	service: Requests,
	{ url, events, secret }: Wanted,
): Promise<string> {
	await service.request({
		method: 'POST',
		twice: 'same',
		path: '/subscriptions',
		body: { url, secret, update_types: events.length > 0 ? events : undefined },
	});
	return markOf(url, secret);
}

/**
 * The same each time after missed events are handed over: once subscribed, the rest can no longer be polled. The
 * `service` repeats nothing by itself; `handOver` returns whether these were all. `undefined` when it `isStopped`.
 * Throws NodeApiError when the service refuses the subscription for good, or for a minute.
 */
export async function subscribeAfter(
	handOver: () => Promise<boolean>,
	service: Requests,
	wanted: Wanted,
	isStopped: () => boolean,
): Promise<string | undefined> {
	const end = realClock.now() + TRYING_MS;
	for (let failures = 0; ; failures++) {
		while (!isStopped() && !(await handOver())) await sleep(ROUND_MS);
		if (isStopped()) return undefined;
		const mark = await subscribe(service, wanted).catch((error: unknown) => {
			if (isLasting(error) || realClock.now() > end) throw error;
		});
		if (mark !== undefined) return mark;
		await sleepUnless(backoffMs(failures, PAUSES), isStopped);
	}
}

/** Removes the subscription of an address, if there is one, and no other. */
export async function unsubscribe(service: Requests, url: string): Promise<void> {
	if (!(await subscribedUrls(service)).includes(url)) return;
	await service.request({
		method: 'DELETE',
		twice: 'gone',
		path: '/subscriptions',
		query: { url },
	});
}

/** Hosts that are only reachable from this machine or its network, by name or by IP address. */
const LOCAL_NAME =
	/^[^.]+$|(^|\.)(localhost|local|localdomain|lan|home|internal|intranet|corp|home\.arpa)$/;
const PRIVATE_IPV4 =
	/^(0|10|127)\.|^169\.254\.|^192\.168\.|^172\.(1[6-9]|2\d|3[01])\.|^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./;
const PRIVATE_IPV6 = /^\[(::1?\]|::ffff:|f[cd]|fe[89ab])/;

const isLocal = ({ hostname }: URL): boolean =>
	hostname.startsWith('[')
		? PRIVATE_IPV6.test(hostname)
		: PRIVATE_IPV4.test(hostname) || LOCAL_NAME.test(hostname.replace(/\.$/, ''));

/** What keeps the service from calling an address (interface: Endpoint requirements); empty if nothing does. */
function flawOf(url: URL | undefined): string {
	if (!url) return 'This n8n has no webhook address';
	if (isLocal(url)) return 'The webhook address is only known inside this machine or its network';
	if (url.protocol !== 'https:') return 'The webhook address is not https';
	return url.port && 'The webhook address names a port';
}

/** The webhook address of this n8n in punycode, without port 443. Throws what is wrong with it and what to set. */
export function publicAddress(node: INode, address = 'no address'): string {
	const url = URL.canParse(address) ? new URL(address) : undefined;
	const flaw = flawOf(url);
	if (url && !flaw) return url.href;
	throw new NodeOperationError(node, flaw, {
		// What to do comes first: the message in n8n's corner has no room for all of this.
		description: `Set N8N_WEBHOOK_URL (before n8n 2.30: WEBHOOK_URL) to the public https:// address of this n8n, without a port, or choose 'Long Polling' in 'Receive By', which needs none. The service calls public addresses on port 443 only, and this n8n would be called at ${address}.`,
	});
}
