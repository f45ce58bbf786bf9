import { listAt } from '../../service/read';
import {
	chunks,
	collectMembers,
	distinct,
	getByFields,
	isByIds,
	pagingFields,
	wantedCount,
} from '../../form/paging';
import { choice } from '../../form/fields';
import { chatIdField, chatPath, userIdsField } from '../../form/target';
import { outputFields, outputOf, simpleMember } from '../../form/simplify';
import type { Call } from '../../form/call';
import type { RunOperation } from '../operation';

const MEMBERS = {
	place: choice('Chat', 'chat', 'The members of the chat'),
	ids: userIdsField('Who is not a member is left out.'),
	known: 'Those of the given users who are members',
};

/** GET /chats/{chatId}/members */
export const operation: RunOperation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many members',
	description: 'Retrieve a list of members of a chat or channel',
	fields: [chatIdField, ...getByFields(MEMBERS, pagingFields), ...outputFields(simpleMember)],
	run: async (call) => {
		const { form, service } = call;
		const members = isByIds(form, MEMBERS)
			? await byIds(call)
			: await collectMembers(service, chatPath(form, '/members'), wantedCount(form));
		return members.map((member) => ({ json: outputOf(form, member, simpleMember) }));
	},
};

async function byIds({ form, service }: Call): Promise<unknown[]> {
	const path = chatPath(form, '/members');
	const ids = distinct(form, 'user_ids', form.ids('user_ids'));
	const members: unknown[] = [];
	for (const user_ids of chunks(ids)) {
		const answer = await service.request({ method: 'GET', path, query: { user_ids } });
		members.push(...listAt(answer, 'members'));
	}
	return members;
}
