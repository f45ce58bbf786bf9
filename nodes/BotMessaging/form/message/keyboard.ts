import type { INodeProperties } from 'n8n-workflow';
import { choice, jsonField, menuField, rowsField, showWhen } from '../fields';
import { withoutKeyboard } from '../../events/output';
import { toJson, type ExactJson } from '../../service/json';
import { LONGEST_ROW, LONGEST_WIDE_ROW, MOST_ROWS } from '../../service/limits';
import { at } from '../../service/read';
import type { Form } from '../form';
import { button, buttonFields, buttonOfJson } from './buttons';

const buttonsField = rowsField('Buttons', 'row', {
	placeholder: 'Add Button',
	description: `At most ${LONGEST_ROW} buttons, or ${LONGEST_WIDE_ROW} where one of them is a link, an app, or asks for contact or location`,
	options: [{ displayName: 'Button', name: 'buttons', values: buttonFields }],
});

const sourceField = menuField('Inline Keyboard', 'keyboard_source', { default: 'none' }, [
	choice('None', 'none', 'No buttons below the message'),
	choice('Build Rows of Buttons', 'rows', 'Add rows and buttons here'),
	choice('Use JSON', 'json', 'Give all rows at once, also by an expression'),
]);

const rowFields: INodeProperties[] = [
	...showWhen({ keyboard_source: ['rows'] }, [
		rowsField('Keyboard Rows', 'keyboard', {
			placeholder: 'Add Row',
			description: `At most ${MOST_ROWS} rows`,
			options: [{ displayName: 'Row', name: 'rows', values: [buttonsField] }],
		}),
	]),
	...showWhen({ keyboard_source: ['json'] }, [
		jsonField('Keyboard JSON', 'keyboard_json', {
			typeOptions: { rows: 6 },
			example: '[[{ "type": "callback", "text": "Yes", "payload": "yes" }]]',
			description:
				'A list of rows, each a list of buttons, as the service takes them. An empty list is no keyboard.',
		}),
	]),
];

/** The inline keyboard of a message: built from rows and buttons, or given as JSON. */
export const keyboardFields: INodeProperties[] = [sourceField, ...rowFields];

/** The same, for further buttons below those that answer a question. */
export const furtherButtonsFields: INodeProperties[] = [
	{
		...sourceField,
		description:
			'More buttons, below those that answer. A press on one of them answers nothing: it starts a workflow, as in other messages. Only a message that a button sends for the person can answer, where a text is asked for.',
	},
	...rowFields,
];

/** Attachments plus a keyboard with these rows, if given, in place of one among them: a message has only one, or none. */
export function withKeyboard(attachments: ExactJson[], rows?: ExactJson[]): ExactJson[] {
	if (rows === undefined) return attachments;
	const others = withoutKeyboard(attachments);
	return rows.length > 0 ? [...others, asKeyboard(rows)] : others;
}

/** Rows of buttons as an attachment (interface: Attachment request). */
export const asKeyboard = (buttons: ExactJson): ExactJson => ({
	type: 'inline_keyboard',
	payload: { buttons },
});

/** The rows of the keyboard, built or given as JSON; `undefined` if none is chosen. */
export function keyboardRows(form: Form): ExactJson[] | undefined {
	const source = form.choice(sourceField);
	if (source === 'rows') return builtRows(form);
	return source === 'json' ? keyboardJson(form) : undefined;
}

/** Accepts the rows themselves, `{buttons}`, or a whole attachment copied from a message. */
function keyboardJson(form: Form): ExactJson[] {
	const given = form.json('keyboard_json') ?? form.refuseEmpty('keyboard_json');
	const rows = toJson(at(given, 'payload', 'buttons') ?? at(given, 'buttons') ?? given);
	if (!Array.isArray(rows) || rows.some((row) => !Array.isArray(row))) {
		form.refuse(
			'keyboard_json',
			'is not a list of rows',
			'Write a list of rows, each a list of buttons, even for one row: [[ { … }, { … } ]].',
		);
	}
	// The service takes no row without a button, but expressions leave such rows, as on the last page of a list.
	return rows.map(rowOfJson).filter((row) => Array.isArray(row) && row.length > 0);
}

/** A row from JSON as the service takes it; anything else is passed on for the service to judge. */
export const rowOfJson = (row: ExactJson): ExactJson =>
	Array.isArray(row) ? row.map(buttonOfJson) : row;

function builtRows(form: Form): ExactJson[] {
	const rows = form.rows('keyboard', 'rows').map((row) => row.rows('row', 'buttons').map(button));
	const filled = rows.filter((row) => row.length > 0);
	if (filled.length === 0) {
		form.refuse(
			'keyboard',
			'has no button',
			"Add a row with at least one button, or choose 'None'.",
		);
	}
	return filled;
}
