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

/** Longest key that n8n's database holds. */
const LONGEST_KEY = 255;

/** Keys of all executions of all workflows: unique in n8n's database. */
const usedKeys = new Set<string>();

interface RegisteredCron extends Cron {
	onTick: (scheduledTime: Date) => unknown;
}

/** What a node's `trigger()` keeps running while the workflow is active. */
export class InMemoryTrigger {
	/** What the node told with `emitError` or `saveFailedExecution`. */
	readonly failures: Error[] = [];

	/** What n8n's database takes to store an execution. */
	storing: () => Promise<void> = async () => {};

	/** So many of the next executions cannot be stored: n8n's database is busy. */
	unstorable = 0;

	private crons: RegisteredCron[] = [];

	constructor(private readonly stored: StoredTrigger) {}

	/** Runs `trigger()`, if the node has one. Rejects with n8n's activation error when it throws. */
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

	/** Calls what `trigger()` gave to be closed, and forgets its crons. */
	async stop(): Promise<void> {
		const { definition, node } = this.stored;
		this.crons = [];
		await Container.get(ActiveWorkflowTriggers).removeTriggers(definition.id, new Set([node.id]));
	}

	/** Whether n8n holds the node for running; if not, it would start it again every ten seconds. */
	get isRegistered(): boolean {
		const { definition, node } = this.stored;
		return Container.get(ActiveWorkflowTriggers)
			.getRegisteredTriggerNodeIds(definition.id)
			.has(node.id);
	}

	/** Cron expressions that the node registered. */
	get cronExpressions(): string[] {
		return this.crons.map(({ expression }) => expression);
	}

	/** Lets all crons tick once, now, and waits for what they do. */
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

	/** n8n checks the expression and knows of the cron; it ticks only when the test lets it. */
	private scheduling(workflow: Workflow, node: INode): SchedulingFunctions {
		return {
			registerCron: (cron, onTick) => {
				const { timezone } = workflow;
				const group = { type: 'workflow', id: workflow.id };
				const context = { ...cron, group, targetId: node.id, timezone };
				const isNew = Container.get(ScheduledTaskManager).register(context, () => {});
				// Ticks write into the log of the activation, wherever they are called from.
				if (isNew) this.crons.push({ ...cron, onTick: AsyncResource.bind(onTick) });
			},
		};
	}

	private emitter(workflow: Workflow): ITriggerFunctions['emit'] {
		return (data, responsePromise, donePromise, deduplicationKey) => {
			this.stored.save(workflow);
			if (this.unstorable > 0) {
				this.unstorable--;
				donePromise?.reject(new Error('SQLITE_BUSY: database is locked'));
				return;
			}
			if (deduplicationKey !== undefined) {
				if (deduplicationKey.length > LONGEST_KEY) throw new UnexpectedError('Key too long');
				if (usedKeys.has(deduplicationKey)) {
					// n8n says "done" here without a run, against the declared type.
					if (donePromise) Reflect.apply(donePromise.resolve, donePromise, [undefined]);
					return;
				}
				usedKeys.add(deduplicationKey);
			}
			void this.storing().then(() => {
				const { result } = this.stored.start({
					mode: 'trigger',
					handed: data[0] ?? [],
					deduplicationKey,
					onResponse: responsePromise?.resolve,
				});
				void result.then((ended) => {
					// What n8n says for an execution that ends without an answer.
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
