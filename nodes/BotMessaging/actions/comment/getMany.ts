import { collectAsked, COMMENT_BOUNDS, messageIdsField, timeOptions } from '../../form/history';
import { messagePath, postIdField } from '../../form/target';
import { choice } from '../../form/fields';
import { getByFields, pagingFields } from '../../form/paging';
import { outputFields, outputOf, simpleComment } from '../../form/simplify';
import type { RunOperation } from '../operation';

const COMMENTS = {
	place: choice('Post', 'post', 'The newest comments on the post'),
	ids: messageIdsField('Comment IDs', 'comment_ids', 'e.g. mid.ffffbe8431937ebf019f9a4e310077c2'),
	known: 'Comments with known IDs',
	bounds: COMMENT_BOUNDS,
};

/** GET /messages/{messageId}/comments */
export const operation: RunOperation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many comments',
	description: 'Retrieve a list of comments on a channel post, newest first',
	fields: [postIdField, ...getByFields(COMMENTS, pagingFields), ...outputFields(simpleComment)],
	options: timeOptions('comments', COMMENTS),
	run: async (call) => {
		const { form } = call;
		const comments = await collectAsked(call, COMMENTS, messagePath(form, '/comments'));
		return comments.map((comment) => ({ json: outputOf(form, comment, simpleComment) }));
	},
};
