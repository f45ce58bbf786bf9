import type {
	IDisplayOptions,
	INodeProperties,
	INodePropertyOptions,
	NodeParameterValueType,
	NodePropertyTypes,
} from 'n8n-workflow';

/** Everything about a field besides its label, name and type. */
type Rest = Partial<INodeProperties>;

/** Makes a builder for fields of one type; `preset` is their default unless `rest` has another. */
const fieldOf =
	(type: NodePropertyTypes, preset: NodeParameterValueType) =>
	(displayName: string, name: string, rest: Rest = {}): INodeProperties => ({
		displayName,
		name,
		type,
		default: preset,
		...rest,
	});

export const stringField = fieldOf('string', '');
export const switchField = fieldOf('boolean', false);
export const timeField = fieldOf('dateTime', '');

/** A field for a number within bounds, whole if its precision is 0; `Form.number` reads it. */
export interface NumberField extends INodeProperties {
	default: number;
	typeOptions: { minValue: number; maxValue?: number; numberPrecision?: number };
}

export const numberField = (
	displayName: string,
	name: string,
	rest: Rest & Pick<NumberField, 'typeOptions'> & { default?: number },
): NumberField => ({ displayName, name, type: 'number', default: 0, ...rest });

/** What is wrong with a number for a field, in words for an error. n8n's editor checks only what is typed in. */
export function misfit(number: number, { typeOptions }: NumberField): string | undefined {
	const { minValue, maxValue = Infinity, numberPrecision } = typeOptions;
	const kind = numberPrecision === 0 ? 'whole number' : 'number';
	const isOfKind = kind === 'number' || Number.isInteger(number);
	if (isOfKind && number >= minValue && number <= maxValue) return undefined;
	const range =
		maxValue === Infinity ? `of at least ${minValue}` : `between ${minValue} and ${maxValue}`;
	return `is not a ${kind} ${range}: ${number}`;
}

/**
 * A field for JSON. It starts empty, and its example stands below: n8n adds what is dragged into a field to what the field
 * holds, and JSON followed by an expression is not JSON.
 */
export const jsonField = (
	displayName: string,
	name: string,
	{ example, ...rest }: Rest & { example: string },
): INodeProperties => fieldOf('json', '')(displayName, name, { hint: `e.g. ${example}`, ...rest });

/** A notice for the user, shown in place of a label. */
export const noticeField = fieldOf('notice', '');

export interface Choice<T extends string> extends INodePropertyOptions {
	value: T;
}

export const choice = <T extends string>(
	name: string,
	value: T,
	description?: string,
): Choice<T> => ({ name, value, description });

/** A menu with one choice taken; `Form.choice` reads it. */
export interface Menu<T extends string> extends INodeProperties {
	default: T;
	options: Array<Choice<T>>;
}

export const menuField = <T extends string>(
	displayName: string,
	name: string,
	{ default: preset, ...rest }: Omit<Rest, 'options'> & { default: NoInfer<T> },
	options: Array<Choice<T>>,
): Menu<T> => ({ displayName, name, type: 'options', options, default: preset, ...rest });

/** A menu with any number of choices taken; `Form.choices` reads it. */
export interface Choices extends INodeProperties {
	options: Array<Choice<string>>;
}

export const choicesField = (
	displayName: string,
	name: string,
	rest: Omit<Rest, 'options'> & Pick<Choices, 'options'>,
): Choices => ({ displayName, name, type: 'multiOptions', default: [], ...rest });

/** The value of the choice that a form gives, if there is such a choice. */
export const choiceOf = <T extends string>(
	options: Array<Choice<T>>,
	given: string,
): T | undefined => options.map(({ value }) => value).find((value) => value === given);

/** What can be chosen, in words for an error. */
export const choicesIn = (options: Array<Choice<string>>): string =>
	`Choose, or give one of: ${options.map(({ value }) => value).join(', ')}.`;

/** A group of fields, which is its only option, filled in as a whole. */
export const groupField = fieldOf('fixedCollection', {});

/** A list, filled in row by row: each row is such a group. */
export const rowsField = (displayName: string, name: string, rest: Rest): INodeProperties => {
	const typeOptions = { multipleValues: true, sortable: true };
	return groupField(displayName, name, { ...rest, typeOptions });
};

/** A collection, to which the user adds the fields they need. */
export const collectionField = fieldOf('collection', {});

/** Name of the collection that holds an operation's optional fields. */
export const OPTIONS = 'options';

/** Compares labels for a menu, ignoring case. (localeCompare would make n8n load 10 ms slower.) */
const compareLabels = (a: string, b: string): number =>
	a.toLowerCase() < b.toLowerCase() ? -1 : 1;

/** Choices sorted by name, as in n8n's menus. */
export const sortedChoices = <C extends { name: string }>(choices: C[]): C[] =>
	[...choices].sort((a, b) => compareLabels(a.name, b.name));

/** Fields sorted by label. */
export const sortedByLabel = (fields: INodeProperties[]): INodeProperties[] =>
	[...fields].sort((a, b) => compareLabels(a.displayName, b.displayName));

/** The collection of an operation's optional fields, sorted by label. */
export const optionsField = (options: INodeProperties[]): INodeProperties =>
	collectionField('Options', OPTIONS, {
		placeholder: 'Add option',
		options: sortedByLabel(options),
	});

/** The same fields, shown only if other fields have one of the given values. */
export function showWhen(
	show: NonNullable<IDisplayOptions['show']>,
	fields: INodeProperties[],
): INodeProperties[] {
	return fields.map((field) => ({
		...field,
		displayOptions: { ...field.displayOptions, show: { ...show, ...field.displayOptions?.show } },
	}));
}

/** Labels of fields, by path such as `keyboard.rows.row.buttons.text` and by name alone. */
export type Labels = ReadonlyMap<string, string>;

/** Collects the labels of all fields of a form, at any depth. If fields share a name, the label of the first counts. */
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
