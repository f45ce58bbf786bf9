import { Container } from '@n8n/di';
import { ActiveWorkflowTriggers, ScheduledTaskManager, TriggerContext } from 'n8n-core';
import {
	UnexpectedError,
	type Cron,
	type INode,
	type ITriggerFunctions,
	type IWorkflowExecuteAdditionalData,
	type SchedulingFunctions,
	type Workflow,
	type WorkflowActivateMode,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { AsyncResource } from 'node:async_hooks';
import type { WorkflowResult } from '../workflow';
import type { StoredTrigger } from './stored';

interface RegisteredCron extends Cron {
	onTick: (scheduledTime: Date) => unknown;
}

/** What a node's `trigger()` keeps running while the workflow is active. */
export class InMemoryTrigger {
	/** Errors passed to `emitError` or `saveFailedExecution`. */
	readonly failures: Error[] = [];

	/** Awaited when an execution is stored; tests replace it to make n8n's database slow. */
	storing: () => Promise<void> = async () => {};

	/** How many of the next executions cannot be stored because n8n's database is busy. */
	unstorable = 0;

	private crons: RegisteredCron[] = [];

	constructor(private readonly stored: StoredTrigger) {}

	/** Runs `trigger()`, if the node has one. Rejects with n8n's activation error if it throws. */
	async start(workflow: Workflow, activation: WorkflowActivateMode): Promise<void> {
		const nodeIds = workflow.getTriggerNodes().map(({ id }) => id);
		await Container.get(ActiveWorkflowTriggers).addTriggers(
			workflow.id,
			workflow,
			nodeIds,
			this.stored.additionalData(),
			'trigger',
			activation,
			(...given) => this.contextFor(...given),
			() => {
				throw new UnexpectedError('Polling nodes are not played here');
			},
		);
	}

	/** Calls the `closeFunction` from `trigger()`, and drops its crons. */
	async stop(): Promise<void> {
		const { definition, node } = this.stored;
		this.crons = [];
		await Container.get(ActiveWorkflowTriggers).removeTriggers(definition.id, new Set([node.id]));
	}

	/** Cron expressions that the node registered. */
	get cronExpressions(): string[] {
		return this.crons.map(({ expression }) => expression);
	}

	/** Lets all crons tick once, now, and waits for them. */
	async tick(): Promise<void> {
		const now = new Date();
		await Promise.all(this.crons.map(async ({ onTick }) => await onTick(now)));
	}

	private contextFor(
		workflow: Workflow,
		node: INode,
		additionalData: IWorkflowExecuteAdditionalData,
		mode: WorkflowExecuteMode,
		activation: WorkflowActivateMode,
	): ITriggerFunctions {
		const fail = (error: Error) => {
			this.failures.push(error);
		};
		const failAndStop = (error: Error) => {
			fail(error);
			void this.stop();
		};
		const emit = this.emitter(workflow);
		const scheduling = this.scheduling(workflow, node);
		return new TriggerContext(
			workflow,
			node,
			additionalData,
			mode,
			activation,
			emit,
			failAndStop,
			fail,
			scheduling,
		);
	}

	/** n8n checks the expression and registers the cron, but only the test makes it tick. */
	private scheduling(workflow: Workflow, node: INode): SchedulingFunctions {
		return {
			registerCron: (cron, onTick) => {
				const { timezone } = workflow;
				const group = { type: 'workflow', id: workflow.id };
				const context = { ...cron, group, targetId: node.id, timezone };
				const isNew = Container.get(ScheduledTaskManager).register(context, () => {});
				// Ticks write to the log of the activation, wherever they are called from.
				if (isNew) this.crons.push({ ...cron, onTick: AsyncResource.bind(onTick) });
			},
		};
	}

	private emitter(workflow: Workflow): ITriggerFunctions['emit'] {
		return (data, responsePromise, donePromise) => {
			this.stored.save(workflow);
			if (this.unstorable > 0) {
				this.unstorable--;
				donePromise?.reject(new Error('SQLITE_BUSY: database is locked'));
				return;
			}
			void this.storing().then(() => {
				const started = this.stored.start({
					mode: 'trigger',
					handed: data[0] ?? [],
					onResponse: responsePromise?.resolve,
				});
				const { result } = started;
				// The trigger hears it before the node does.
				started.stop = (reason) => {
					responsePromise?.reject(reason);
					donePromise?.reject(reason);
					result.cancel();
				};
				void result.then((ended) => {
					// n8n's answer for an execution that ends without one.
					responsePromise?.resolve({});
					donePromise?.resolve(toRun(ended));
				});
			});
		};
	}
}

function toRun({ data, status }: WorkflowResult) {
	const now = new Date();
	return { data, status, mode: 'trigger', startedAt: now, stoppedAt: now, storedAt: 'db' } as const;
}
