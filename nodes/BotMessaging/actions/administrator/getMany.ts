import { collectAdministrators, pagingFields, wantedCount } from '../../form/paging';
import { chatIdField } from '../../form/target';
import { outputFields, outputOf, simpleMember } from '../../form/simplify';
import type { RunOperation } from '../operation';

/** GET /chats/{chatId}/members/admins */
export const operation: RunOperation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many administrators',
	description: 'Retrieve a list of administrators of a chat or channel, with their rights',
	fields: [chatIdField, ...pagingFields, ...outputFields(simpleMember)],
	run: async ({ form, service }) => {
		const administrators = await collectAdministrators(form, service, wantedCount(form));
		return administrators.map((member) => ({ json: outputOf(form, member, simpleMember) }));
	},
};
