import type { RequestOperation } from '../operation';

/** GET /me */
export const operation: RequestOperation = {
	value: 'get',
	name: 'Get',
	action: 'Get bot',
	description: 'Retrieve name, ID and commands of the bot that the access token belongs to',
	fields: [],
	request: () => ({ method: 'GET', path: '/me' }),
};
