import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

/** Name of the collection that holds an operation's optional fields. */
export const OPTIONS = 'options';

/** Compares labels for a menu, without regard to case. (n8n would load slower with localeCompare, by 10 ms.) */
export function compareLabels(a: string, b: string): number {
	const [first, second] = [a.toLowerCase(), b.toLowerCase()];
	if (first === second) return 0;
	return first < second ? -1 : 1;
}

/** Fields in the order of their labels, as n8n's menus have them. */
export const sortedByLabel = (fields: INodeProperties[]): INodeProperties[] =>
	[...fields].sort((a, b) => compareLabels(a.displayName, b.displayName));

/** The collection of an operation's optional fields, sorted by label. */
export function optionsField(options: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Options',
		name: OPTIONS,
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: sortedByLabel(options),
	};
}

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

/** Whether members of a chat are told what was changed. */
export const notifyOption: INodeProperties = {
	displayName: 'Notify',
	name: 'notify',
	type: 'boolean',
	default: true,
	description: 'Whether members get a system notification',
};
