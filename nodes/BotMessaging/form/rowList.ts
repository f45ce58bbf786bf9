import type { INodeProperties } from 'n8n-workflow';
import { choice, jsonField, menuField, rowsField, showWhen } from './fields';
import type { Form } from './form';

/** A list, filled in row by row or given as JSON. */
export interface RowList {
	/** Name of its field; `<name>_source` chooses rows or JSON, `<name>_json` holds the JSON. */
	name: string;
	/** One row: its label in the singular, its name and its fields. */
	row: { displayName: string; name: string; values: INodeProperties[] };
	description?: string;
	/** An example of the JSON. */
	example: string;
}

const labelOf = ({ row }: RowList): string => `${row.displayName}s`;

function sourceField(list: RowList) {
	const label = labelOf(list);
	const all = label.toLowerCase();
	return menuField(label, `${list.name}_source`, { default: 'rows' }, [
		choice('Choose Below', 'rows', `Add ${all} here`),
		choice('Use JSON', 'json', `Give all ${all} at once, also by an expression`),
	]);
}

/** The fields of a list: the choice, its rows, and its JSON. */
export function rowListFields(list: RowList): INodeProperties[] {
	const { name, row, description, example } = list;
	const label = labelOf(list);
	const source = sourceField(list);
	return [
		source,
		...showWhen({ [source.name]: ['rows'] }, [
			rowsField(
				`${row.displayName} List`,
				name,
				{ placeholder: `Add ${row.displayName}`, description },
				row,
			),
		]),
		...showWhen({ [source.name]: ['json'] }, [
			jsonField(`${label} JSON`, `${name}_json`, {
				typeOptions: { rows: 6 },
				example,
				description: `A list of ${label.toLowerCase()}, as the service takes them`,
			}),
		]),
	];
}

/** The rows of a list, however they are given, and the name of the field that holds them. */
export function rowsGiven(form: Form, list: RowList): { field: string; rows: Form[] } {
	const { name, row } = list;
	const isJson = form.choice(sourceField(list)) === 'json';
	const field = isJson ? `${name}_json` : name;
	return { field, rows: isJson ? form.jsonRows(field) : form.rows(field, row.name) };
}
