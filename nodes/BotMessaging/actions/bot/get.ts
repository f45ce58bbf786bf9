import type { RequestOperation } from '../operation';

/** GET /me */
export const operation: RequestOperation = {
	value: 'get',
	name: 'Get',
	action: 'Get the bot',
	description: 'Get name, ID and commands of the bot that the access token belongs to',
	fields: [],
	request: () => ({ method: 'GET', path: '/me' }),
};
