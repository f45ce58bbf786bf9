import {
	NodeHelpers,
	UnexpectedError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeType,
	type INodeTypeDescription,
	type INodeTypes,
} from 'n8n-workflow';

/** Node types by the name that workflows use, such as `n8n-nodes-bot-messaging.botMessaging`. */
export type NodeTypeMap = Record<string, INodeType>;

const PACKAGE = 'n8n-nodes-bot-messaging';

/** The name under which n8n knows a node of this package. */
export function nodeTypeName(node: INodeType): string {
	return `${PACKAGE}.${node.description.name}`;
}

/** n8n's registry of node types, with exactly the given ones. */
export class NodeRegistry implements INodeTypes {
	constructor(private readonly types: NodeTypeMap) {}

	getByName(name: string): INodeType {
		const type = this.types[name];
		if (!type) throw new UnexpectedError(`Unrecognized node type: ${name}`);
		return type;
	}

	getByNameAndVersion(name: string, version?: number): INodeType {
		return NodeHelpers.getVersionedNodeType(this.getByName(name), version);
	}

	getKnownTypes(): IDataObject {
		return Object.fromEntries(Object.keys(this.types).map((name) => [name, {}]));
	}
}

/** Returns its input; stands for whatever starts a workflow. */
export class PassThrough implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Start',
		name: 'start',
		group: ['trigger'],
		version: 1,
		description: 'Hands on the items it is given',
		defaults: { name: 'Start' },
		inputs: [],
		outputs: ['main'],
		properties: [],
	};

	async execute(this: IExecuteFunctions) {
		return await Promise.resolve([this.getInputData()]);
	}
}
