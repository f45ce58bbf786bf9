import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

/** A part of a form: a field, a group of fields or a choice. */
export type Part = INodeProperties | INodePropertyCollection | INodePropertyOptions;

/** Every field of a form, those inside of others included. */
export const fieldsOf = (parts: readonly Part[]): INodeProperties[] =>
	parts.flatMap((part) => {
		if ('values' in part) return fieldsOf(part.values);
		return 'type' in part ? [part, ...fieldsOf(part.options ?? [])] : [];
	});
