import { textAt } from '../../service/read';
import type { RequestOperation } from '../operation';

/** GET /me */
export const operation: RequestOperation = {
	value: 'get',
	name: 'Get',
	action: 'Get bot',
	description: 'Retrieve name, ID and commands of the bot that the access token belongs to',
	fields: [],
	request: () => ({ method: 'GET', path: '/me' }),
	// Text, as in the simplified output of other operations: n8n's filters do not take a number for an equal text.
	output: (me) => ({ ...me, user_id: textAt(me, 'user_id') }),
};
