import {
	NodeHelpers,
	type INodeParameters,
	type INodeProperties,
	type INodePropertyCollection,
	type INodePropertyOptions,
} from 'n8n-workflow';
import { BotMessaging } from '../../../nodes/BotMessaging/BotMessaging.node';
import { OPTIONS } from '../../../nodes/BotMessaging/form/fields';
import { nodeOf } from '../../support/node';
import { ACTION } from './workflow';

/** What a user sees in the form of a newly chosen operation. */
interface ShownForm {
	/** Labels of the fields that must be visible, including notices. */
	labels: string[];
	/** Labels of the other fields of the operation. */
	hidden: string[];
	/** Labels that the options menu offers. */
	options: string[];
}

const { description } = new BotMessaging();

type Chosen = Record<'resource' | 'operation', string>;

/** The form of an operation with its defaults but for `filled`, derived from the description by n8n's own display rules. */
export function formOf({ filled, ...chosen }: Chosen & { filled?: INodeParameters }): ShownForm {
	const isShown = shownIn({ ...chosen, ...filled });
	const fields = description.properties.filter(({ displayOptions }) => {
		const { resource, operation } = displayOptions?.show ?? {};
		return resource?.includes(chosen.resource) && operation?.includes(chosen.operation);
	});
	const labels = fields.filter(isShown).map(({ displayName }) => displayName);
	const others = fields.map(({ displayName }) => displayName);
	const options = fields.find(({ name }) => name === OPTIONS)?.options ?? [];
	return {
		labels,
		hidden: others.filter((label) => !labels.includes(label)),
		options: options
			.filter(isProperty)
			.filter(isShown)
			.map(({ displayName }) => displayName),
	};
}

function isProperty(
	option: INodeProperties | INodePropertyOptions | INodePropertyCollection,
): option is INodeProperties {
	return 'type' in option;
}

/** Whether a field is shown with these parameters, and defaults for all others. */
function shownIn(parameters: INodeParameters): (field: INodeProperties) => boolean {
	const node = nodeOf({ type: ACTION, parameters });
	const { properties } = description;
	const values =
		NodeHelpers.getNodeParameters(properties, parameters, true, false, node, description) ?? {};
	return (field) => NodeHelpers.displayParameter(values, field, node, description, values);
}
