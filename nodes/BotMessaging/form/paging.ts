import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { at, listAt } from '../service/read';
import type { QueryValue, Service, ServiceAnswer } from '../service/types';
import type { Form } from './form';
import { showWhen } from './options';

/** Most entries of one answer, and most identifiers of one request (interface: Limits). */
export const PAGE_SIZE = 100;

/** How many results an operation gives: all of them, or a limit. */
export const pagingFields: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	...showWhen({ returnAll: [false] }, [
		{
			displayName: 'Limit',
			name: 'limit',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 50,
			description: 'Max number of results to return',
		},
	]),
];

/** How many results are wanted; `Infinity` for all. */
export function wantedCount(form: Form): number {
	if (form.flag('returnAll')) return Infinity;
	const limit = form.number('limit') ?? 0;
	return Number.isInteger(limit) && limit > 0
		? limit
		: form.refuse('limit', 'is not a whole number of at least 1');
}

/** Members of a chat, page after page until there are enough (interface: GET /chats/{chatId}/members). */
export async function collectMembers(
	service: Service,
	path: string,
	wanted: number,
): Promise<unknown[]> {
	const members: unknown[] = [];
	const seen = new Set<unknown>();
	let marker: QueryValue;
	do {
		seen.add(marker);
		const count = Math.min(PAGE_SIZE, wanted - members.length);
		const page = await service.request({ method: 'GET', path, query: { count, marker } });
		members.push(...listAt(page, 'members'));
		marker = markerOf(page);
		// A marker that comes again would go round for ever.
	} while (marker !== undefined && !seen.has(marker) && members.length < wanted);
	return members.slice(0, wanted);
}

/** The pointer to the next page or update, digit for digit; `undefined` on the last page. */
export function markerOf(answer: ServiceAnswer): string | number | undefined {
	const marker = at(answer, 'marker');
	return typeof marker === 'string' || typeof marker === 'number' ? marker : undefined;
}

/** Splits a list into parts that fit into one request each. */
export function chunks<T>(list: readonly T[], size = PAGE_SIZE): T[][] {
	return Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
		list.slice(index * size, (index + 1) * size),
	);
}

/** The entries of a list field, each once; the field is refused when there is none. */
export function distinct<T>(form: Form, name: string, entries: readonly T[]): T[] {
	if (entries.length === 0) {
		form.refuse(name, 'is empty', 'Fill it in, by hand or by an expression.');
	}
	return [...new Set(entries)];
}

/** The result of what deletes, in n8n's words. */
export const deleted = (): IDataObject => ({ deleted: true });
