import { Workflow, type INode, type INodeConnections, type INodeType } from 'n8n-workflow';

/** A node as n8n stores it, with the fields that a test sets. */
export const nodeOf = (told: Partial<INode> = {}): INode => ({
	id: 'node',
	name: 'Bot Messaging',
	type: 'botMessaging',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
	...told,
});

/** The connection from a node to an input of the next one. */
export const leadingTo = (node: string, index = 0): INodeConnections => ({
	main: [[{ node, type: 'main', index }]],
});

/** What the editor shows below a node of this type, with these parameters. */
export const subtitleOf = (type: INodeType, told: Partial<INode>): unknown =>
	evaluated(type, type.description.subtitle, told);

/** What an expression in the description of a node's type gives, with these parameters. */
export function evaluated(
	type: INodeType,
	expression: string | boolean | undefined,
	told: Partial<INode>,
): unknown {
	const nodeTypes = {
		getByName: () => type,
		getByNameAndVersion: () => type,
		getKnownTypes: () => ({}),
	};
	const node = nodeOf(told);
	const workflow = new Workflow({
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes,
	});
	return workflow.expression.getSimpleParameterValue(node, expression, 'internal', {});
}
