import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IConnections, INode, INodeParameters, IWorkflowSettings } from 'n8n-workflow';
import type { Credential } from './rest';

/** A workflow as sent to n8n and as stored in `examples/`. */
export interface WorkflowDraft {
	name: string;
	nodes: INode[];
	connections: IConnections;
	settings?: IWorkflowSettings;
}

const ROOT = join(__dirname, '..', '..', '..');

/** The folder of the example workflows. */
export const EXAMPLES = join(ROOT, 'examples');

/** The version of the package. */
export const VERSION: string = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version;

export const PACKAGE = 'n8n-nodes-bot-messaging';
export const ACTION = `${PACKAGE}.botMessaging`;
export const TRIGGER = `${PACKAGE}.botMessagingTrigger`;
export const CREDENTIAL = 'botMessagingApi';

export interface NodeDraft {
	name: string;
	type: string;
	typeVersion?: number;
	parameters?: INodeParameters;
	credential?: Credential;
	onError?: INode['onError'];
}

/** Distance between nodes on the canvas, which are placed in a row. */
const COLUMN_PX = 220;

/**
 * A workflow of these nodes, each connected to the next. `connections` replaces that chain with others:
 * `[from, to]` or `[from, to, output of from]`.
 */
export function workflow(
	name: string,
	nodes: NodeDraft[],
	connections?: Array<[from: string, to: string, output?: number]>,
): WorkflowDraft {
	const names = nodes.map((node) => node.name);
	const chain = names.flatMap((from, index): Array<[string, string]> => {
		const to = names[index + 1];
		return to === undefined ? [] : [[from, to]];
	});
	return {
		name,
		nodes: nodes.map(place),
		connections: connect(connections ?? chain),
		settings: { executionOrder: 'v1' },
	};
}

function place(draft: NodeDraft, index: number): INode {
	const { name, type, parameters = {}, credential, onError } = draft;
	const { typeVersion = type === TRIGGER ? 2 : 1 } = draft;
	const isTrigger = type === TRIGGER;
	return {
		id: randomUUID(),
		name,
		type,
		typeVersion,
		position: [index * COLUMN_PX, 0],
		parameters,
		...(credential && { credentials: reference(credential) }),
		...(isTrigger && { webhookId: randomUUID() }),
		...(onError && { onError }),
	};
}

/** How a node refers to its credential. */
const reference = ({ id, name, type }: Credential) => ({ [type]: { id, name } });

function connect(lines: Array<[from: string, to: string, output?: number]>): IConnections {
	const connections: IConnections = {};
	for (const [from, to, output = 0] of lines) {
		const main = ((connections[from] ??= { main: [] }).main ??= []);
		while (main.length <= output) main.push([]);
		main[output]?.push({ node: to, type: 'main', index: 0 });
	}
	return connections;
}

/** The workflow with a change in the node of this name. */
export const withNode = <W extends WorkflowDraft>(
	workflow: W,
	name: string,
	change: Partial<INode>,
): W => ({
	...workflow,
	nodes: workflow.nodes.map((node) => (node.name === name ? { ...node, ...change } : node)),
});

/** A workflow of `examples/` as stored. */
export const readExample = (file: string): WorkflowDraft =>
	JSON.parse(readFileSync(join(EXAMPLES, file), 'utf8'));

/**
 * A workflow of `examples/` as it is after import: the nodes of this package have their credential, and their own webhook
 * address.
 */
export function example(file: string, credential: Credential): WorkflowDraft {
	const draft = readExample(file);
	const nodes = draft.nodes.map((node) => ({
		...node,
		...(node.type.startsWith(PACKAGE) && {
			webhookId: randomUUID(),
			credentials: reference(credential),
		}),
	}));
	return { ...draft, nodes };
}
