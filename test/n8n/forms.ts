import {
	NodeHelpers,
	type INode,
	type INodeParameters,
	type INodeProperties,
	type INodePropertyOptions,
} from 'n8n-workflow';
import { BotMessaging } from '../../nodes/BotMessaging/BotMessaging.node';
import { catalogue } from '../../nodes/BotMessaging/actions/catalogue';
import { OPTIONS } from '../../nodes/BotMessaging/form/options';
import { ACTION } from './workflow';

/** A form of the action node, as a user comes upon it. */
export interface ShownForm {
	/** Resource and operation, and what was chosen besides. */
	name: string;
	parameters: INodeParameters;
	/** Labels of the fields that have to be seen, notices included. */
	labels: string[];
	/** Labels of the other fields of the operation. */
	hidden: string[];
	/** Labels that the menu of the options offers. */
	options: string[];
}

const { description } = new BotMessaging();

/** Every form there is: each operation with its defaults, and for every other choice that fields depend on. */
export const FORMS: ShownForm[] = catalogue.flatMap((resource) =>
	resource.operations.flatMap((operation) => {
		const chosen = { resource: resource.value, operation: operation.value };
		return formsOf(`${resource.name} → ${operation.name}`, chosen, fieldsOf(chosen));
	}),
);

/** A form, and those that its choices lead to; what was a choice before is none any more. */
function formsOf(
	name: string,
	parameters: INodeParameters,
	fields: INodeProperties[],
	decided: INodeProperties[] = [],
): ShownForm[] {
	const isShown = shownIn(parameters);
	const choices = fields.filter((field) => isShown(field) && !decided.includes(field));
	const others = choices.flatMap((field) =>
		otherValues(field, fields).flatMap((value) =>
			formsOf(
				`${name}, ${field.name}: ${String(value)}`,
				{ ...parameters, [field.name]: value },
				fields,
				[...decided, ...choices],
			),
		),
	);
	return [formOf(name, parameters, fields), ...others];
}

function fieldsOf(chosen: Record<'resource' | 'operation', string>): INodeProperties[] {
	return description.properties.filter(({ displayOptions }) => {
		const { resource, operation } = displayOptions?.show ?? {};
		return resource?.includes(chosen.resource) && operation?.includes(chosen.operation);
	});
}

/** The values of a field, besides its default, that show or hide other fields. */
function otherValues(field: INodeProperties, fields: INodeProperties[]): Value[] {
	if (!fields.some(({ displayOptions }) => displayOptions?.show?.[field.name])) return [];
	const values =
		field.type === 'boolean'
			? [!field.default]
			: (field.options ?? []).flatMap((option) => ('value' in option ? [option.value] : []));
	return values.filter((value) => value !== field.default);
}

type Value = INodePropertyOptions['value'];

/** Whether a field is shown while these parameters are set, all others having their defaults. */
function shownIn(parameters: INodeParameters): (field: INodeProperties) => boolean {
	const node: INode = {
		...{ id: 'node', name: 'Node', type: ACTION, typeVersion: 1, position: [0, 0] },
		parameters,
	};
	const { properties } = description;
	const values =
		NodeHelpers.getNodeParameters(properties, parameters, true, false, node, description) ?? {};
	return (field) => NodeHelpers.displayParameter(values, field, node, description, values);
}

function formOf(name: string, parameters: INodeParameters, fields: INodeProperties[]): ShownForm {
	const isShown = shownIn(parameters);
	const labels = fields.filter(isShown).map(({ displayName }) => displayName);
	const hidden = fields.map(({ displayName }) => displayName);
	const options = fields.find((field) => field.name === OPTIONS)?.options ?? [];
	return {
		...{ name, parameters, labels },
		hidden: hidden.filter((label) => !labels.includes(label)),
		options: options
			.filter((option): option is INodeProperties => 'type' in option)
			.filter(isShown)
			.map(({ displayName }) => displayName),
	};
}
