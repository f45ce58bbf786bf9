import type { INodeProperties } from 'n8n-workflow';
import { choice, menuField, stringField, switchField, choiceOf } from '../fields';
import { FormattedText, type TextFormat } from '../../text/format';
import type { TextPart } from '../../text/rich';
import type { Form } from '../form';
import type { JsonObject } from '../../service/json';
import { TEXT_LIMIT } from '../../service/limits';

const SPLIT = 'split_long_text';

/** Plain text, the one format that the service has no name for. */
export const PLAIN = 'plain';

export const textField = stringField('Text', 'text', {
	typeOptions: { rows: 4 },
	placeholder: 'e.g. Your order is ready',
	description: `Text of the message, up to ${TEXT_LIMIT} characters`,
});

export const formatField = menuField(
	'Format',
	'format',
	{ default: PLAIN, description: 'How marks in the text are read' },
	[
		choice(
			'HTML',
			'html',
			'Tags that the service knows, such as &lt;b&gt; and &lt;a href&gt;, sent as they are',
		),
		choice(
			'Markdown',
			'markdown',
			'As people and language models write it: headings, lists, tables, code, **bold**, links',
		),
		choice('Plain Text', PLAIN, 'The text is shown as it is'),
		choice(
			'Service Markdown',
			'service_markdown',
			'Only the marks that the service knows, such as ++underlined++, sent as they are',
		),
	],
);

export const pushOption = switchField('Notify', 'notify', {
	default: true,
	description: 'Whether people get a push notification. In channels it has to stay on.',
});

export const disableLinkPreviewOption = switchField(
	'Disable Link Preview',
	'disable_link_preview',
	{
		default: true,
		description: 'Whether to show links in the text without a preview of their pages',
	},
);

export const splitOption = switchField('Split Long Text', SPLIT, {
	default: true,
	description: `Whether to send a text of more than ${TEXT_LIMIT} characters as several messages, between paragraphs, lines or words. Attachments and keyboard go with the last one.`,
});

/** The chosen format of a text; `undefined` for plain text. */
export function formatOf(form: Form): TextFormat | undefined {
	// Like the service, takes upper case as well: HTML (wire 3.5).
	const written = choiceOf(formatField.options, form.text('format').toLowerCase());
	const format = written ?? form.choice(formatField);
	return format === PLAIN ? undefined : format;
}

const refuseBlank = (form: Form, field: string): never =>
	form.refuse(
		field,
		'shows nothing',
		'It has only marks or blanks, and a message needs something that people can see.',
	);

/** Text and format for a body; empty if no text is given. Refuses mere marks, and a text that is too long. */
export function messageText(form: Form, field = 'text', splittable = false): Partial<TextPart> {
	const source = form.text(field);
	if (source === '') return {};
	const format = formatOf(form);
	const text = new FormattedText(source, format);
	if (format && text.isBlank) refuseBlank(form, field);
	const whole = text.whole(TEXT_LIMIT);
	// A text has at most as many characters as code units, so shorter ones need no count.
	const length = whole.text.length > TEXT_LIMIT ? [...whole.text].length : 0;
	if (length <= TEXT_LIMIT) return whole;
	return form.refuse(
		field,
		`has ${length} characters, and a message can have ${TEXT_LIMIT}`,
		splittable
			? "Shorten it, or switch on 'Split Long Text' in 'Options' to send it as several messages."
			: 'Shorten it.',
	);
}

/** The text as people see it, without its marks. */
export const visibleText = (form: Form, field: string): string =>
	new FormattedText(form.text(field), formatOf(form)).visible;

/** The texts of the messages that a form makes: one, or several if a long text is to be split. */
export function messageTexts(form: Form): Array<Partial<TextPart>> {
	const source = form.text('text');
	const isSplit = form.options.flag(SPLIT);
	if (source === '' || !isSplit) return [messageText(form, 'text', true)];
	const text = new FormattedText(source, formatOf(form));
	return text.isBlank ? refuseBlank(form, 'text') : text.parts(TEXT_LIMIT);
}

/** The text of a comment; comments have neither attachments nor links (wire 5.6). */
export const commentTextFields: INodeProperties[] = [
	{
		...textField,
		required: true,
		placeholder: 'e.g. Thank you!',
		description: 'Text of the comment, without links and mentions',
	},
	formatField,
];

export const commentOptions: INodeProperties[] = [
	stringField('Reply to Comment ID', 'reply_to_comment_id', {
		placeholder: 'e.g. mid.ffffbe8431937ebf019f9a4e310077c2',
		description: 'ID of the comment on the same post that this one answers: its message_id',
	}),
];

/** The body of a comment from its form; a blank text is refused. */
export function commentBody(form: Form): JsonObject {
	const reply = form.options.text('reply_to_comment_id').trim();
	// A comment holds nothing else that people could see.
	form.requiredText('text');
	return {
		...messageText(form),
		link: reply ? { type: 'reply', mid: reply } : undefined,
	};
}
