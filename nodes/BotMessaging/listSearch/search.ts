import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';
import { Form } from '../form/form';
import { openService } from '../service/client';
import type { Service } from '../service/types';

/** What a drop-down is filled from: the open form and the service. */
export interface Search {
	/** The fields of the open form that drop-downs depend on. */
	form: Form;
	service: Service;
	timezone: string;
	/** Whether an entry fits what was typed into the search box. */
	fits(label: string): boolean;
	/** Where the page before ended. */
	token?: string;
}

type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

/** A person is looking at the drop-down: better an error soon than entries late. */
const PATIENCE_MS = 5000;

const labels = new Map([
	['chat_id', 'Chat ID'],
	['message_id', 'Post ID'],
]);

/** A drop-down of n8n from a search. Errors are those of the operations: what happened, and what to do. */
export function listSearch(search: (open: Search) => Promise<INodeListSearchResult>): ListSearch {
	return async function (filter, token) {
		const words = (filter ?? '').toLowerCase().split(/\s+/);
		return await search({
			form: new Form(this.getNode(), labels, (name) => this.getCurrentNodeParameter(name)),
			service: await openService(this, { patienceMs: PATIENCE_MS }),
			timezone: this.getTimezone(),
			fits: (label) => words.every((word) => label.toLowerCase().includes(word)),
			token,
		});
	};
}

/** Where a page ended: what the next one is asked with, and which of its entries were shown. */
export interface PageEnd {
	next?: string | number;
	seen: string[];
}

/** Entries of one page, and where it ended when there are more. */
interface Page {
	results: INodeListSearchItems[];
	end?: PageEnd;
}

/** The service cannot search: so many pages are looked through for entries that fit. */
const MOST_PAGES = 10;

/** The next entries that fit, and where to go on after them. */
export async function firstFitting(
	{ fits, token }: Search,
	getPage: (after: PageEnd) => Promise<Page>,
): Promise<INodeListSearchResult> {
	let at = token;
	for (let pages = 1; ; pages++) {
		const { results, end } = await getPage(at ? JSON.parse(at) : { seen: [] });
		const fitting = results.filter(({ name }) => fits(name));
		at = end && JSON.stringify(end);
		if (fitting.length > 0 || at === undefined || pages === MOST_PAGES) {
			return { results: fitting, paginationToken: at };
		}
	}
}
