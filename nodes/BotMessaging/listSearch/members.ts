import type { INodeListSearchItems } from 'n8n-workflow';
import { markerOf, PAGE_SIZE } from '../form/paging';
import { chatPath } from '../form/target';
import { listAt, nameOf, textAt } from '../service/read';
import { firstFitting, listSearch } from './search';

/** Members of the chat of Chat ID. */
export const searchMembers = listSearch(async (search) => {
	const path = chatPath(search.form, '/members');
	return await firstFitting(search, async ({ next: marker, seen }) => {
		const query = { count: PAGE_SIZE, marker };
		const answer = await search.service.request({ method: 'GET', path, query });
		const results = listAt(answer, 'members').map(entryOf);
		const ids = results.map(({ value }) => String(value));
		// A service that does not know the marker would give this page for ever.
		if (ids.every((id) => seen.includes(id))) return { results: [] };
		const next = markerOf(answer);
		return { results, end: next === undefined ? undefined : { next, seen: ids } };
	});
});

/** Administrators of the chat of Chat ID; they come all at once. */
export const searchAdministrators = listSearch(async ({ form, service, fits }) => {
	const answer = await service.request({ method: 'GET', path: chatPath(form, '/members/admins') });
	return {
		results: listAt(answer, 'members')
			.map(entryOf)
			.filter(({ name }) => fits(name)),
	};
});

function entryOf(member: unknown): INodeListSearchItems {
	const id = textAt(member, 'user_id') ?? '';
	const username = textAt(member, 'username');
	const name = nameOf(member) ?? id;
	return { name: username ? `${name} (@${username})` : name, value: id };
}
