import type { INodeProperties } from 'n8n-workflow';
import { choice, jsonField, menuField, rowsField, showWhen } from './fields';
import type { Form } from './form';

/** A list, filled in row by row or given as JSON. */
interface RowList {
	/** Name of its field; `<name>_source` chooses rows or JSON, `<name>_json` holds the JSON. */
	name: string;
	/** One row: its label in the singular, its name and its fields. */
	row: { displayName: string; name: string; values: INodeProperties[] };
	description?: string;
	example: string;
}

/** The fields of a list: the choice, its rows, and its JSON; and how its rows are read from a form. */
export function rowList({ name, row, description, example }: RowList) {
	const label = `${row.displayName}s`;
	const all = label.toLowerCase();
	const source = menuField(label, `${name}_source`, { default: 'rows' }, [
		choice('Build a List', 'rows', `Add ${all} here`),
		choice('Use JSON', 'json', `Give all ${all} at once, also by an expression`),
	]);
	const placeholder = `Add ${row.displayName}`;
	const rows = rowsField(`${row.displayName} List`, name, {
		placeholder,
		description,
		options: [row],
	});
	const json = jsonField(`${label} JSON`, `${name}_json`, {
		typeOptions: { rows: 6 },
		example,
		description: `A list of ${all}, as the service takes them`,
	});
	return {
		fields: [
			source,
			...showWhen({ [source.name]: ['rows'] }, [rows]),
			...showWhen({ [source.name]: ['json'] }, [json]),
		],
		/** The rows, however they are given, and the name of the field that holds them. */
		given: (form: Form): { field: string; rows: Form[] } =>
			form.choice(source) === 'json'
				? { field: json.name, rows: form.jsonRows(json.name) }
				: { field: name, rows: form.rows(name, row.name) },
	};
}
