import { asObject } from '../../service/read';
import { collectSubscriptions, pagingFields, wantedCount } from '../../form/paging';
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
		const subscriptions = await collectSubscriptions(service);
		return subscriptions.slice(0, wanted).map((each) => ({ json: asObject(each) }));
	},
};
