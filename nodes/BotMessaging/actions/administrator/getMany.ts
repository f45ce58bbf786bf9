import { listAt } from '../../service/read';
import { pagingFields, wantedCount } from '../../form/paging';
import { chatIdField, chatPath } from '../../form/target';
import { outputFields, shown, simpleMember } from '../../form/simplify';
import type { RunOperation } from '../operation';

/** GET /chats/{chatId}/members/admins */
export const operation: RunOperation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many administrators',
	description: 'Retrieve a list of administrators of a chat or channel, with their rights',
	fields: [chatIdField, ...pagingFields, ...outputFields(simpleMember)],
	run: async ({ form, service }) => {
		const path = chatPath(form, '/members/admins');
		const wanted = wantedCount(form);
		// They come all at once: the request knows neither count nor marker (wire 5.3).
		const administrators = listAt(await service.request({ method: 'GET', path }), 'members');
		return administrators
			.slice(0, wanted)
			.map((member) => ({ json: shown(form, member, simpleMember) }));
	},
};
