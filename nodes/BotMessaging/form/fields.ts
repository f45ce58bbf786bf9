import type {
	IDisplayOptions,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	NodeParameterValueType,
	NodePropertyTypes,
} from 'n8n-workflow';

/** What a field has besides its label, its name and its type. */
type Rest = Partial<INodeProperties>;

/** Makes fields of one type, which have its default unless they have another one. */
const fieldOf =
	(type: NodePropertyTypes, preset: NodeParameterValueType) =>
	(displayName: string, name: string, rest: Rest = {}): INodeProperties => ({
		displayName,
		name,
		type,
		default: preset,
		...rest,
	});

/** A field for a text. */
export const stringField = fieldOf('string', '');

/** A field for a number. */
export const numberField = fieldOf('number', 0);

/** A switch. */
export const switchField = fieldOf('boolean', false);

/** A field for JSON. */
export const jsonField = fieldOf('json', '');

/** A field for a date and time. */
export const timeField = fieldOf('dateTime', '');

/** A menu of which any number of choices is taken. */
export const choicesField = fieldOf('multiOptions', []);

/** What people have to know, in place of a label. */
export const noticeField = fieldOf('notice', '');

/** A menu of which one choice is taken. */
export const menuField = (
	displayName: string,
	name: string,
	{ default: preset, ...rest }: Rest & { default: string },
	options: INodePropertyOptions[],
): INodeProperties => ({ displayName, name, type: 'options', options, default: preset, ...rest });

/** One choice of a menu. */
export const choice = (
	name: string,
	value: string,
	description?: string,
): INodePropertyOptions => ({ name, value, description });

/** A group of fields that is filled in as a whole. */
export const groupField = (
	displayName: string,
	name: string,
	rest: Rest,
	group: INodePropertyCollection,
): INodeProperties => ({
	displayName,
	name,
	type: 'fixedCollection',
	default: {},
	options: [group],
	...rest,
});

/** A list that is filled in row by row, each with the fields of `row`. */
export const rowsField = (
	displayName: string,
	name: string,
	rest: Rest,
	row: INodePropertyCollection,
): INodeProperties => {
	const typeOptions = { multipleValues: true, sortable: true };
	return groupField(displayName, name, { ...rest, typeOptions }, row);
};

/** A collection, from which the fields that are needed are added. */
export const collectionField = (
	displayName: string,
	name: string,
	rest: Rest,
	options: INodeProperties[],
): INodeProperties => ({ displayName, name, type: 'collection', default: {}, ...rest, options });

/** Name of the collection that holds an operation's optional fields. */
export const OPTIONS = 'options';

/** Compares labels for a menu, without regard to case. (n8n would load slower with localeCompare, by 10 ms.) */
const compareLabels = (a: string, b: string): number =>
	a.toLowerCase() < b.toLowerCase() ? -1 : 1;

/** Choices in the order of their names, as n8n's menus have them. */
export const sortedChoices = <C extends { name: string }>(choices: C[]): C[] =>
	[...choices].sort((a, b) => compareLabels(a.name, b.name));

/** The same for fields, by their labels. */
export const sortedByLabel = (fields: INodeProperties[]): INodeProperties[] =>
	[...fields].sort((a, b) => compareLabels(a.displayName, b.displayName));

/** The collection of an operation's optional fields, sorted by label. */
export const optionsField = (options: INodeProperties[]): INodeProperties =>
	collectionField('Options', OPTIONS, { placeholder: 'Add option' }, sortedByLabel(options));

/** The same fields, shown only when other fields have one of the given values. */
export function showWhen(
	show: NonNullable<IDisplayOptions['show']>,
	fields: INodeProperties[],
): INodeProperties[] {
	return fields.map((field) => ({
		...field,
		displayOptions: { ...field.displayOptions, show: { ...show, ...field.displayOptions?.show } },
	}));
}

/** Labels of fields by their paths, such as `keyboard.rows.row.buttons.text`, and by their names alone. */
export type Labels = ReadonlyMap<string, string>;

/** Collects the label of every field of a form, at any depth. Of fields with one name the first gives it its label. */
export function labelsOf(fields: INodeProperties[]): Labels {
	const labels = new Map<string, string>();
	const note = (key: string, label: string): void => {
		if (!labels.has(key)) labels.set(key, label);
	};
	const visit = (entries: NonNullable<INodeProperties['options']>, above: string): void => {
		for (const entry of entries) {
			if ('displayName' in entry) {
				note(above + entry.name, entry.displayName);
				note(entry.name, entry.displayName);
			}
			if ('values' in entry) visit(entry.values, `${above}${entry.name}.`);
			else if ('options' in entry && entry.options) {
				visit(entry.options, `${above}${entry.name}.`);
			}
		}
	};
	visit(fields, '');
	return labels;
}
