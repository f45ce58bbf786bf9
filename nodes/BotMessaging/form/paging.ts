import type { INodeProperties } from 'n8n-workflow';
import {
	choice,
	menuField,
	numberField,
	showWhen,
	sortedChoices,
	switchField,
	type Choice,
	type Menu,
} from './fields';
import { at, listAt, textAt } from '../service/read';
import type { QueryValue, Service } from '../service/types';
import type { Form } from './form';
import { chatPath } from './target';

/** Maximum entries per answer, and maximum IDs per request (interface: Limits). */
export const PAGE_SIZE = 100;

const limitField = numberField('Limit', 'limit', {
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: 50,
	description: 'Max number of results to return',
});

/** How many results to return: all, or up to a limit. */
export const pagingFields: INodeProperties[] = [
	switchField('Return All', 'returnAll', {
		description: 'Whether to return all results or only up to a given limit',
	}),
	...showWhen({ returnAll: [false] }, [limitField]),
];

/** Entries of one kind, such as messages: those of a place, or those whose IDs are known. */
export interface Listing {
	place: Choice<string>;
	ids: INodeProperties;
	/** What choosing the IDs gives. */
	known: string;
}

const getByField = ({ place, ids, known }: Listing): Menu<string> =>
	menuField(
		'Get By',
		'get_by',
		{ default: place.value },
		sortedChoices([place, choice(ids.displayName, ids.name, known)]),
	);

/** The form of a list: the choice, then the fields for the place or the field for IDs. */
export const getByFields = (
	listing: Listing,
	placeFields: INodeProperties[],
): INodeProperties[] => [
	getByField(listing),
	...showWhen({ get_by: [listing.place.value] }, placeFields),
	...showWhen({ get_by: [listing.ids.name] }, [listing.ids]),
];

/** Whether the form gives IDs, and not a place. */
export const isByIds = (form: Form, listing: Listing): boolean =>
	form.choice(getByField(listing)) === listing.ids.name;

/** How many results are wanted; `Infinity` for all. */
export function wantedCount(form: Form): number {
	if (form.flag('returnAll')) return Infinity;
	return form.number(limitField) ?? form.refuseEmpty(limitField.name);
}

/** Most empty pages in a row: a service that always names a next page would return them forever. */
const MOST_EMPTY_PAGES = 50;

/**
 * Members of a chat, up to `wanted` (interface: GET /chats/{chatId}/members). The last page is the one without a marker
 * (wire 5.3), and an empty page may have one. It is also one that is repeated by a service that ignores the marker.
 * `sized`: whether the service takes a `count`.
 */
export async function collectMembers(
	service: Service,
	path: string,
	wanted: number,
	sized = true,
): Promise<unknown[]> {
	const members = new Map<unknown, unknown>();
	let marker: QueryValue;
	for (let emptyPages = 0; emptyPages < MOST_EMPTY_PAGES;) {
		const known = members.size;
		const count = sized ? Math.min(PAGE_SIZE, wanted - known) : undefined;
		const page = await service.request({ method: 'GET', path, query: { count, marker } });
		const found = listAt(page, 'members');
		for (const member of found) members.set(textAt(member, 'user_id') ?? member, member);
		const next = markerOf(page);
		const isRepeated = next === marker || (found.length > 0 && members.size === known);
		if (next === undefined || isRepeated || members.size >= wanted) break;
		emptyPages = found.length > 0 ? 0 : emptyPages + 1;
		marker = next;
	}
	return [...members.values()].slice(0, wanted);
}

/** Administrators of the chat that Chat ID names. All come at once, without a marker, on most services (wire 5.3). */
export const collectAdministrators = async (
	form: Form,
	service: Service,
	wanted = Infinity,
): Promise<unknown[]> =>
	await collectMembers(service, chatPath(form, '/members/admins'), wanted, false);

/** The bot's subscriptions, which come at once (interface: GET /subscriptions). */
export const collectSubscriptions = async (service: Pick<Service, 'request'>): Promise<unknown[]> =>
	listAt(await service.request({ method: 'GET', path: '/subscriptions' }), 'subscriptions');

/** The pointer to the next page or update, exact to the last digit; `undefined` on the last page. */
export function markerOf(answer: unknown): string | number | undefined {
	const marker = at(answer, 'marker');
	return typeof marker === 'string' || typeof marker === 'number' ? marker : undefined;
}

/** Splits a list into parts that fit into one request each. */
export function chunks<T>(list: readonly T[], size = PAGE_SIZE): T[][] {
	return Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
		list.slice(index * size, (index + 1) * size),
	);
}

/** The distinct entries of a list field; refuses the field if there are none. */
export function distinct<T>(form: Form, name: string, entries: readonly T[]): T[] {
	if (entries.length === 0) form.refuseEmpty(name);
	return [...new Set(entries)];
}
