import { asObject, listAt } from '../../service/read';
import { pagingFields, wantedCount } from '../../form/paging';
import type { RequestOperation } from '../operation';

/** GET /subscriptions */
export const operation: RequestOperation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many subscriptions',
	description: 'Retrieve a list of subscriptions: the addresses that events are sent to',
	fields: pagingFields,
	request: () => ({ method: 'GET', path: '/subscriptions' }),
	output: (answer, form) =>
		listAt(answer, 'subscriptions').slice(0, wantedCount(form)).map(asObject),
};
