import { chatIdField, chatPath } from '../../form/target';
import { outputFields, outputOf, simpleMember } from '../../form/simplify';
import type { RequestOperation } from '../operation';

/** GET /chats/{chatId}/members/me */
export const operation: RequestOperation = {
	value: 'getOwnMembership',
	name: 'Get Own Membership',
	action: 'Get own membership of chat',
	description: 'Retrieve the role and the rights of the bot in a chat or channel',
	fields: [chatIdField, ...outputFields(simpleMember)],
	request: (form) => ({ method: 'GET', path: chatPath(form, '/members/me') }),
	output: (answer, form) => outputOf(form, answer, simpleMember),
};
