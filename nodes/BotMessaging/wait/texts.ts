import type { INodeProperties } from 'n8n-workflow';
import { compareLabels } from '../form/options';
import type { Form } from '../form/form';

const text = (label: string, value: string, description: string) => ({ label, value, description });

/** Everything that people read besides the message itself, so that a bot can speak their language. */
const TEXTS = {
	approved: text(
		'Approved',
		'✅ Approved by {name}',
		"Shown in the message after the answer; '{name}' stands for the person",
	),
	declined: text('Declined', '🚫 Declined by {name}', 'Shown in the message after the answer'),
	answered: text(
		'Answered',
		'✅ {answer} ({name})',
		"Shown in the message after a choice or a text; '{answer}' stands for it",
	),
	nobody: text(
		'Name for Answers on a Page',
		'by the link',
		'Whoever has the link can answer on a page, so no name is known',
	),
	notAllowed: text(
		'Not Allowed',
		'You are not allowed to answer this request.',
		'Told to a person who presses a button and may not answer',
	),
	late: text(
		'Already Answered',
		'This request has already been answered.',
		'Told to a person who answers too late, up to 150 characters',
	),
	howToLabel: text(
		'How to Answer Label',
		'How to answer',
		'Label of the button below a question that is answered by writing',
	),
	howTo: text(
		'How to Answer',
		'Reply to this message to answer.',
		'Told to a person who presses that button',
	),
	thanksTitle: text('Thanks Title', 'Got it, thanks', 'Title of the page after the answer'),
	thanks: text(
		'Thanks',
		'Your answer was passed on. This page can be closed now.',
		'Text of the page after the answer',
	),
	lateTitle: text(
		'Already Answered Title',
		'No answer needed',
		'Title of the page for late answers',
	),
	browserTitle: text(
		'Browser Title',
		'Answer requested',
		'Title of the page for programs that open links',
	),
	browser: text(
		'Browser',
		'Open this link in a browser to answer.',
		'Text of the page for programs that open links',
	),
	missingTitle: text(
		'Missing Title',
		'Something is missing',
		'Title of the page for an incomplete form',
	),
	missing: text(
		'Missing',
		'Go back and fill in: {fields}',
		"Text of the page for an incomplete form; '{fields}' stands for the labels",
	),
	response: text('Response Label', 'Response', 'Label of the field of a page for a free text'),
} as const;

/** The texts of one question. */
export type Texts = Record<keyof typeof TEXTS, string>;

export const DEFAULT_TEXTS = mapTexts(({ value }) => value);

const NAME = 'texts';

/** The collection of texts, sorted as menus are. */
export const textsField: INodeProperties = {
	displayName: 'Texts',
	name: NAME,
	type: 'collection',
	placeholder: 'Add text',
	default: {},
	description: 'What people read besides the message, for example in another language',
	options: Object.entries(TEXTS)
		.map(([name, { label, value, description }]): INodeProperties => ({
			displayName: label,
			name,
			type: 'string',
			default: value,
			description,
		}))
		.sort((a, b) => compareLabels(a.displayName, b.displayName)),
};

/** The texts as filled in, the others as they are by default. */
export function textsOf(form: Form): Texts {
	const given = form.part(NAME);
	return mapTexts(({ value }, name) => given.text(name).trim() || value);
}

function mapTexts(of: (entry: { value: string }, name: keyof Texts) => string): Texts {
	const names = Object.keys(TEXTS) as Array<keyof Texts>;
	return Object.fromEntries(names.map((name) => [name, of(TEXTS[name], name)])) as Texts;
}

/** Puts values at the places of their names in braces. */
export const fillIn = (template: string, values: Record<string, string>): string =>
	template.replace(/\{(\w+)\}/g, (place, name: string) =>
		Object.hasOwn(values, name) ? (values[name] ?? place) : place,
	);
