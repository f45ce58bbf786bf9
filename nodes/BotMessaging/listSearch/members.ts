import type { INodeListSearchItems, INodeListSearchResult } from 'n8n-workflow';
import { markerOf, PAGE_SIZE } from '../form/paging';
import { chatPath } from '../form/recipient';
import { listAt, nameOf, textAt } from '../service/read';
import { firstFitting, listSearch, type Search } from './search';

/** Members of the chat of Chat ID. */
export const searchMembers = listSearch((search) => searchIn(search, '/members'));

/** Administrators of the chat of Chat ID. */
export const searchAdministrators = listSearch((search) => searchIn(search, '/members/admins'));

async function searchIn(search: Search, below: string): Promise<INodeListSearchResult> {
	const path = chatPath(search.form, below);
	return await firstFitting(search, async (marker) => {
		const query = { count: PAGE_SIZE, marker };
		const answer = await search.service.request({ method: 'GET', path, query });
		const next = markerOf(answer);
		return {
			results: listAt(answer, 'members').map(entryOf),
			paginationToken: next === undefined ? undefined : String(next),
		};
	});
}

function entryOf(member: unknown): INodeListSearchItems {
	const id = textAt(member, 'user_id') ?? '';
	const username = textAt(member, 'username');
	const name = nameOf(member) ?? id;
	return { name: username ? `${name} (@${username})` : name, value: id };
}
