import './environment';
import {
	createRunExecutionData,
	NodeOperationError,
	UnexpectedError,
	Workflow,
	type IConnections,
	type ICredentialType,
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
import { NodeRegistry, watched, type NodeTypeMap } from './nodeTypes';
import { newScope, type BinaryMode, type LogLine } from './scope';
import { startServices } from './services';

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
	/** Default: the credential of this package. */
	credentialTypes?: ICredentialType[];
	/** Default: manual. */
	mode?: WorkflowExecuteMode;
	/** Default: filesystem, as in n8n. */
	binaryMode?: BinaryMode;
	/** Cancels the run, as its `cancel()` does. */
	signal?: AbortSignal;
}

export interface WorkflowRun extends RunOptions {
	workflow: WorkflowDefinition;
	nodeTypes: NodeTypeMap;
	/** Name of the node to start from. Default: the first without an incoming connection. */
	start?: string;
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
	/** The original errors that nodes threw, one per try. */
	thrown: unknown[];
	/** What nodes and the engine wrote to n8n's log. */
	logs: LogLine[];
	/** Items of a node's last run; empty if it did not run. */
	itemsOf(nodeName: string, output?: number): INodeExecutionData[];
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

function startNodeOf(workflow: Workflow, name?: string): INode {
	const isFirst = (node: INode) => !workflow.connectionsByDestinationNode[node.name];
	const nodes = Object.values(workflow.nodes);
	const node = nodes.find((candidate) =>
		name === undefined ? isFirst(candidate) : candidate.name === name,
	);
	if (!node) throw new UnexpectedError(`The workflow has no node to start from (${name ?? 'any'})`);
	return node;
}

/** What n8n stores if the start node failed before the execution. */
function failureOf(startNode: INode, error: Error): IRunExecutionData['resultData'] {
	const failure = new NodeOperationError(startNode, error);
	return { runData: {}, lastNodeExecuted: startNode.name, error: failure };
}

/** Runs a workflow in n8n's engine, from its start node to its end. Never rejects because of a node. */
export function runWorkflow(run: WorkflowRun): Cancelable<WorkflowResult> {
	const cancellation = new AbortController();
	run.signal?.addEventListener('abort', () => cancellation.abort());
	if (run.signal?.aborted) cancellation.abort();
	return Object.assign(start(run, cancellation.signal), { cancel: () => cancellation.abort() });
}

async function start(run: WorkflowRun, cancellation: AbortSignal): Promise<WorkflowResult> {
	await startServices();
	const thrown: unknown[] = [];
	const types = Object.entries(run.nodeTypes).map(([name, type]) => [
		name,
		watched(type, (error) => thrown.push(error)),
	]);
	const stored = storedWorkflow(run.workflow);
	const workflow = new Workflow({
		...stored,
		nodeTypes: new NodeRegistry(Object.fromEntries(types)),
	});
	const main = [run.items ?? [{ json: {} }]];
	const mode = run.mode ?? 'manual';
	const scope = newScope(run.binaryMode);
	const instance = {
		credentials: new CredentialStore(run.credentials ?? {}, run.credentialTypes),
		publicUrl: run.publicUrl,
	};
	const startNode = startNodeOf(workflow, run.start);
	const additionalData = forExecution(instance, mode, nextExecutionId(), stored);
	if (run.onResponse) additionalData.hooks.addHandler('sendResponse', run.onResponse);
	const execution = startExecution({
		workflow,
		mode,
		scope,
		data: createRunExecutionData({
			executionData: { nodeExecutionStack: [{ node: startNode, data: { main }, source: null }] },
			resultData: run.failure && failureOf(startNode, run.failure),
		}),
		additionalData,
	});
	if (cancellation.aborted) execution.cancel();
	cancellation.addEventListener('abort', () => execution.cancel());
	const ended = await execution;
	const { runData } = ended.data.resultData;
	return {
		...ended,
		runData,
		thrown,
		logs: scope.logs,
		itemsOf: (nodeName, output = 0) => runData[nodeName]?.at(-1)?.data?.main?.[output] ?? [],
	};
}
