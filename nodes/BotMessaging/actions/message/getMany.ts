import { listAt } from '../../service/read';
import type { Form } from '../../form/form';
import { collectByIds, collectHistory, type Bounds, type GetPage } from '../../form/history';
import { optionsField, OPTIONS, showWhen } from '../../form/options';
import { pagingFields, wantedCount } from '../../form/paging';
import { chatIdField } from '../../form/recipient';
import { shown, simpleMessage, simplifyField } from '../../form/simplify';
import { timeOf, timeOption } from '../../form/time';
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
		simplifyField,
		optionsField(
			showWhen(ofChat, [
				timeOption('After', 'after', 'Only messages of this time or later'),
				timeOption('Before', 'before', 'Only messages of this time or earlier'),
				timeOption('From', 'from', 'Older name of Before: the later end of the time span'),
				timeOption('To', 'to', 'Older name of After: the earlier end of the time span'),
			]),
		),
	],
	run: async ({ form, service, context }) => {
		const getPage: GetPage = async (query) =>
			listAt(await service.request({ method: 'GET', path: '/messages', query }), 'messages');
		const messages =
			form.text(SOURCE) === 'message_ids'
				? await collectByIds(form, 'message_ids', getPage)
				: await chatHistory(form, context.getTimezone(), getPage);
		return messages.map((message) => ({ json: shown(form, message, simpleMessage) }));
	},
};

async function chatHistory(form: Form, timezone: string, getPage: GetPage): Promise<unknown[]> {
	const chat_id = form.id('chat_id');
	const bounds = boundsOf(form.part(OPTIONS), timezone);
	return await collectHistory(wantedCount(form), bounds, async (query) =>
		getPage({ chat_id, ...query }),
	);
}

/** The time span; the older names stay with each other, so that a service that knows one pair gets that pair. */
function boundsOf(options: Form, timezone: string): Bounds {
	const time = (name: string): number | undefined => timeOf(options, name, timezone);
	const [before, after, from, to] = [time('before'), time('after'), time('from'), time('to')];
	const older = from !== undefined || to !== undefined;
	if (older && (before !== undefined || after !== undefined)) {
		options.refuse(
			from === undefined ? 'to' : 'from',
			'cannot be combined with Before and After',
			'Both pairs say the same. Keep Before and After.',
		);
	}
	return older
		? { latest: 'from', earliest: 'to', until: from, since: to }
		: { latest: 'before', earliest: 'after', until: before, since: after };
}
