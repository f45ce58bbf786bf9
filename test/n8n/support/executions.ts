import { parse } from 'flatted';
import type {
	ExecutionStatus,
	IDataObject,
	IRunExecutionData,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { waitFor } from '../../support/wait';
import type { Session } from './session';

interface ExecutionSummary {
	id: string;
	workflowId: string;
	status: ExecutionStatus;
	mode: WorkflowExecuteMode;
}

interface Execution extends ExecutionSummary {
	data: IRunExecutionData;
}

const OVER: ExecutionStatus[] = ['success', 'error', 'crashed', 'canceled'];

const PATIENCE_MS = 30_000;

/** The executions stored in n8n. */
export class Executions {
	constructor(private readonly session: Session) {}

	/** At most 100, newest first; all, or those with one status. */
	async list(workflow: { id: string }, status?: ExecutionStatus): Promise<ExecutionSummary[]> {
		const filter = { workflowId: workflow.id, ...(status && { status: [status] }) };
		const { results } = await this.session.request<{ results: ExecutionSummary[] }>(
			'GET',
			'/rest/executions',
			{ query: { filter: JSON.stringify(filter), limit: 100 } },
		);
		return results;
	}

	/** One execution with the data of all its nodes. */
	async get(id: string): Promise<Execution> {
		const { data, ...rest } = await this.session.request<ExecutionSummary & { data: string }>(
			'GET',
			`/rest/executions/${id}`,
		);
		return { ...rest, data: parse(data) };
	}

	/** Retries a failed execution as a person does. */
	async retry(id: string): Promise<void> {
		await this.session.request('POST', `/rest/executions/${id}/retry`, {
			body: { loadWorkflow: false },
		});
	}

	/** Waits until the execution has ended, however it ends. */
	async finished(id: string): Promise<Execution> {
		return await waitFor(
			async () => {
				const execution = await this.get(id);
				return OVER.includes(execution.status) && execution;
			},
			{ timeout: PATIENCE_MS, what: `execution ${id} to end` },
		);
	}

	/** Waits until this many executions of the workflow have ended; resolves to them, oldest first. */
	async ofWorkflow(workflow: { id: string }, count: number) {
		let seen: ExecutionSummary[] = [];
		const over = await waitFor(
			async () => {
				seen = await this.list(workflow);
				const ended = seen.filter(({ status }) => OVER.includes(status));
				return ended.length >= count && ended;
			},
			{
				timeout: PATIENCE_MS,
				what: () => `${count} finished executions, there are ${JSON.stringify(seen)}`,
			},
		);
		return await Promise.all(over.reverse().map(async ({ id }) => await this.get(id)));
	}
}

/** The JSON of the items that a node's last run produced at its first output. */
export function jsonOf(execution: Execution, node: string): IDataObject[] {
	const items = execution.data.resultData.runData[node]?.at(-1)?.data?.main?.[0] ?? [];
	return items.map(({ json }) => json);
}
