import type { INodeProperties } from 'n8n-workflow';
import type { ExactJson } from '../service/json';
import { splitText } from '../text/split';
import type { Form } from './form';

const SPLIT = 'split_long_text';

/** The text of a message. */
export const textField: INodeProperties = {
	displayName: 'Text',
	name: 'text',
	type: 'string',
	typeOptions: { rows: 4 },
	default: '',
	placeholder: 'e.g. Your order is ready',
	description: 'Text of the message, up to 4000 characters',
};

/** How the text is marked up. */
export const formatOption: INodeProperties = {
	displayName: 'Format',
	name: 'format',
	type: 'options',
	options: [
		{ name: 'HTML', value: 'html', description: 'Tags such as &lt;b&gt; and &lt;a href&gt;' },
		{ name: 'Markdown', value: 'markdown', description: 'Marks such as **bold** and _italic_' },
	],
	default: 'markdown',
	description: 'How marks in Text are read. Without this option the text is shown as it is.',
};

/** Options of every message that is sent or replaced. */
export const contentOptions: INodeProperties[] = [
	formatOption,
	{
		displayName: 'Notify',
		name: 'notify',
		type: 'boolean',
		default: true,
		description: 'Whether people get a push notification. In channels it has to stay on.',
	},
];

/** A link to a message: as a reply to it, or forwarding it. */
export const linkOptions: INodeProperties[] = [
	{
		displayName: 'Forward Message ID',
		name: 'forward_message_id',
		type: 'string',
		default: '',
		placeholder: 'e.g. mid.ffffbf3668e29b35019f9a4d46a01f01',
		description: 'ID of a message to forward. Text may then stay empty.',
	},
	{
		displayName: 'Reply to Message ID',
		name: 'reply_to_message_id',
		type: 'string',
		default: '',
		placeholder: 'e.g. mid.ffffbf3668e29b35019f9a4d46a01f01',
		description: 'ID of the message that this one answers',
	},
];

export const disableLinkPreviewOption: INodeProperties = {
	displayName: 'Disable Link Preview',
	name: 'disable_link_preview',
	type: 'boolean',
	default: true,
	description: 'Whether to show links in Text without a preview of their pages',
};

/** Most characters of one message (interface: Limits). */
const TEXT_LIMIT = 4000;

/** Sends a long text as several messages. */
export const splitOption: INodeProperties = {
	displayName: 'Split Long Text',
	name: SPLIT,
	type: 'boolean',
	default: true,
	description:
		'Whether to send a text of more than 4000 characters as several messages, between paragraphs, lines or words. Attachments and keyboard go with the last one.',
};

/**
 * The text of a message; `undefined` when none is filled in.
 *
 * @throws NodeOperationError for more than 4000 characters, however they are counted: as code points
 */
export function messageText(form: Form, splittable = false): string | undefined {
	const text = form.text('text');
	// Only a text of this many code units can have as many characters.
	const length = text.length > TEXT_LIMIT ? [...text].length : 0;
	if (length <= TEXT_LIMIT) return text || undefined;
	return form.refuse(
		'text',
		`has ${length} characters, and a message can have ${TEXT_LIMIT}`,
		splittable
			? 'Shorten it, or switch on Split Long Text in Options to send it as several messages.'
			: 'Shorten it.',
	);
}

/** The texts of the messages that a form makes: one, or several where a long text is to be split. */
export function messageTexts(form: Form, options: Form): Array<string | undefined> {
	if (!options.flag(SPLIT)) return [messageText(form, true)];
	const format = options.text('format');
	const isMarkedUp = format === 'markdown' || format === 'html';
	const parts = splitText(form.text('text'), TEXT_LIMIT, isMarkedUp ? format : undefined);
	return parts.map((part) => part || undefined);
}

/** The parts of a message that are not its content (interface: NewMessageBody). */
export const messageSettings = (options: Form): { [key: string]: ExactJson } => ({
	notify: options.flag('notify'),
	format: options.has('format') ? options.text('format') : undefined,
});

/** The link of a message (interface: NewMessageLink), `undefined` without one. */
export function messageLink(options: Form): ExactJson {
	const reply = options.text('reply_to_message_id').trim();
	const forward = options.text('forward_message_id').trim();
	if (reply && forward) {
		options.refuse(
			'forward_message_id',
			'cannot be combined with Reply to Message ID',
			'A message either answers another one or forwards it. Remove one of the two options.',
		);
	}
	if (reply) return { type: 'reply', mid: reply };
	return forward ? { type: 'forward', mid: forward } : undefined;
}
