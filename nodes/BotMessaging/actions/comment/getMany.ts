import { collectAsked, COMMENT_BOUNDS, messageIdsField, timeOptions } from '../../form/history';
import { messagePath, postIdField } from '../../form/target';
import { optionsField } from '../../form/fields';
import { getByFields, pagingFields } from '../../form/paging';
import { outputFields, shown, simpleComment } from '../../form/simplify';
import type { RunOperation } from '../operation';

const COMMENTS = { place: 'post', ids: 'comment_ids', bounds: COMMENT_BOUNDS };

/** GET /messages/{messageId}/comments */
export const operation: RunOperation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many comments',
	description: 'Retrieve a list of comments on a channel post, newest first',
	fields: [
		postIdField,
		...getByFields(
			{ name: 'Post', value: COMMENTS.place, description: 'The newest comments on the post' },
			pagingFields,
			'Comments with known IDs',
			messageIdsField('Comment IDs', COMMENTS.ids, 'e.g. mid.ffffbe8431937ebf019f9a4e310077c2'),
		),
		...outputFields(simpleComment),
		optionsField(timeOptions('comments', COMMENTS.place)),
	],
	run: async (call) => {
		const { form } = call;
		const comments = await collectAsked(call, COMMENTS, messagePath(form, '/comments'));
		return comments.map((comment) => ({ json: shown(form, comment, simpleComment) }));
	},
};
