import type { INodeProperties } from 'n8n-workflow';
import { listAt, textAt } from '../service/read';
import type { QueryValue, Service } from '../service/types';
import type { Call } from './call';
import type { Form } from './form';
import { showWhen, stringField, timeField } from './fields';
import { chunks, distinct, isByIds, PAGE_SIZE, wantedCount, type Listing } from './paging';
import { timeOf } from './time';

/** Query parameters that bound a time span, for messages (interface: GET /messages) and for comments (wire 5.6). */
export const MESSAGE_BOUNDS: Bounds = { latest: 'from', earliest: 'to' };
export const COMMENT_BOUNDS: Bounds = { latest: 'before', earliest: 'after' };

export interface Bounds {
	/** Parameter for the later end; it moves back from page to page. */
	latest: 'before' | 'from';
	/** Parameter for the earlier end. */
	earliest: 'after' | 'to';
}

/** The wanted part of a history in Unix ms, both ends included. */
interface TimeSpan {
	until?: number;
	since?: number;
}

/** Asks for one page of messages, newest first. */
export type GetPage = (query: Record<string, QueryValue>) => Promise<unknown[]>;

const timeOfMessage = (message: unknown): number => Number(textAt(message, 'timestamp'));

/** The ID of a message; empty if it has none. */
export const messageIdOf = (message: unknown): string => textAt(message, 'body', 'mid') ?? '';

/** Sorts messages newest first, those of one millisecond by their IDs, which count up within a chat (wire 2). */
const newestFirst = (a: unknown, b: unknown): number =>
	timeOfMessage(b) - timeOfMessage(a) || (messageIdOf(a) < messageIdOf(b) ? 1 : -1);

/**
 * The later end (Unix ms) for the request of the next page; `undefined` if there can be no next page. Pages overlap by
 * one millisecond, so that nothing is lost whether or not the service includes the bound.
 */
export function nextBound(page: unknown[], bound = Infinity): number | undefined {
	const times = page.map(timeOfMessage).filter(Number.isFinite);
	const oldest = Math.min(...times);
	// A service that returns messages newer than the bound ignores it, and would return this page forever.
	const isBounded = Math.max(...times) <= bound;
	if (!Number.isFinite(oldest) || !isBounded) return undefined;
	// Make progress even if a whole page lies within one millisecond.
	return Math.min(oldest + 1, bound - 1);
}

/** The messages of a page that are not newer than a bound (Unix ms). */
export const upTo = (bound: number, page: unknown[]): unknown[] =>
	page.filter((message) => !(timeOfMessage(message) > bound));

/**
 * Messages or comments, newest first, page after page until there are enough or none are left. Drops duplicates, and
 * whatever lies outside the wanted time if the service does not filter. A page may be short or empty without being the
 * last, for example because messages were deleted: the last one brings nothing new although a full page was requested.
 */
export async function collectHistory(
	wanted: number,
	{ latest, earliest }: Bounds,
	{ until, since }: TimeSpan,
	getPage: GetPage,
): Promise<unknown[]> {
	const found = new Map<unknown, unknown>();
	let bound = until;
	for (let count = Math.min(PAGE_SIZE, wanted); found.size < wanted; count = PAGE_SIZE) {
		const page = await getPage({ count, [latest]: bound, [earliest]: since });
		const known = found.size;
		for (const message of page) {
			const time = timeOfMessage(message);
			if (time > (until ?? Infinity) || time < (since ?? -Infinity)) continue;
			found.set(messageIdOf(message) || JSON.stringify(message), message);
		}
		if (page.length < count && found.size === known) {
			if (count === PAGE_SIZE) break;
			continue;
		}
		bound = nextBound(page, bound);
		if (bound === undefined || bound < (since ?? -Infinity)) break;
	}
	return [...found.values()].slice(0, wanted);
}

/** The messages or comments whose IDs are listed in a field, any number of them, newest first. */
async function collectByIds(form: Form, name: string, getPage: GetPage): Promise<unknown[]> {
	const ids = distinct(form, name, form.texts(name));
	const found: unknown[] = [];
	for (const part of chunks(ids))
		found.push(...(await getPage({ [name]: part, count: PAGE_SIZE })));
	return found.sort(newestFirst);
}

/** One message by its ID, in the way every service supports (interface: GET /messages); `undefined` if not visible. */
export async function messageById(
	service: Service,
	mid: string,
	timeoutMs?: number,
): Promise<unknown> {
	const query = { message_ids: [mid] };
	const answer = await service.request({ method: 'GET', path: '/messages', query, timeoutMs });
	return listAt(answer, 'messages').find((message) => messageIdOf(message) === mid);
}

/** The message whose ID the form gives; refused if the bot cannot see it. */
export const messageOfForm = async ({ form, service }: Call): Promise<unknown> =>
	(await messageById(service, form.requiredText('message_id'))) ??
	form.refuse('message_id', 'names no message that the bot can see');

/** The field for the IDs of known messages or comments. */
export const messageIdsField = (
	displayName: string,
	name: string,
	placeholder: string,
	note = '',
): INodeProperties =>
	stringField(displayName, name, {
		required: true,
		placeholder,
		description: `Comma-separated list of IDs, or an array of them from an expression, as many as you like${note}`,
	});

interface History extends Listing {
	bounds: Bounds;
}

/** The options that bound a list in time; `what` is the plural of what is listed. */
export function timeOptions(what: string, { place }: History): INodeProperties[] {
	const bound = (label: string, name: string, reach: string): INodeProperties =>
		timeField(label, name, {
			description: `Only ${what} of this time or ${reach}. A date and time in the workflow's time zone, or a Unix time in milliseconds or seconds.`,
		});
	return showWhen({ '/get_by': [place.value] }, [
		bound('After', 'after', 'later'),
		bound('Before', 'before', 'earlier'),
	]);
}

/** Collects what such a form asks for with GET `path`, newest first; `ofPlace` gives the query that names the place. */
export async function collectAsked(
	{ form, service, context }: Call,
	history: History,
	path: string,
	ofPlace: () => Record<string, QueryValue> = () => ({}),
): Promise<unknown[]> {
	const getPage: GetPage = async (query) =>
		listAt(await service.request({ method: 'GET', path, query }), 'messages');
	if (isByIds(form, history)) return await collectByIds(form, history.ids.name, getPage);
	const options = form.options;
	const timezone = context.getTimezone();
	const span = {
		since: timeOf(options, 'after', timezone),
		until: timeOf(options, 'before', timezone),
	};
	return await collectHistory(wantedCount(form), history.bounds, span, async (query) =>
		getPage({ ...ofPlace(), ...query }),
	);
}
