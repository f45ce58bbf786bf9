import { commentField, messagePath, postIdField } from '../../form/target';
import type { RequestOperation } from '../operation';

/** DELETE /messages/{messageId}/comments */
export const operation: RequestOperation = {
	value: 'delete',
	name: 'Delete',
	action: 'Delete comment',
	description: 'Delete a comment on a channel post',
	fields: [postIdField, commentField],
	request: (form) => ({
		method: 'DELETE',
		twice: 'gone',
		path: messagePath(form, '/comments'),
		query: { comment_id: form.requiredText('comment_id') },
	}),
};
