import type { INode, INodeConnections } from 'n8n-workflow';

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

/** The connection from a node to the next one. */
export const leadingTo = (node: string): INodeConnections => ({
	main: [[{ node, type: 'main', index: 0 }]],
});
