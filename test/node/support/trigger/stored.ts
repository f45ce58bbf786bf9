import {
	deepCopy,
	jsonParse,
	Workflow,
	type ExecutionCancelledError,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type IWorkflowExecuteAdditionalData,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { leadingTo } from '../../../support/node';
import { additionalDataOf } from '../additionalData';
import { CredentialStore, type CredentialData } from '../credentials';
import { toWorkflowNode, type NodeUse } from '../engine';
import type { Cancelable } from '../execution';
import { NodeRegistry } from '../nodeTypes';
import {
	runWorkflow,
	storedWorkflow,
	type WorkflowDefinition,
	type WorkflowResult,
	type WorkflowRun,
} from '../workflow';

/** A workflow that begins with a trigger node, and what it needs. */
export interface TriggerUse extends NodeUse {
	/** By credential type: `{ botMessagingApi: { baseUrl, accessToken } }`. */
	credentials?: CredentialData;
	/** Default: a new workflow. Workflows with the same ID share n8n's memory of processed events. */
	workflowId?: string;
	/** The node after the trigger, if any. */
	next?: NodeUse;
}

/** One execution of the workflow. */
export interface StartedExecution {
	/** `webhook`, `trigger`, or `manual` for a test run. */
	mode: WorkflowExecuteMode;
	/** What `webhook()` or `emit` passed to the trigger node's `execute()`. */
	handed: INodeExecutionData[];
	result: Cancelable<WorkflowResult>;
	/** Stops it for this reason, as a person, a timeout or a shutdown does. */
	stop(reason: ExecutionCancelledError): void;
}

/** What is to be executed. */
type Start = Pick<StartedExecution, 'mode' | 'handed'> &
	Pick<WorkflowRun, 'failure' | 'onResponse'>;

/** The workflow as in n8n's database: its definition, its static data and its executions. */
export class StoredTrigger {
	/** As saved; nodes work on copies. */
	staticData: IDataObject = {};

	readonly executions: StartedExecution[] = [];

	readonly definition: WorkflowDefinition & { id: string };

	/** The trigger node. */
	readonly node: INode;

	private readonly nodeTypes: Record<string, NodeUse['node']>;

	constructor(
		private readonly use: TriggerUse,
		/** Public address (WEBHOOK_URL), without a trailing slash. */
		public publicUrl: string,
	) {
		const { next, credentials } = use;
		this.node = toWorkflowNode(onCanvas(use), credentials);
		const follower = next && { ...toWorkflowNode(next, credentials), id: next.nodeId ?? 'next' };
		this.nodeTypes = {
			[this.node.type]: use.node,
			...(next && follower && { [follower.type]: next.node }),
		};
		this.definition = storedWorkflow({
			id: use.workflowId,
			nodes: follower ? [this.node, follower] : [this.node],
			connections: follower ? { [this.node.name]: leadingTo(follower.name) } : {},
		});
	}

	/** Replaces the trigger node's parameters, as saving the workflow does. */
	setParameters(parameters: NonNullable<NodeUse['parameters']>): void {
		this.node.parameters = parameters;
	}

	/** Loads the workflow from the database. */
	load(given: { active: boolean; staticData?: IDataObject }): Workflow {
		return new Workflow({
			...deepCopy(this.definition),
			active: given.active,
			nodeTypes: new NodeRegistry(this.nodeTypes),
			staticData: asJson(given.staticData ?? this.staticData),
		});
	}

	/** Saves the static data of a loaded workflow if a node changed it. */
	save({ staticData }: Workflow): void {
		if (staticData.__dataChanged !== true) return;
		this.staticData = asJson(staticData);
		staticData.__dataChanged = false;
	}

	additionalData(): IWorkflowExecuteAdditionalData {
		const { credentials = {} } = this.use;
		return additionalDataOf({
			credentials: new CredentialStore(credentials),
			publicUrl: this.publicUrl,
		});
	}

	/** Starts an execution of the whole workflow, with these items as input of the trigger node. */
	start({ failure, onResponse, ...execution }: Start): StartedExecution {
		const { credentials } = this.use;
		const result = runWorkflow({
			credentials,
			publicUrl: this.publicUrl,
			failure,
			onResponse,
			nodeTypes: this.nodeTypes,
			workflow: deepCopy({ ...this.definition, staticData: this.staticData }),
			start: this.node.name,
			items: execution.handed,
			mode: execution.mode,
		});
		void result.then(({ newStaticData }) => {
			if (newStaticData && execution.mode !== 'manual') this.staticData = asJson(newStaticData);
		});
		const started = { ...execution, result, stop: () => result.cancel() };
		this.executions.push(started);
		return started;
	}
}

/** The data after a round trip through a JSON column of a database. */
function asJson(data: IDataObject): IDataObject {
	return jsonParse(JSON.stringify(data));
}

/** The settings of the trigger node itself. */
function onCanvas(use: TriggerUse): NodeUse {
	const { credentials, workflowId, next, ...node } = use;
	return { webhookId: '0b8f4a9e-6f0c-4a37-9f7e-000000000001', ...node };
}
