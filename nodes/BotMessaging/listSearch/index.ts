import { searchAdministrators, searchMembers } from './members';
import { searchComments, searchMessages } from './messages';
import { listAt, textAt } from '../service/read';
import { listSearch } from './search';

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
