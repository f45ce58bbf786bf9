import { runWorkflow, type RunOptions, type WorkflowResult } from './workflow';
import type {
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	IWorkflowSettings,
	NodeExecutionHint,
} from 'n8n-workflow';
import { leadingTo, nodeOf } from '../../support/node';
import type { Cancelable } from './execution';
import { nodeTypeName, PassThrough } from './nodeTypes';

/** A node on the canvas. */
export interface NodeUse extends Pick<
	INode,
	'alwaysOutputData' | 'executeOnce' | 'onError' | 'retryOnFail' | 'waitBetweenTries' | 'webhookId'
> {
	node: INodeType;
	/** As the editor stores them; the form's defaults apply to the others. Strings beginning with `=` are expressions. */
	parameters?: INodeParameters;
	/** Default: `node`. Together with `workflowId` the key of the node's memory in n8n. */
	nodeId?: string;
}

export interface NodeRun extends NodeUse, RunOptions {
	/** The node's input. Default: one empty item. */
	items?: INodeExecutionData[];
	/** Default: a new workflow for each run. */
	workflowId?: string;
	workflowSettings?: IWorkflowSettings;
}

export interface NodeResult extends WorkflowResult {
	/** Items of the first output. */
	items: INodeExecutionData[];
	/** Items by output; with `onError: 'continueErrorOutput'` the last one is the error output. */
	outputs: INodeExecutionData[][];
	/** Hints that n8n shows beside the node's output. */
	hints: NodeExecutionHint[];
}

const START = 'start';

/** The node as in a workflow's JSON, with those credentials that it declares and the run has. */
export function toWorkflowNode(use: NodeUse, credentials: object = {}): INode {
	const { node, parameters, nodeId, ...settings } = use;
	const declared = node.description.credentials?.map(({ name }) => name) ?? [];
	const chosen = declared.filter((name) => name in credentials);
	return {
		...settings,
		id: nodeId ?? 'node',
		name: node.description.displayName,
		type: nodeTypeName(node),
		typeVersion: Number(node.description.version),
		position: [200, 0],
		parameters: parameters ?? {},
		credentials: Object.fromEntries(chosen.map((name) => [name, { id: name, name }])),
	};
}

/**
 * Runs one node in n8n's own engine, after a node `Start` that emits the items; a trigger starts with them itself.
 * Expressions, credentials, requests, binary data, retries and error handling are n8n's. Any number of runs may go on at
 * the same time.
 */
export function runNode(run: NodeRun): Cancelable<NodeResult> {
	const { items, workflowId, workflowSettings, credentials, mode, binaryMode, ...use } = run;
	const node = toWorkflowNode(use, credentials);
	const isTrigger = use.node.description.group.includes('trigger');
	const start = isTrigger ? node : nodeOf({ id: START, name: 'Start', type: START });
	const execution = runWorkflow({
		credentials,
		mode,
		binaryMode,
		items,
		start: start.name,
		nodeTypes: { [START]: new PassThrough(), [node.type]: use.node },
		workflow: {
			id: workflowId,
			settings: workflowSettings,
			nodes: [...new Set([start, node])],
			connections: isTrigger ? {} : { [start.name]: leadingTo(node.name) },
		},
	});
	const result = execution.then((ended) => toNodeResult(ended, node.name));
	return Object.assign(result, { cancel: execution.cancel });
}

function toNodeResult(ended: WorkflowResult, nodeName: string): NodeResult {
	const task = ended.runData[nodeName]?.at(-1);
	const outputs = (task?.data?.main ?? []).map((items) => items ?? []);
	return {
		...ended,
		items: outputs[0] ?? [],
		outputs,
		hints: task?.hints ?? [],
	};
}
