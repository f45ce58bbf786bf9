import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';
import { Form } from '../form/form';
import { COMMENT_BOUNDS, MESSAGE_BOUNDS, nextBound, upTo, type Bounds } from '../form/history';
import { collectAdministrators, markerOf, PAGE_SIZE } from '../form/paging';
import { chatPath, messagePath } from '../form/target';
import { openService } from '../service/client';
import { at, listAt, nameOf, textAt } from '../service/read';
import type { QueryValue, Service } from '../service/types';

/** What a drop-down is filled from: the open form and the service. */
interface Search {
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
function listSearch(search: (open: Search) => Promise<INodeListSearchResult>): ListSearch {
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
interface PageEnd {
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
async function firstFitting(
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

/** Members of the chat of Chat ID. */
const searchMembers = listSearch(async (search) => {
	const path = chatPath(search.form, '/members');
	return await firstFitting(search, async ({ next: marker, seen }) => {
		const query = { count: PAGE_SIZE, marker };
		const answer = await search.service.request({ method: 'GET', path, query });
		const results = listAt(answer, 'members').map(personOf);
		const ids = results.map(({ value }) => String(value));
		// A service that does not know the marker would give this page for ever.
		if (ids.every((id) => seen.includes(id))) return { results: [] };
		const next = markerOf(answer);
		return { results, end: next === undefined ? undefined : { next, seen: ids } };
	});
});

/** Administrators of the chat of Chat ID. */
const searchAdministrators = listSearch(async ({ form, service, fits }) => {
	const people = (await collectAdministrators(form, service)).map(personOf);
	return { results: people.filter(({ name }) => fits(name)) };
});

function personOf(member: unknown): INodeListSearchItems {
	const id = textAt(member, 'user_id') ?? '';
	const username = textAt(member, 'username');
	const name = nameOf(member) ?? id;
	return { name: username ? `${name} (@${username})` : name, value: id };
}

/** Messages of the chat of Chat ID, newest first. */
const searchMessages = listSearch((search) =>
	searchIn(search, MESSAGE_BOUNDS, '/messages', { chat_id: search.form.id('chat_id') }),
);

/** Comments on the post of Post ID, newest first. */
const searchComments = listSearch((search) =>
	searchIn(search, COMMENT_BOUNDS, messagePath(search.form, '/comments'), {}),
);

async function searchIn(
	search: Search,
	{ latest }: Bounds,
	path: string,
	place: Record<string, QueryValue>,
): Promise<INodeListSearchResult> {
	return await firstFitting(search, async ({ next, seen }) => {
		const bound = next === undefined ? undefined : Number(next);
		const query = { ...place, [latest]: bound, count: PAGE_SIZE };
		const answer = await search.service.request({ method: 'GET', path, query });
		const page = listAt(answer, 'messages');
		// Some services do not know the bound.
		const shown = bound === undefined ? page : upTo(bound, page);
		const entries = shown.map((message) => messageOf(message, search.timezone));
		const results = entries.filter(({ value }) => !seen.includes(String(value)));
		const isLast = page.length < PAGE_SIZE && results.length === 0;
		return { results, end: isLast ? undefined : endOf(page, bound) };
	});
}

/** The next page begins with what stands at its bound, which was shown. */
function endOf(page: unknown[], bound: number | undefined): PageEnd | undefined {
	const next = nextBound(page, bound);
	if (next === undefined) return undefined;
	return { next, seen: upTo(next, page).map((message) => textAt(message, 'body', 'mid') ?? '') };
}

const LONGEST_TEXT = 60;

/** Time, sender and the beginning of the text; without a text, what is attached. */
function messageOf(message: unknown, timezone: string): INodeListSearchItems {
	const time = new Date(Number(at(message, 'timestamp')));
	const shownTime = time.toLocaleString('en-GB', {
		timeZone: timezone,
		dateStyle: 'medium',
		timeStyle: 'short',
	});
	const sender = nameOf(at(message, 'sender')) ?? nameOf(at(message, 'link', 'sender'));
	const kinds = listAt(message, 'body', 'attachments').map((each) => textAt(each, 'type'));
	const text = textAt(message, 'body', 'text') ?? textAt(message, 'link', 'message', 'text');
	const shown = (text ?? `[${kinds.join(', ')}]`).replace(/\s+/g, ' ');
	const characters = [...shown];
	const beginning =
		characters.length > LONGEST_TEXT ? `${characters.slice(0, LONGEST_TEXT).join('')}…` : shown;
	return {
		name: `${shownTime}${sender ? ` · ${sender}` : ''}: ${beginning}`,
		value: textAt(message, 'body', 'mid') ?? '',
	};
}

/** Subscriptions of the bot, by the addresses that the service calls. */
const searchSubscriptions = listSearch(async ({ service, fits }) => {
	const answer = await service.request({ method: 'GET', path: '/subscriptions' });
	const urls = listAt(answer, 'subscriptions').map((each) => textAt(each, 'url') ?? '');
	return { results: urls.filter(fits).map((url) => ({ name: url, value: url })) };
});

/** Searchable drop-downs by the names that fields know them by. */
export const searches = {
	searchAdministrators,
	searchComments,
	searchMembers,
	searchMessages,
	searchSubscriptions,
};
