import { commentBody, commentOptions, commentTextFields } from '../../form/message/content';
import { chatRateOption } from '../../form/delivery';
import { chatKeyOfMessage, commentField, messagePath, postIdField } from '../../form/target';
import type { RequestOperation } from '../operation';

/** PUT /messages/{messageId}/comments */
export const operation: RequestOperation = {
	value: 'edit',
	name: 'Edit',
	action: 'Edit comment',
	description: 'Replace the text of a comment that the bot wrote in the last 26 hours',
	fields: [postIdField, commentField, ...commentTextFields],
	options: commentOptions,
	delivery: [chatRateOption],
	lane: (form) => form.requiredText('comment_id'),
	request: (form) => ({
		method: 'PUT',
		twice: 'same',
		path: messagePath(form, '/comments'),
		query: { comment_id: form.requiredText('comment_id') },
		body: commentBody(form),
		chat: chatKeyOfMessage(form.requiredText('message_id')),
	}),
	// Named as in other outputs of comments.
	output: (answer, form) => ({
		...answer,
		message_id: form.requiredText('comment_id'),
		post_id: form.requiredText('message_id'),
	}),
};
