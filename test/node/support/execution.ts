import { startServices } from './services';
import { WorkflowExecute } from 'n8n-core';
import {
	type ExecutionStatus,
	type IDataObject,
	type IRunExecutionData,
	type IWorkflowExecuteAdditionalData,
	type Workflow,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { within, type Scope } from './scope';

/** The result of a run, which can be canceled from outside as a user stops an execution. */
export type Cancelable<T> = Promise<T> & { cancel(): void };

/** An error as n8n stores it with the execution and shows it to users: plain data, not an instance of a class. */
export interface ShownError {
	name?: string;
	message: string;
	description?: string | null;
	/** Status of the service's answer, as a string. */
	httpCode?: string | null;
	/** The service's own words. */
	messages?: string[];
	context?: IDataObject;
	stack?: string;
}

/** One execution, ready to be started. */
interface Task {
	workflow: Workflow;
	mode: WorkflowExecuteMode;
	data: IRunExecutionData;
	additionalData: IWorkflowExecuteAdditionalData;
	scope: Scope;
}

/** How an execution ended. */
export interface Ended {
	status: ExecutionStatus;
	error?: ShownError;
	/** Output of every node that ran. */
	data: IRunExecutionData;
	/** What n8n would store as the workflow's static data; undefined if no node changed it. */
	newStaticData?: IDataObject;
}

/**
 * Runs a task in n8n's engine. Never rejects: a failure, even of checks before the first node, is in `error`. After
 * `cancel()` the engine aborts the signal that nodes see, waits for the running node and runs no further one.
 */
export function startExecution(task: Task): Cancelable<Ended> {
	const cancellation = new AbortController();
	const ended = (async () => {
		await startServices();
		return await within(task.scope, async () => await execute(task, cancellation.signal));
	})();
	return Object.assign(ended, { cancel: () => cancellation.abort() });
}

async function execute(task: Task, cancellation: AbortSignal): Promise<Ended> {
	const { workflow, mode, data, additionalData } = task;
	let stored: Pick<Ended, 'status' | 'newStaticData'> | undefined;
	additionalData.hooks?.addHandler('workflowExecuteAfter', ({ status }, newStaticData) => {
		// Only the first call counts: after a cancellation n8n stores nothing that comes later.
		stored ??= { status, newStaticData };
	});
	try {
		const execution = new WorkflowExecute(additionalData, mode, data).processRunExecutionData(
			workflow,
		);
		const cancel = () => execution.cancel();
		if (cancellation.aborted) cancel();
		cancellation.addEventListener('abort', cancel);
		const run = await execution;
		return { status: run.status, ...stored, error: run.data.resultData.error, data: run.data };
	} catch (error) {
		return { status: 'error', error: shown(error), data };
	}
}

function shown(error: unknown): ShownError {
	return error instanceof Error ? error : { message: String(error) };
}

let executions = 0;

/** Execution IDs count up, as in n8n's database. */
export function nextExecutionId(): string {
	return String(++executions);
}
