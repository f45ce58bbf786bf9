import type { INodeListSearchItems, INodeListSearchResult } from 'n8n-workflow';
import { messagePath } from '../form/messageId';
import { PAGE_SIZE } from '../form/paging';
import { at, listAt, nameOf, textAt } from '../service/read';
import type { QueryValue } from '../service/types';
import { firstFitting, listSearch, type Search } from './search';

const LONGEST_TEXT = 60;

/** Messages of the chat of Chat ID, newest first. */
export const searchMessages = listSearch((search) =>
	searchIn(search, '/messages', { chat_id: search.form.id('chat_id') }),
);

/** Comments on the post of Post ID, newest first. */
export const searchComments = listSearch((search) =>
	searchIn(search, messagePath(search.form, '/comments'), {}),
);

async function searchIn(
	search: Search,
	path: string,
	place: Record<string, QueryValue>,
): Promise<INodeListSearchResult> {
	return await firstFitting(search, async (token) => {
		const { before, seen } = readToken(token);
		const query = { ...place, before, count: PAGE_SIZE };
		const answer = await search.service.request({ method: 'GET', path, query });
		const page = listAt(answer, 'messages');
		const entries = page.map((message) => entryOf(message, search.timezone));
		const results = entries.filter(({ value }) => !seen.includes(String(value)));
		return { results, paginationToken: results.length > 0 ? tokenAfter(page) : undefined };
	});
}

/** Where a page ended: its last millisecond, and what of it was shown, since it begins the next page too. */
interface Token {
	before?: number;
	seen: string[];
}

function tokenAfter(page: unknown[]): string | undefined {
	if (page.length < PAGE_SIZE) return undefined;
	const oldest = Math.min(...page.map((message) => Number(at(message, 'timestamp'))));
	const last = page.filter((message) => Number(at(message, 'timestamp')) <= oldest + 1);
	const seen = last.map((message) => textAt(message, 'body', 'mid'));
	return JSON.stringify({ before: oldest + 1, seen });
}

function readToken(token: string | undefined): Token {
	const value: unknown = token ? JSON.parse(token) : {};
	const before = at(value, 'before');
	return {
		before: typeof before === 'number' ? before : undefined,
		seen: listAt(value, 'seen').map(String),
	};
}

/** Time, sender and the beginning of the text; without a text, what is attached. */
function entryOf(message: unknown, timezone: string): INodeListSearchItems {
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
