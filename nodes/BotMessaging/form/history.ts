import { at, textAt } from '../service/read';
import type { QueryValue } from '../service/types';
import type { Form } from './form';
import { chunks, distinct, PAGE_SIZE } from './paging';

/** A time span of messages, and the names of the query parameters that bound it (wire 5.4). */
export interface Bounds {
	/** Parameter of the later end; pages go back by it. */
	latest: 'before' | 'from';
	/** Parameter of the earlier end. */
	earliest: 'after' | 'to';
	/** Later end in Unix ms. */
	until?: number;
	/** Earlier end in Unix ms. */
	since?: number;
}

/** Asks for one page of messages, newest first. */
export type GetPage = (query: Record<string, QueryValue>) => Promise<unknown[]>;

const timeOfMessage = (message: unknown): number => Number(at(message, 'timestamp'));

/**
 * Messages or comments, newest first, page after page until there are enough or none is left. Pages overlap by the
 * millisecond they meet in, whether the service counts the bound in or not, so that none of it is lost; what comes
 * again is dropped.
 */
export async function collectHistory(
	wanted: number,
	{ latest, earliest, until, since }: Bounds,
	getPage: GetPage,
): Promise<unknown[]> {
	const found = new Map<string, unknown>();
	let bound = until;
	let overlap = 0;
	while (found.size < wanted) {
		const count = Math.min(PAGE_SIZE, wanted - found.size + overlap);
		const page = await getPage({ count, [latest]: bound, [earliest]: since });
		for (const message of page) found.set(textAt(message, 'body', 'mid') ?? '', message);
		const oldest = Math.min(...page.map(timeOfMessage));
		if (page.length < count || !Number.isFinite(oldest)) break;
		// A page within one millisecond must not be asked for again and again.
		const next = Math.min(oldest + 1, (bound ?? Infinity) - 1);
		overlap = page.filter((message) => timeOfMessage(message) <= next).length;
		bound = next;
	}
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
