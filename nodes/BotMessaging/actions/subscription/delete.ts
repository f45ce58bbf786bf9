import { subscriptionField } from '../../form/target';
import type { RequestOperation } from '../operation';

/** DELETE /subscriptions */
export const operation: RequestOperation = {
	value: 'delete',
	name: 'Delete',
	action: 'Delete subscription',
	description: 'Stop sending events to an address',
	fields: [subscriptionField],
	request: (form) => ({
		method: 'DELETE',
		twice: 'gone',
		path: '/subscriptions',
		query: { url: form.requiredText('subscription') },
	}),
};
