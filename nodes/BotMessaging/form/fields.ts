import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

type Rest = Partial<INodeProperties>;

/** A field for a text, empty unless it has a default. */
export const stringField = (
	displayName: string,
	name: string,
	rest: Rest = {},
): INodeProperties => ({ displayName, name, type: 'string', default: '', ...rest });

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

/** A list that is filled in row by row, each with the fields of `row`. */
export const rowsField = (
	displayName: string,
	name: string,
	rest: Rest,
	row: INodePropertyCollection,
): INodeProperties => ({
	...{ displayName, name, type: 'fixedCollection', default: {}, options: [row] },
	...{ typeOptions: { multipleValues: true, sortable: true }, ...rest },
});
