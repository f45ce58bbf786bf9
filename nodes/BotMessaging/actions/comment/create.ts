import { at } from '../../service/read';
import {
	commentBody,
	commentOptions,
	commentTextFields,
	disableLinkPreviewOption,
} from '../../form/message/content';
import { chatRateOption } from '../../form/delivery';
import { chatKeyOfMessage, messagePath, postIdField } from '../../form/target';
import { outputFields, outputOf, simpleComment } from '../../form/simplify';
import type { RequestOperation } from '../operation';

/** POST /messages/{messageId}/comments */
export const operation: RequestOperation = {
	value: 'create',
	name: 'Create',
	action: 'Create comment',
	description: 'Write a comment on a channel post',
	fields: [postIdField, ...commentTextFields, ...outputFields(simpleComment)],
	options: [...commentOptions, disableLinkPreviewOption],
	delivery: [chatRateOption],
	lane: (form) => form.requiredText('message_id'),
	request: (form) => ({
		method: 'POST',
		twice: 'again',
		path: messagePath(form, '/comments'),
		query: { disable_link_preview: form.options.flag('disable_link_preview') },
		body: commentBody(form),
		chat: chatKeyOfMessage(form.requiredText('message_id')),
	}),
	output: (answer, form) => outputOf(form, at(answer, 'message'), simpleComment),
};
