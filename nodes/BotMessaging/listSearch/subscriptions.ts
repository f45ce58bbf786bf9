import { listAt, textAt } from '../service/read';
import { listSearch } from './search';

/** Subscriptions of the bot, by the addresses that the service calls. */
export const searchSubscriptions = listSearch(async ({ service, fits }) => {
	const answer = await service.request({ method: 'GET', path: '/subscriptions' });
	const urls = listAt(answer, 'subscriptions').map((each) => textAt(each, 'url') ?? '');
	return { results: urls.filter(fits).map((url) => ({ name: url, value: url })) };
});
