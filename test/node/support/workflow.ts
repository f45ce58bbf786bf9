import './environment';
import {
	createRunExecutionData,
	NodeOperationError,
	UnexpectedError,
	Workflow,
	type IConnections,
	type IDataObject,
	type IExecuteResponsePromiseData,
	type INode,
	type INodeExecutionData,
	type IRunData,
	type IRunExecutionData,
	type IWorkflowBase,
	type IWorkflowSettings,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { forExecution } from './additionalData';
import { CredentialStore, type CredentialData } from './credentials';
import { nextExecutionId, startExecution, type Cancelable, type Ended } from './execution';
import { NodeRegistry, type NodeTypeMap } from './nodeTypes';
import { newScope, type BinaryMode } from './scope';

/** A workflow as the editor exports it. */
export interface WorkflowDefinition {
	/** Without one, each run is a workflow of its own: nothing is remembered between runs. */
	id?: string;
	name?: string;
	nodes: INode[];
	connections: IConnections;
	settings?: IWorkflowSettings;
	staticData?: IDataObject;
}

/** Options of every run. */
export interface RunOptions {
	/** By credential type: `{ botMessagingApi: { baseUrl, accessToken } }`. */
	credentials?: CredentialData;
	/** Default: manual. */
	mode?: WorkflowExecuteMode;
	/** Default: filesystem, as in n8n. */
	binaryMode?: BinaryMode;
}

export interface WorkflowRun extends RunOptions {
	workflow: WorkflowDefinition;
	nodeTypes: NodeTypeMap;
	/** Name of the node to start from. */
	start: string;
	/** Input of the start node (for a trigger: what it emits). Default: one empty item. */
	items?: INodeExecutionData[];
	/** An error of the start node before the execution began, such as a webhook that throws. */
	failure?: Error;
	/** Address of the instance without a trailing slash. */
	publicUrl?: string;
	/** Receives the answer that a node gives to the webhook that started the execution. */
	onResponse?: (response: IExecuteResponsePromiseData) => void;
}

export interface WorkflowResult extends Ended {
	runData: IRunData;
}

let workflows = 0;

/** Adds the fields that n8n's database adds to a definition. */
export function storedWorkflow(definition: WorkflowDefinition): IWorkflowBase {
	const now = new Date();
	const id = definition.id ?? `workflow${++workflows}`;
	return {
		active: false,
		isArchived: false,
		createdAt: now,
		updatedAt: now,
		activeVersionId: null,
		...definition,
		id,
		name: definition.name ?? id,
		settings: { executionOrder: 'v1', ...definition.settings },
	};
}

/** What n8n stores if the start node failed before the execution. */
function failureOf(startNode: INode, error: Error): IRunExecutionData['resultData'] {
	const failure = new NodeOperationError(startNode, error);
	return { runData: {}, lastNodeExecuted: startNode.name, error: failure };
}

/** Runs a workflow in n8n's engine, from its start node to its end. Never rejects because of a node. */
export function runWorkflow(run: WorkflowRun): Cancelable<WorkflowResult> {
	const mode = run.mode ?? 'manual';
	const stored = storedWorkflow(run.workflow);
	const workflow = new Workflow({ ...stored, nodeTypes: new NodeRegistry(run.nodeTypes) });
	const node = workflow.getNode(run.start);
	if (!node) throw new UnexpectedError(`The workflow has no node "${run.start}"`);
	const instance = {
		credentials: new CredentialStore(run.credentials ?? {}),
		publicUrl: run.publicUrl,
	};
	const additionalData = forExecution(instance, mode, nextExecutionId(), stored);
	if (run.onResponse) additionalData.hooks.addHandler('sendResponse', run.onResponse);
	const main = [run.items ?? [{ json: {} }]];
	const execution = startExecution({
		workflow,
		mode,
		scope: newScope(run.binaryMode),
		data: createRunExecutionData({
			executionData: { nodeExecutionStack: [{ node, data: { main }, source: null }] },
			resultData: run.failure && failureOf(node, run.failure),
		}),
		additionalData,
	});
	const result = execution.then((ended) => ({ ...ended, runData: ended.data.resultData.runData }));
	return Object.assign(result, { cancel: execution.cancel });
}
