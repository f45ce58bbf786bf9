import type { IDataObject } from 'n8n-workflow';
import { choice, menuField, rowsField, showWhen, stringField, switchField } from '../form/fields';
import { visibleText } from '../form/message/content';
import type { Form } from '../form/form';
import { excerpt } from '../form/values';
import { at } from '../service/read';
import type { FormPage, PageField } from './page';

const FIELD_TYPES = ['checkbox', 'date', 'dropdown', 'email', 'number', 'text', 'textarea'];

const fieldTypeField = menuField(
	'Type',
	'fieldType',
	{ default: 'text' },
	FIELD_TYPES.map((type) =>
		choice(
			type.replace(/^./, (letter) => letter.toUpperCase()),
			type,
		),
	),
);

export const formFieldsField = rowsField('Form Fields', 'formFields', {
	placeholder: 'Add Field',
	options: [
		{
			displayName: 'Field',
			name: 'values',
			values: [
				stringField('Label', 'fieldLabel', {
					placeholder: 'e.g. Delivery date',
					description: 'Shown above the field; the output has the answer under this name',
				}),
				fieldTypeField,
				stringField('Choices', 'fieldOptions', {
					placeholder: 'e.g. Small, Medium, Large',
					description: 'Choices of the dropdown, separated by commas',
					displayOptions: { show: { fieldType: ['dropdown'] } },
				}),
				switchField('Required', 'requiredField', {
					description: 'Whether the person has to fill in this field',
				}),
			],
		},
	],
});

const TITLE = 'Answer requested';
const SUBMIT = 'Submit';

const pageFields = [
	stringField('Message Button Label', 'messageButtonLabel', {
		default: 'Respond',
		description: 'Label of the button that opens the page of a free text or form response',
	}),
	stringField('Form Title', 'responseFormTitle', {
		default: TITLE,
		description: 'Title of the page of a free text or form response',
	}),
	stringField('Form Description', 'responseFormDescription', {
		description: 'Text below the title; without it the message is shown',
	}),
	stringField('Form Button Label', 'responseFormButtonLabel', {
		default: SUBMIT,
		description: 'Label of the button that sends the answer',
	}),
];

/** Options of the page for free text and form responses; a free text in the chat has no page. */
export const pageOptions = [
	...showWhen({ '/responseType': ['customForm'] }, pageFields),
	...showWhen({ '/responseType': ['freeText'], '/answer_in': ['page'] }, pageFields),
];

const fieldName = (index: number): string => `field-${index}`;

/** The page with a form, or a field for a free text; `null` for other answers, where each button is a link. */
export function pageOf(form: Form, kind: string, textLabel: string): FormPage | null {
	if (kind === 'approval' || kind === 'choices') return null;
	const options = form.options;
	return {
		title: options.text('responseFormTitle') || TITLE,
		description: options.text('responseFormDescription') || visibleText(form, 'message'),
		buttonLabel: options.text('responseFormButtonLabel') || SUBMIT,
		fields:
			kind === 'freeText'
				? [{ name: fieldName(0), label: textLabel, type: 'textarea', required: true, choices: [] }]
				: customFields(form),
	};
}

/** The fields of a custom page. Refuses none at all, and two whose answers would overwrite each other. */
function customFields(form: Form): PageField[] {
	const fields = form.rows('formFields', 'values').map((row, index) => {
		const type = row.choice(fieldTypeField);
		const choices = row.texts('fieldOptions');
		if (type === 'dropdown' && choices.length === 0) row.refuseEmpty('fieldOptions');
		return {
			name: fieldName(index),
			label: row.text('fieldLabel').trim() || `Field ${index + 1}`,
			type,
			required: row.flag('requiredField') === true,
			choices,
		};
	});
	if (fields.length === 0) form.refuse('formFields', 'has no field', 'Add at least one.');
	const labels = fields.map(({ label }) => label);
	const twice = labels.find((label, index) => labels.indexOf(label) !== index);
	if (twice === undefined) return fields;
	return form.refuse(
		'formFields',
		`has two fields called ${excerpt(twice)}`,
		"The answer tells fields by their labels. Give each its own 'Label'.",
	);
}

/** What a person submitted on a page: the values by label, or the labels of missing or invalid fields. */
type Submission = { values: IDataObject } | { wrong: string[] };

/** Reads the body that a page sends. It is untrusted: whoever has the link can send anything. */
export function readSubmission(fields: PageField[], body: unknown): Submission {
	// n8n puts the values of multipart forms into `data`.
	const source = at(body, 'data') ?? body;
	const read = fields.map((field) => ({ ...field, value: valueOf(field, at(source, field.name)) }));
	const wrong = read.filter(({ value }) => value === undefined).map(({ label }) => label);
	if (wrong.length > 0) return { wrong };
	return { values: Object.fromEntries(read.map(({ label, value }) => [label, value])) };
}

/** A day; a year below 1000 is one that was typed with two digits. */
const DATE = /^[1-9]\d{3}-\d{2}-\d{2}$/;

/** Whether a text is valid, by field type; other types accept any text. */
const FITS: Readonly<Record<string, (text: string, field: PageField) => boolean>> = {
	// A day that its month lacks would be read as one of the next month.
	date: (text) => DATE.test(text) && new Date(text).getUTCDate() === Number(text.slice(8)),
	dropdown: (text, { choices }) => choices.includes(text),
	email: (text) => /^[^@\s]+@[^@\s]+$/.test(text),
	number: (text) => Number.isFinite(Number(text)),
};

/** The value of a field; `undefined` when it is missing or invalid. */
function valueOf(field: PageField, given: unknown): string | number | boolean | null | undefined {
	const { type, required } = field;
	// A field that was sent twice arrives as a list.
	if (given !== undefined && typeof given !== 'string') return undefined;
	if (type === 'checkbox') return given === 'true' || (required ? undefined : false);
	// Browsers send line breaks as CRLF; a text in the chat has LF.
	const text = (given ?? '').replaceAll('\r\n', '\n');
	if (!text.trim()) {
		if (required) return undefined;
		return type === 'number' ? null : '';
	}
	if (FITS[type]?.(text, field) === false) return undefined;
	return type === 'number' ? numberIn(text) : text;
}

/** The number in a text; the text itself if it has more digits than a number can hold, such as that of an account. */
function numberIn(text: string): number | string {
	const number = Number(text);
	return Number.isInteger(number) && !Number.isSafeInteger(number) ? text.trim() : number;
}
