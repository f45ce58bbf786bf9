import type { INodeProperties } from 'n8n-workflow';
import { splitText } from '../text/split';
import type { Form } from './form';

const SPLIT = 'split_long_text';

/** The format that the service does not know by a name: a text without marks. */
const PLAIN = 'plain';

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

/** How the text is marked up; stands beside the text. */
export const formatField: INodeProperties = {
	displayName: 'Format',
	name: 'format',
	type: 'options',
	options: [
		{ name: 'HTML', value: 'html', description: 'Tags such as &lt;b&gt; and &lt;a href&gt;' },
		{ name: 'Markdown', value: 'markdown', description: 'Marks such as **bold** and _italic_' },
		{ name: 'Plain Text', value: PLAIN, description: 'The text is shown as it is' },
	],
	default: PLAIN,
	description: "How marks in 'Text' are read",
};

/** Whether people get a push notification of a message. */
export const pushOption: INodeProperties = {
	displayName: 'Notify',
	name: 'notify',
	type: 'boolean',
	default: true,
	description: 'Whether people get a push notification. In channels it has to stay on.',
};

export const disableLinkPreviewOption: INodeProperties = {
	displayName: 'Disable Link Preview',
	name: 'disable_link_preview',
	type: 'boolean',
	default: true,
	description: "Whether to show links in 'Text' without a preview of their pages",
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
			? "Shorten it, or switch on 'Split Long Text' in 'Options' to send it as several messages."
			: 'Shorten it.',
	);
}

/** The texts of the messages that a form makes: one, or several where a long text is to be split. */
export function messageTexts(form: Form, options: Form): Array<string | undefined> {
	if (!options.flag(SPLIT)) return [messageText(form, true)];
	const format = formatOf(form);
	const isMarkedUp = format === 'markdown' || format === 'html';
	const parts = splitText(form.text('text'), TEXT_LIMIT, isMarkedUp ? format : undefined);
	return parts.map((part) => part || undefined);
}

/** The format chosen for a text, `undefined` for plain text. */
export function formatOf(form: Form): string | undefined {
	const format = form.text('format');
	return format === PLAIN ? undefined : format || undefined;
}
