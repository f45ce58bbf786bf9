import { runWorkflow, type RunOptions } from './workflow';
import { DynamicStructuredTool } from '@langchain/core/tools';
import {
	NodeConnectionTypes,
	UnexpectedError,
	type EngineRequest,
	type EngineResponse,
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	type INodeProperties,
	type INodeType,
	type INodeTypeDescription,
	type NodeOutput,
} from 'n8n-workflow';
import { leadingTo, nodeOf } from '../../support/node';
import type { CredentialData } from './credentials';
import { toWorkflowNode, type NodeUse } from './engine';
import type { ShownError } from './execution';
import { nodeTypeName, PassThrough } from './nodeTypes';

/**
 * How the agent calls the tool: through n8n-core's tool object (older agents, and other nodes that hold tools), or by
 * asking the engine to run the tool's node (agents since version 3).
 */
type ToolRoute = 'object' | 'engine';

interface ToolRun extends Pick<NodeUse, 'node' | 'parameters'>, Pick<RunOptions, 'mode'> {
	credentials: CredentialData;
	/** The model's arguments: a value for each `$fromAI()` of the parameters. */
	args: IDataObject;
	/** Default: object. */
	route?: ToolRoute;
	/** The node that starts the workflow. Default: one that passes its items on. */
	trigger?: INodeType;
	/** What it starts with. Default: one empty item. */
	items?: INodeExecutionData[];
}

/** What the agent sees. */
interface SeenByAgent {
	/** The text returned to the model; undefined if the call failed. */
	response?: string;
	/** Why the call failed. */
	callError?: ShownError;
}

/** The fields that n8n adds before the form of a node used as a tool. */
const TOOL_PROPERTIES: INodeProperties[] = [
	{
		displayName: 'Tool Description',
		name: 'descriptionType',
		type: 'options',
		options: [
			{ name: 'Set Automatically', value: 'auto' },
			{ name: 'Set Manually', value: 'manual' },
		],
		default: 'auto',
	},
	{
		displayName: 'Description',
		name: 'toolDescription',
		type: 'string',
		default: '',
		displayOptions: { show: { descriptionType: ['manual'] } },
	},
];

/** The tool that n8n makes from a node with `usableAsTool`. */
function asTool(node: INodeType): INodeType {
	const { usableAsTool, ...description } = node.description;
	const changed: INodeTypeDescription = {
		...description,
		name: `${description.name}Tool`,
		displayName: `${description.displayName} Tool`,
		inputs: [],
		outputs: [NodeConnectionTypes.AiTool],
		properties: [...TOOL_PROPERTIES, ...description.properties],
	};
	return Object.create(node, { description: { value: changed } });
}

/** Runs a node as an AI agent's tool; the agent makes exactly one call, with the given arguments. */
export async function runTool(run: ToolRun): Promise<SeenByAgent> {
	const { node, parameters, credentials, args, route = 'object', items, mode } = run;
	const { trigger = new PassThrough() } = run;
	const tool = asTool(node);
	const toolNode = toWorkflowNode({ node: tool, parameters }, credentials);
	const seen: SeenByAgent = {};
	const agent = agentOf({ toolName: toolNode.name, args, route }, seen);
	const aiTool = NodeConnectionTypes.AiTool;
	await runWorkflow({
		credentials,
		mode,
		start: 'Start',
		items,
		nodeTypes: { [nodeTypeName(trigger)]: trigger, agent, [nodeTypeName(tool)]: tool },
		workflow: {
			nodes: [canvasNode('Start', nodeTypeName(trigger)), canvasNode('Agent', 'agent'), toolNode],
			connections: {
				Start: leadingTo('Agent'),
				[toolNode.name]: { [aiTool]: [[{ node: 'Agent', type: aiTool, index: 0 }]] },
			},
		},
	});
	return seen;
}

const canvasNode = (name: string, type: string): INode => nodeOf({ id: type, name, type });

interface Call {
	toolName: string;
	args: IDataObject;
	route: ToolRoute;
}

/** An agent whose model always wants the same single call. What it sees is written to `seen`. */
function agentOf({ toolName, args, route }: Call, seen: SeenByAgent): INodeType {
	return {
		description: {
			...new PassThrough().description,
			displayName: 'Agent',
			name: 'agent',
			inputs: ['main', NodeConnectionTypes.AiTool],
		},
		async execute(this: IExecuteFunctions, answered?: EngineResponse): Promise<NodeOutput> {
			const answer = answered?.actionResponses[0];
			if (answer) {
				const items = answer.data.data?.ai_tool?.[0] ?? [];
				seen.response = JSON.stringify(items.map(({ json }) => json));
				seen.callError = answer.data.error;
				return [this.getInputData()];
			}
			const tool = await toolOf(this);
			if (route === 'engine') return requestTo(toolName, args);
			try {
				seen.response = String(await tool.invoke(args));
			} catch (error) {
				seen.callError = error instanceof Error ? error : { message: String(error) };
			}
			return [this.getInputData()];
		},
	};
}

async function toolOf(agent: IExecuteFunctions): Promise<DynamicStructuredTool> {
	const tools = await agent.getInputConnectionData(NodeConnectionTypes.AiTool, 0);
	const tool: unknown = Array.isArray(tools) ? tools[0] : undefined;
	if (tool instanceof DynamicStructuredTool) return tool;
	throw new UnexpectedError('The node did not become a tool');
}

function requestTo(nodeName: string, input: IDataObject): EngineRequest {
	const action = { nodeName, input, id: 'call_1', metadata: { itemIndex: 0 } };
	return {
		actions: [{ ...action, actionType: 'ExecutionNodeAction', type: NodeConnectionTypes.AiTool }],
		metadata: {},
	};
}
