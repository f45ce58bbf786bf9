import { commentField, messagePath, postIdField, segment } from '../../form/target';
import { outputFields, outputOf, simpleComment } from '../../form/simplify';
import type { RequestOperation } from '../operation';

/** GET /messages/{messageId}/comments/{commentId} */
export const operation: RequestOperation = {
	value: 'get',
	name: 'Get',
	action: 'Get comment',
	description: 'Retrieve one comment on a channel post',
	fields: [postIdField, commentField, ...outputFields(simpleComment)],
	request: (form) => ({
		method: 'GET',
		path: messagePath(form, `/comments/${segment(form, 'comment_id')}`),
	}),
	output: (answer, form) => outputOf(form, answer, simpleComment),
};
