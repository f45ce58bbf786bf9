import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { compareLabels, OPTIONS, optionsField, showWhen } from '../form/fields';
import { deliveryOption } from '../form/settings';
import type { Operation, Resource } from './operation';

/** The whole form of the action node: menus of resources and operations, and every operation's own fields. */
export function describe(catalogue: Resource[]): INodeProperties[] {
	return [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: sorted(catalogue.map(({ name, value }) => ({ name, value }))),
			default: firstOf(catalogue),
		},
		...catalogue.map(operationMenu),
		...catalogue.flatMap((resource) =>
			resource.operations.flatMap((operation) => operationForm(resource, operation)),
		),
	];
}

function operationMenu(resource: Resource): INodeProperties {
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource.value] } },
		options: sorted(
			resource.operations.map(({ name, value, action, description }) => ({
				name,
				value,
				action,
				description,
			})),
		),
		default: firstOf(resource.operations),
	};
}

function operationForm(resource: Resource, operation: Operation): INodeProperties[] {
	return showWhen(
		{ resource: [resource.value], operation: [operation.value] },
		formFields(operation),
	);
}

/** The whole form of an operation: its own fields, and in its options the technical ones. */
export function formFields({ fields, delivery = [] }: Operation): INodeProperties[] {
	const own = fields.find(({ name }) => name === OPTIONS);
	const options = (own?.options ?? []).filter(isField);
	return [
		...fields.filter((field) => field !== own),
		optionsField([...options, deliveryOption(delivery)]),
	];
}

/** Menus are sorted; what is used most, the first of the catalogue, is chosen when they open. */
const sorted = (choices: INodePropertyOptions[]): INodePropertyOptions[] =>
	choices.sort((a, b) => compareLabels(a.name, b.name));

/** What the node does, as an expression over its parameters that gives the labels: `Send: Message`. */
export function subtitleOf(catalogue: Resource[]): string {
	const labels = catalogue.flatMap(({ name, value, operations }) =>
		operations.map((each) => [`${value} ${each.value}`, `${each.name}: ${name}`]),
	);
	const table = JSON.stringify(Object.fromEntries(labels));
	return `={{ (${table})[$parameter["resource"] + " " + $parameter["operation"]] }}`;
}

const isField = (
	entry: NonNullable<INodeProperties['options']>[number],
): entry is INodeProperties => 'type' in entry;

const firstOf = (choices: ReadonlyArray<{ value: string }>): string => choices[0]?.value ?? '';
