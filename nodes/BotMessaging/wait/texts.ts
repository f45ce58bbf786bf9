import { collectionField, sortedByLabel, stringField } from '../form/fields';
import type { Form } from '../form/form';
import { entryOf } from '../service/read';

/** All texts that people read besides the message itself. They can be replaced, for example to translate them. */
export const DEFAULT_TEXTS = {
	approved: '✅ Approved by {name}',
	declined: '🚫 Declined by {name}',
	answered: '✅ {answer} ({name})',
	nobody: 'someone with the link',
	notAllowed: 'You are not allowed to answer this request.',
	late: 'This request no longer needs an answer.',
	howToLabel: 'How to answer',
	howTo: 'Reply to this message to answer.',
	thanksTitle: 'Got it, thanks',
	thanks: 'Your answer was passed on. This page can be closed now.',
	lateTitle: 'No answer needed',
	browserTitle: 'Answer requested',
	browser: 'Open this link in a browser to answer.',
	missingTitle: 'Something is missing',
	missing: 'Go back and fill in: {fields}',
	response: 'Response',
};

/** What people read when n8n cannot take an answer, for example while its database fails. */
export const NOT_NOW = 'The answer could not be taken at the moment. Please try again later.';

export type Texts = typeof DEFAULT_TEXTS;

/** The label and the description of the field for each text. */
const FIELDS: Record<keyof Texts, [label: string, description: string]> = {
	approved: [
		'Approved',
		"Shown in the message after the answer, in its format; '{name}' is replaced by the name of the person",
	],
	declined: ['Declined', "Shown like 'Approved'"],
	answered: [
		'Answered',
		"Shown like 'Approved' after a choice, a text or a form; '{answer}' is replaced by the answer",
	],
	nobody: [
		'Name for Web Answers',
		'Used in place of a name, because anyone who has the link can answer on a page',
	],
	notAllowed: ['Not Allowed', 'Shown to a person who presses a button but may not answer'],
	late: ['Already Answered', 'Shown to a person who answers too late; about 150 characters fit'],
	howToLabel: [
		'How to Answer Label',
		'Label of the button below a question that is answered by writing',
	],
	howTo: [
		'How to Answer',
		'Shown to a person who presses the button below a question that is answered by writing',
	],
	thanksTitle: ['Thanks Title', 'Title of the page after the answer'],
	thanks: ['Thanks', 'Text of the page after the answer'],
	lateTitle: [
		'Already Answered Title',
		'Title of the page for late answers while the execution waits for another one; otherwise n8n shows a page of its own',
	],
	browserTitle: ['Browser Title', 'Title of the page for programs that open links'],
	browser: ['Browser', 'Text of the page for programs that open links'],
	missingTitle: ['Missing Title', 'Title of the page for an incomplete form'],
	missing: [
		'Missing',
		"Text of the page for an incomplete form; '{fields}' is replaced by the labels of the missing fields",
	],
	response: ['Response Label', 'Label of the field of a page for a free text'],
};

const NAME = 'texts';

export const textsField = collectionField('Texts', NAME, {
	placeholder: 'Add text',
	description: 'What people read besides the message, for example in another language',
	options: sortedByLabel(
		Object.entries(FIELDS).map(([name, [label, description]]) =>
			stringField(label, name, { default: entryOf(DEFAULT_TEXTS, name), description }),
		),
	),
});

/** The texts from the form; empty ones are the defaults. */
export function textsOf(form: Form): Texts {
	const given = form.part(NAME);
	const filled: Record<string, string> = {};
	for (const name of Object.keys(FIELDS)) {
		const text = given.text(name).trim();
		if (text) filled[name] = text;
	}
	return { ...DEFAULT_TEXTS, ...filled };
}

/** Replaces names in braces, such as `{name}`, by their values. Unknown names stay as they are. */
export const fillIn = (template: string, values: Record<string, string>): string =>
	template.replace(/\{(\w+)\}/g, (place, name: string) => entryOf(values, name) ?? place);
