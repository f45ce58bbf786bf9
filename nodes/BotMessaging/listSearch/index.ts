import type { INodeListSearchItems, INodeListSearchResult } from 'n8n-workflow';
import { COMMENT_BOUNDS, MESSAGE_BOUNDS, nextBound, upTo, type Bounds } from '../form/history';
import { collectAdministrators, markerOf, PAGE_SIZE } from '../form/paging';
import { chatPath, messagePath } from '../form/target';
import { at, listAt, nameOf, textAt } from '../service/read';
import type { QueryValue } from '../service/types';
import { firstFitting, listSearch, type PageEnd, type Search } from './search';

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
