import {
	NodeApiError,
	type ILoadOptionsFunctions,
	type INodeListSearchItems,
	type INodeListSearchResult,
} from 'n8n-workflow';
import { contentOf, linkOf } from '../events/output';
import { labelsOf } from '../form/fields';
import { Form } from '../form/form';
import {
	COMMENT_BOUNDS,
	MESSAGE_BOUNDS,
	messageIdOf,
	nextBound,
	upTo,
	type Bounds,
} from '../form/history';
import { collectAdministrators, collectSubscriptions, markerOf, PAGE_SIZE } from '../form/paging';
import { chatIdField, chatPath, messagePath, postIdField } from '../form/target';
import { openService } from '../service/client';
import { throwWithAdvice } from '../service/errors';
import { at, listAt, nameOf, textAt, UNSEEN } from '../service/read';
import type { QueryValue, Service } from '../service/types';

interface Search {
	/** The fields of the open form that drop-downs depend on. */
	form: Form;
	service: Service;
	timezone: string;
}

/** Where a page ended: the marker or time that requests the next one, and the IDs on it that were already shown. */
interface PageEnd {
	next?: string | number;
	seen: string[];
}

/** Entries of one page, and where it ended when there are more. */
interface Page {
	results: INodeListSearchItems[];
	end?: PageEnd;
}

/** How long requests are retried, in ms. A person waits for the drop-down: better a quick error than late entries. */
const PATIENCE_MS = 5000;

/** Most pages to look through for matching entries. What lies behind them is not found: n8n does not ask again. */
const MOST_PAGES = 50;

/** Number of entries that overfill n8n's list: it asks for more of what was searched only when it is scrolled. */
const ENOUGH = 10;

const labels = labelsOf([chatIdField, postIdField]);

/** Why a field may be empty: n8n gives the value of an expression only, and none of what an agent's model defines. */
const NO_VALUE =
	'Fill it in. If it is an expression, execute the nodes before this one first. If the model defines it, let it define this field, too.';

type GetPage = (search: Search, after: PageEnd) => Promise<Page>;

/**
 * Makes a search callable by n8n. Errors are the same as those of operations; those that are not of the service hold their
 * advice in the message, as n8n shows no more of them.
 */
const listSearch = (getPage: GetPage) =>
	async function (
		this: ILoadOptionsFunctions,
		filter = '',
		token?: string,
	): Promise<INodeListSearchResult> {
		return await find(this, getPage, filter, token)
			.catch((error: unknown) =>
				error instanceof NodeApiError ? Promise.reject(error) : throwWithAdvice(error),
			)
			.catch(throwWithHyphens);
	};

/** n8n's list leaves out hyphens of a message, and with them the minus of a chat ID, unless they are non-breaking. */
function throwWithHyphens(error: unknown): never {
	if (error instanceof Error) error.message = error.message.replaceAll('-', '\u2011');
	throw error;
}

/** The next entries that match what was typed into the search box, and where to continue. */
async function find(
	context: ILoadOptionsFunctions,
	getPage: GetPage,
	filter: string,
	token?: string,
): Promise<INodeListSearchResult> {
	const words = filter.toLowerCase().split(/\s+/);
	const read = (name: string): unknown =>
		context.getCurrentNodeParameter(name) || form.refuse(name, 'is empty', NO_VALUE);
	const form: Form = new Form(context.getNode(), labels, read);
	const search = {
		form,
		service: await openService(context, { patienceMs: PATIENCE_MS }),
		timezone: context.getTimezone(),
	};
	// Without an ID, such as a mere forward, which may have no body (wire 3.3), there is nothing to choose.
	const fits = ({ name, value }: INodeListSearchItems): boolean =>
		value !== '' && words.every((word) => name.toLowerCase().includes(word));
	const fitting = new Map<unknown, INodeListSearchItems>();
	let after: PageEnd = token ? JSON.parse(token) : { seen: [] };
	for (let pages = 1; ; pages++) {
		const { results, end } = await getPage(search, after);
		// A name must not hide whose it is, and is found as it is shown.
		const shown = results.map(({ name, value }) => ({ name: name.replace(UNSEEN, ''), value }));
		for (const each of shown.filter(fits)) fitting.set(each.value, each);
		if (fitting.size >= ENOUGH || !end || pages === MOST_PAGES) {
			return { results: [...fitting.values()], paginationToken: end && JSON.stringify(end) };
		}
		after = end;
	}
}

/** Searches of drop-downs, by the names that fields refer to. */
export const searches = {
	searchMembers: listSearch(async ({ form, service }, { next: marker, seen }) => {
		const query = { count: PAGE_SIZE, marker };
		const path = chatPath(form, '/members');
		const answer = await service.request({ method: 'GET', path, query });
		const results = listAt(answer, 'members').map(memberEntry);
		const ids = results.map(({ value }) => String(value));
		// A service that ignores the marker would return this page forever. An empty page may have a next one.
		const isEmpty = ids.length === 0;
		if (!isEmpty && ids.every((id) => seen.includes(id))) return { results: [] };
		const next = markerOf(answer);
		const isLast = next === undefined || next === marker;
		return { results, end: isLast ? undefined : { next, seen: isEmpty ? seen : ids } };
	}),

	searchAdministrators: listSearch(async ({ form, service }) => ({
		results: (await collectAdministrators(form, service)).map(memberEntry),
	})),

	searchMessages: listSearch((search, after) => {
		const place = { chat_id: search.form.id('chat_id') };
		return messagesAfter(search, after, MESSAGE_BOUNDS, '/messages', place);
	}),

	searchComments: listSearch((search, after) =>
		messagesAfter(search, after, COMMENT_BOUNDS, messagePath(search.form, '/comments')),
	),

	searchSubscriptions: listSearch(async ({ service }) => {
		const subscriptions = await collectSubscriptions(service);
		const urls = subscriptions.map((each) => textAt(each, 'url') ?? '');
		return { results: urls.map((url) => ({ name: url, value: url })) };
	}),
};

/** An entry for a member: people of the same name are told apart by what stands behind it. */
function memberEntry(member: unknown): INodeListSearchItems {
	const id = textAt(member, 'user_id') ?? '';
	const username = textAt(member, 'username');
	const name = nameOf(member);
	return { name: name ? `${name} (${username ? `@${username}` : id})` : id, value: id };
}

async function messagesAfter(
	{ service, timezone }: Search,
	{ next, seen }: PageEnd,
	{ latest }: Bounds,
	path: string,
	place: Record<string, QueryValue> = {},
): Promise<Page> {
	const bound = next === undefined ? undefined : Number(next);
	const query = { ...place, [latest]: bound, count: PAGE_SIZE };
	const page = listAt(await service.request({ method: 'GET', path, query }), 'messages');
	// Some services ignore the bound.
	const shown = bound === undefined ? page : upTo(bound, page);
	const entries = shown.map((message) => messageEntry(message, timezone));
	const results = entries.filter(({ value }) => !seen.includes(String(value)));
	const isLast = page.length < PAGE_SIZE && results.length === 0;
	return { results, end: isLast ? undefined : endOf(page, bound) };
}

/** The next page includes the entries at its bound, which were already shown. */
function endOf(page: unknown[], bound: number | undefined): PageEnd | undefined {
	const next = nextBound(page, bound);
	if (next === undefined) return undefined;
	return { next, seen: upTo(next, page).map(messageIdOf) };
}

const LONGEST_TEXT = 60;

/** An entry for a message: time, sender and the beginning of the text; without a text, the types of attachments. */
function messageEntry(message: unknown, timezone: string): INodeListSearchItems {
	const time = new Date(Number(textAt(message, 'timestamp')));
	const shownTime =
		!Number.isNaN(time.getTime()) &&
		time.toLocaleString('en-GB', { timeZone: timezone, dateStyle: 'medium', timeStyle: 'short' });
	const sender = nameOf(at(message, 'sender')) ?? nameOf(at(linkOf(message, 'forward'), 'sender'));
	const { text, attachments } = contentOf(message);
	const kinds = attachments.map((each) => textAt(each, 'type')).filter(Boolean);
	// Some services tell nothing of what a voice message holds.
	const held = kinds.length > 0 ? `[${kinds.join(', ')}]` : '';
	const shown = (text || held).replace(/\s+/g, ' ');
	const characters = [...shown];
	const beginning =
		characters.length > LONGEST_TEXT ? `${characters.slice(0, LONGEST_TEXT).join('')}…` : shown;
	return {
		name: [[shownTime, sender].filter(Boolean).join(' · '), beginning].filter(Boolean).join(': '),
		value: messageIdOf(message),
	};
}
