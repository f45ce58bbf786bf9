import { listAt } from '../../service/read';
import {
	collectByIds,
	collectHistory,
	MESSAGE_BOUNDS,
	spanOf,
	timeOption,
	type GetPage,
} from '../../form/history';
import { optionsField, OPTIONS, showWhen } from '../../form/options';
import { pagingFields, wantedCount } from '../../form/paging';
import { chatIdField } from '../../form/recipient';
import { outputFields, shown, simpleMessage } from '../../form/simplify';
import type { RunOperation } from '../operation';

const SOURCE = 'get_by';

const ofChat = { [`/${SOURCE}`]: ['chat'] };

/** GET /messages */
export const operation: RunOperation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many messages',
	description: 'Retrieve a list of messages, of a chat or by their IDs, newest first',
	fields: [
		{
			displayName: 'Get By',
			name: SOURCE,
			type: 'options',
			options: [
				{ name: 'Chat', value: 'chat', description: 'The newest messages of a chat' },
				{ name: 'Message IDs', value: 'message_ids', description: 'Messages with known IDs' },
			],
			default: 'chat',
		},
		...showWhen({ [SOURCE]: ['chat'] }, [chatIdField, ...pagingFields]),
		...showWhen({ [SOURCE]: ['message_ids'] }, [
			{
				displayName: 'Message IDs',
				name: 'message_ids',
				type: 'string',
				required: true,
				default: '',
				placeholder: 'e.g. mid.ffffbf3668e29b35019f9a4d46a01f01',
				description:
					'Comma-separated list of IDs, or an array of them by an expression, as many as you like. Messages that do not exist are left out.',
			},
		]),
		...outputFields(simpleMessage),
		optionsField(
			showWhen(ofChat, [
				timeOption('After', 'after', 'Only messages of this time or later'),
				timeOption('Before', 'before', 'Only messages of this time or earlier'),
			]),
		),
	],
	run: async ({ form, service, context }) => {
		const getPage: GetPage = async (query) =>
			listAt(await service.request({ method: 'GET', path: '/messages', query }), 'messages');
		const messages =
			form.choice(SOURCE, ['chat', 'message_ids']) === 'message_ids'
				? await collectByIds(form, 'message_ids', getPage)
				: await collectHistory(
						wantedCount(form),
						MESSAGE_BOUNDS,
						spanOf(form.part(OPTIONS), context.getTimezone()),
						async (query) => getPage({ chat_id: form.id('chat_id'), ...query }),
					);
		return messages.map((message) => ({ json: shown(form, message, simpleMessage) }));
	},
};
