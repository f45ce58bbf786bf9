import {
	collectByIds,
	collectHistory,
	COMMENT_BOUNDS,
	spanOf,
	timeOption,
	type GetPage,
} from '../../form/history';
import { messagePath, postIdField } from '../../form/messageId';
import { optionsField, OPTIONS, showWhen } from '../../form/options';
import { pagingFields, wantedCount } from '../../form/paging';
import { outputFields, shown, simpleComment } from '../../form/simplify';
import { listAt } from '../../service/read';
import type { RunOperation } from '../operation';

const SOURCE = 'get_by';
const ofPost = { [`/${SOURCE}`]: ['post'] };

/** GET /messages/{messageId}/comments */
export const operation: RunOperation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many comments',
	description: 'Retrieve a list of comments on a channel post, newest first',
	fields: [
		postIdField,
		{
			displayName: 'Get By',
			name: SOURCE,
			type: 'options',
			options: [
				{ name: 'Comment IDs', value: 'comment_ids', description: 'Comments with known IDs' },
				{ name: 'Post', value: 'post', description: 'The newest comments on the post' },
			],
			default: 'post',
		},
		...showWhen({ [SOURCE]: ['post'] }, pagingFields),
		...showWhen({ [SOURCE]: ['comment_ids'] }, [
			{
				displayName: 'Comment IDs',
				name: 'comment_ids',
				type: 'string',
				required: true,
				default: '',
				placeholder: 'e.g. mid.ffffbe8431937ebf019f9a4e310077c2',
				description:
					'Comma-separated list of IDs, or an array of them by an expression, as many as you like',
			},
		]),
		...outputFields(simpleComment),
		optionsField(
			showWhen(ofPost, [
				timeOption('After', 'after', 'Only comments of this time or later'),
				timeOption('Before', 'before', 'Only comments of this time or earlier'),
			]),
		),
	],
	run: async ({ form, service, context }) => {
		const path = messagePath(form, '/comments');
		const getPage: GetPage = async (query) =>
			listAt(await service.request({ method: 'GET', path, query }), 'messages');
		const comments =
			form.choice(SOURCE, ['post', 'comment_ids']) === 'comment_ids'
				? await collectByIds(form, 'comment_ids', getPage)
				: await collectHistory(
						wantedCount(form),
						COMMENT_BOUNDS,
						spanOf(form.part(OPTIONS), context.getTimezone()),
						getPage,
					);
		return comments.map((comment) => ({ json: shown(form, comment, simpleComment) }));
	},
};
