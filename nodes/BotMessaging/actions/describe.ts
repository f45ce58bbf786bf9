import type { INodeProperties } from 'n8n-workflow';
import { choice, menuField, optionsField, showWhen, sortedChoices } from '../form/fields';
import { deliveryOption } from '../form/settings';
import type { Operation, Resource } from './operation';

/** The whole form of the action node: menus of resources and operations, and the fields of every operation. */
export const describe = (catalogue: Resource[]): INodeProperties[] => [
	menuField(
		'Resource',
		'resource',
		{ default: firstOf(catalogue), noDataExpression: true },
		sortedChoices(catalogue.map(({ name, value }) => choice(name, value))),
	),
	...catalogue.map(operationMenu),
	...catalogue.flatMap((resource) =>
		resource.operations.flatMap((operation) =>
			showWhen({ resource: [resource.value], operation: [operation.value] }, formFields(operation)),
		),
	),
];

const operationMenu = ({ value: resource, operations }: Resource): INodeProperties =>
	menuField(
		'Operation',
		'operation',
		{
			default: firstOf(operations),
			noDataExpression: true,
			displayOptions: { show: { resource: [resource] } },
		},
		sortedChoices(
			operations.map(({ name, value, action, description }) => ({
				...choice(name, value, description),
				action,
			})),
		),
	);

/** The whole form of one operation: its own fields, then its options with the Delivery group among them. */
export function formFields({ fields, options = [], delivery = [] }: Operation): INodeProperties[] {
	return [...fields, optionsField([...options, deliveryOption(delivery)])];
}

/** The node's subtitle, an expression that looks up the labels of the chosen operation: `Send: Message`. */
export function subtitleOf(catalogue: Resource[]): string {
	const labels = catalogue.flatMap(({ name, value, operations }) =>
		operations.map((each) => [`${value} ${each.value}`, `${each.name}: ${name}`]),
	);
	const table = JSON.stringify(Object.fromEntries(labels));
	return `={{ (${table})[$parameter["resource"] + " " + $parameter["operation"]] }}`;
}

/** Menus are sorted, but the default is the first entry of the catalogue, the one used most. */
const firstOf = (choices: ReadonlyArray<{ value: string }>): string => choices[0]?.value ?? '';
