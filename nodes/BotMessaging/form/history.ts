import type { INodeProperties } from 'n8n-workflow';
import { at, listAt, textAt } from '../service/read';
import type { QueryValue, Service } from '../service/types';
import type { Call } from './call';
import type { Form } from './form';
import { showWhen, stringField, timeField } from './fields';
import { chunks, distinct, GET_BY, gotBy, PAGE_SIZE, wantedCount } from './paging';
import { timeOf } from './time';

/** Names of the query parameters that bound a time span: of messages (interface: GET /messages), of comments (wire 5.6). */
export const MESSAGE_BOUNDS: Bounds = { latest: 'from', earliest: 'to' };
export const COMMENT_BOUNDS: Bounds = { latest: 'before', earliest: 'after' };

/** How a list of messages is bounded in time. */
export interface Bounds {
	/** Parameter of the later end; pages go back by it. */
	latest: 'before' | 'from';
	/** Parameter of the earlier end. */
	earliest: 'after' | 'to';
}

/** The wanted part of a history, in Unix ms, both ends included. */
interface TimeSpan {
	until?: number;
	since?: number;
}

/** Asks for one page of messages, newest first. */
export type GetPage = (query: Record<string, QueryValue>) => Promise<unknown[]>;

const timeOfMessage = (message: unknown): number => Number(at(message, 'timestamp'));

/**
 * The later end (Unix ms) to ask the page after this one with; `undefined` when there can be none. Pages overlap by the
 * millisecond they meet in, whether the service counts the bound in or not, so that none of it is lost.
 */
export function nextBound(page: unknown[], bound = Infinity): number | undefined {
	const times = page.map(timeOfMessage);
	const oldest = Math.min(...times);
	// A service that gives what is newer than the bound does not know the bound: it would give this page for ever.
	const isBounded = Math.max(...times) <= bound;
	if (!Number.isFinite(oldest) || !isBounded) return undefined;
	// A page within one millisecond must not be asked for again.
	return Math.min(oldest + 1, bound - 1);
}

/** The messages of a page that are not newer than a bound (Unix ms). */
export const upTo = (bound: number, page: unknown[]): unknown[] =>
	page.filter((message) => timeOfMessage(message) <= bound);

/**
 * Messages or comments, newest first, page after page until there are enough or none is left. What comes again is
 * dropped, and so is what lies outside the wanted time on a service that does not bound it. A page may have less than
 * was asked for, such as without what was deleted: it is the last one only when it brings nothing new.
 */
export async function collectHistory(
	wanted: number,
	{ latest, earliest }: Bounds,
	{ until, since }: TimeSpan,
	getPage: GetPage,
): Promise<unknown[]> {
	const found = new Map<unknown, unknown>();
	let bound = until;
	let overlap = 0;
	do {
		const count = Math.min(PAGE_SIZE, wanted - found.size + overlap);
		const page = await getPage({ count, [latest]: bound, [earliest]: since });
		const known = found.size;
		for (const message of page) {
			const time = timeOfMessage(message);
			if (time > (until ?? Infinity) || time < (since ?? -Infinity)) continue;
			found.set(textAt(message, 'body', 'mid') ?? JSON.stringify(message), message);
		}
		const isLast = page.length < count && found.size === known;
		bound = isLast ? undefined : nextBound(page, bound);
		overlap = upTo(bound ?? -Infinity, page).length;
	} while (bound !== undefined && found.size < wanted);
	return [...found.values()].slice(0, wanted);
}

/** The messages or comments whose IDs a field lists, any number of them, newest first. */
export async function collectByIds(form: Form, name: string, getPage: GetPage): Promise<unknown[]> {
	const ids = distinct(form, name, form.texts(name));
	const found: unknown[] = [];
	for (const part of chunks(ids))
		found.push(...(await getPage({ [name]: part, count: PAGE_SIZE })));
	return found.sort((a, b) => timeOfMessage(b) - timeOfMessage(a));
}

/** One message by its ID, the way that every service has (interface: GET /messages); `undefined` for one not to be seen. */
export async function messageById(
	service: Service,
	mid: string,
	timeoutMs?: number,
): Promise<unknown> {
	const query = { message_ids: [mid] };
	const answer = await service.request({ method: 'GET', path: '/messages', query, timeoutMs });
	return listAt(answer, 'messages').find((message) => textAt(message, 'body', 'mid') === mid);
}

/**
 * The message of Message ID.
 *
 * @throws NodeOperationError for one that the bot cannot see
 */
export const messageOfForm = async ({ form, service }: Call): Promise<unknown> =>
	(await messageById(service, form.requiredText('message_id'))) ??
	form.refuse('message_id', 'names no message that the bot can see');

/** The field for a list of messages or comments that are known. */
export const messageIdsField = (
	displayName: string,
	name: string,
	placeholder: string,
	note = '',
): INodeProperties =>
	stringField(displayName, name, {
		required: true,
		placeholder,
		description: `Comma-separated list of IDs, or an array of them by an expression, as many as you like${note}`,
	});

/** The options that bound a list of a place in time. `what` is listed, in the plural. */
export function timeOptions(what: string, place: string): INodeProperties[] {
	const bound = (label: string, name: string, reach: string): INodeProperties =>
		timeField(label, name, {
			description: `Only ${what} of this time or ${reach}. A date and time, or a Unix time in milliseconds or seconds.`,
		});
	return showWhen({ [`/${GET_BY}`]: [place] }, [
		bound('After', 'after', 'later'),
		bound('Before', 'before', 'earlier'),
	]);
}

/** What such a form asks for by GET `path`, newest first; `ofPlace` is what the query needs besides to mean the place. */
export async function collectAsked(
	{ form, service, context }: Call,
	{ place, ids, bounds }: { place: string; ids: string; bounds: Bounds },
	path: string,
	ofPlace: () => Record<string, QueryValue> = () => ({}),
): Promise<unknown[]> {
	const getPage: GetPage = async (query) =>
		listAt(await service.request({ method: 'GET', path, query }), 'messages');
	if (gotBy(form, place, ids) === ids) return await collectByIds(form, ids, getPage);
	const options = form.options;
	const timezone = context.getTimezone();
	const span = {
		since: timeOf(options, 'after', timezone),
		until: timeOf(options, 'before', timezone),
	};
	return await collectHistory(wantedCount(form), bounds, span, async (query) =>
		getPage({ ...ofPlace(), ...query }),
	);
}
