import { asObject, listAt } from '../../service/read';
import { pagingFields, wantedCount } from '../../form/paging';
import type { RunOperation } from '../operation';

/** GET /subscriptions */
export const operation: RunOperation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many subscriptions',
	description: 'Retrieve a list of subscriptions: the addresses that events are sent to',
	fields: pagingFields,
	run: async ({ form, service }) => {
		const wanted = wantedCount(form);
		const answer = await service.request({ method: 'GET', path: '/subscriptions' });
		return listAt(answer, 'subscriptions')
			.slice(0, wanted)
			.map((subscription) => ({ json: asObject(subscription) }));
	},
};
