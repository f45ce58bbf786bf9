import type { INodeProperties } from 'n8n-workflow';
import type { ExactJson } from '../service/json';
import type { Form } from './form';
import { formatField, messageText, textField } from './content';
import { OPTIONS } from './options';

/** The text of a comment; a comment has neither attachments nor links (wire 5.6). */
export const commentTextFields: INodeProperties[] = [
	{
		...textField,
		required: true,
		placeholder: 'e.g. Thank you!',
		description: 'Text of the comment, without links and mentions',
	},
	formatField,
];

/** Options of a comment that is written or edited. */
export const commentOptions: INodeProperties[] = [
	{
		displayName: 'Reply to Comment ID',
		name: 'reply_to_comment_id',
		type: 'string',
		default: '',
		placeholder: 'e.g. mid.ffffbe8431937ebf019f9a4e310077c2',
		description: 'ID of the comment on the same post that this one answers',
	},
];

/** The body of a comment from its form; what is not filled in is left out. */
export function commentBody(form: Form): { [key: string]: ExactJson } {
	const options = form.part(OPTIONS);
	const reply = options.text('reply_to_comment_id').trim();
	return {
		text: '',
		...messageText(form),
		link: reply ? { type: 'reply', mid: reply } : undefined,
	};
}
