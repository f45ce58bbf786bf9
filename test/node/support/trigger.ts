import './environment';
import type {
	INodeExecutionData,
	INodeParameters,
	IWebhookData,
	Workflow,
	WorkflowActivateMode,
} from 'n8n-workflow';
import { setImmediate } from 'node:timers/promises';
import { waitFor } from '../../support/wait';
import { newScope, within, type LogLine } from './scope';
import { startServices } from './services';
import { InMemoryTrigger } from './trigger/memory';
import { WebhookServer, type Certificate, type WebhookKind } from './trigger/server';
import { StoredTrigger, type StartedExecution, type TriggerUse } from './trigger/stored';
import { answerWebhook } from './trigger/webhookCall';
import { createIfMissing, remove, webhooksOf } from './trigger/webhooks';
import type { WorkflowResult } from './workflow';

export interface TriggerOptions extends TriggerUse {
	/** Public address (WEBHOOK_URL), without a trailing slash. */
	publicUrl: string;
	certificate: Certificate;
	/** Whether n8n runs `trigger()` only once the webhooks are registered, as before n8n 2.40. */
	webhooksFirst?: boolean;
}

interface EndedExecution extends Omit<StartedExecution, 'result'>, WorkflowResult {
	/** Output of the trigger node. */
	items: INodeExecutionData[];
}

/** A running n8n with a single workflow and trigger node. */
export class TriggerHost {
	/** What the node runs outside of webhooks: crons, a polling loop. */
	readonly memory: InMemoryTrigger;

	private readonly scope = newScope();

	private test?: { webhooks: IWebhookData[]; workflow: Workflow };

	private constructor(
		readonly stored: StoredTrigger,
		private readonly server: WebhookServer,
		readonly publicUrl: string,
		private readonly webhooksFirst: boolean,
	) {
		this.memory = new InMemoryTrigger(stored);
	}

	/** Starts the web server; the workflow is not active yet. `stop()` must be called at the end. */
	static async start(options: TriggerOptions): Promise<TriggerHost> {
		await startServices();
		const { publicUrl, certificate, webhooksFirst = false, ...use } = options;
		const server = new WebhookServer(certificate);
		await server.start();
		return new TriggerHost(new StoredTrigger(use, publicUrl), server, publicUrl, webhooksFirst);
	}

	/** Port of the webhook server on the loopback address. */
	get port(): number {
		return this.server.port;
	}

	/** What nodes and the engine logged outside of executions. */
	get logs(): LogLine[] {
		return this.scope.logs;
	}

	/** The messages among them. */
	get logged(): string[] {
		return this.logs.map(({ message }) => message);
	}

	/** Public address of the node's first webhook. */
	webhookUrl(): string {
		const workflow = this.stored.load({ active: true });
		const [webhook] = webhooksOf(workflow, this.stored.node, this.stored.additionalData());
		if (!webhook) throw new Error('The node has no webhook');
		return `${this.publicUrl}/webhook/${webhook.path}`;
	}

	/**
	 * Activates the workflow: runs `trigger()` and, concurrently, `checkExists` and if necessary `create` of each
	 * webhook; then saves the static data. Rejects with the first failure; whatever did not fail keeps running, as in n8n.
	 */
	async activate(activation: WorkflowActivateMode = 'activate'): Promise<void> {
		await within(this.scope, async () => {
			const workflow = this.stored.load({ active: true });
			const registering = this.registerWebhooks(workflow, activation);
			const turn = this.webhooksFirst ? registering : Promise.resolve();
			const phases = await Promise.allSettled([
				registering,
				turn.then(async () => await this.memory.start(workflow, activation)),
			]);
			this.stored.save(workflow);
			rethrowFirst(phases);
		});
	}

	/** Deactivates the workflow: runs `delete` of each webhook, and ends what `trigger()` started. */
	async deactivate(): Promise<void> {
		await within(this.scope, async () => {
			const workflow = this.stored.load({ active: true });
			const webhooks = this.webhooks(workflow);
			for (const webhook of webhooks) this.server.unregister('webhook', webhook);
			const phases = await Promise.allSettled([
				this.memory.stop(),
				...webhooks.map(async (webhook) => await remove(workflow, webhook)),
			]);
			this.stored.save(workflow);
			rethrowFirst(phases);
		});
	}

	/** Saves new parameters and publishes again: deactivates with the old ones, then activates with the new ones. */
	async republish(parameters: INodeParameters): Promise<void> {
		await this.deactivate();
		this.stored.setParameters(parameters);
		await this.activate('update');
	}

	/**
	 * Ends n8n's process and starts it again: what ran in memory is gone, nothing is deleted outside. As in n8n, only
	 * nodes with `trigger()` are activated again; a node with only webhooks is served again without any call to it.
	 */
	async restart(): Promise<void> {
		await within(this.scope, async () => await this.memory.stop());
		const workflow = this.stored.load({ active: true });
		if (workflow.getTriggerNodes().length > 0) await this.activate('init');
	}

	/** "Listen for test event": registers the test address until the first event that starts an execution. */
	async listenForTest(): Promise<void> {
		await within(this.scope, async () => {
			const workflow = this.stored.load({ active: false, staticData: {} });
			const webhooks = this.webhooks(workflow).map((webhook) => ({ ...webhook, isTest: true }));
			this.test = { webhooks, workflow };
			try {
				for (const webhook of webhooks) {
					this.serve('webhook-test', webhook);
					await createIfMissing(workflow, webhook, 'manual', 'manual');
				}
			} catch (error) {
				await this.stopTest();
				throw error;
			}
		});
	}

	/** "Stop listening", also called after the first event and, by n8n, after two minutes. */
	async stopTest(): Promise<void> {
		const { test } = this;
		this.test = undefined;
		if (!test) return;
		for (const webhook of test.webhooks) {
			await within(this.scope, async () => await remove(test.workflow, webhook));
			this.server.unregister('webhook-test', webhook);
		}
	}

	/** Waits until this many executions, counted from the first, have started and ended; returns all so far. */
	async ended(count: number): Promise<EndedExecution[]> {
		const { executions, node } = this.stored;
		const enough = () => executions.length >= count;
		const what = () => `${count} executions, there were ${executions.length}`;
		await waitFor(enough, { interval: 5, what });
		return await Promise.all(
			executions.map(async ({ result, ...execution }) => {
				const ended = await result;
				const items = ended.runData[node.name]?.at(-1)?.data?.main?.[0] ?? [];
				return { ...execution, ...ended, items };
			}),
		);
	}

	/** Payloads of the events that have started the workflow, in order, after this many executions. */
	async payloads(count: number): Promise<unknown[]> {
		const executions = await this.ended(count);
		return executions.flatMap(({ items }) => items.map(({ json }) => json.payload));
	}

	/** Ends everything without notifying anyone outside. */
	async stop(): Promise<void> {
		for (const { result } of this.stored.executions) result.cancel();
		try {
			await this.memory.stop();
		} finally {
			await this.server.stop();
		}
	}

	private webhooks(workflow: Workflow): IWebhookData[] {
		return webhooksOf(workflow, this.stored.node, this.stored.additionalData());
	}

	private async registerWebhooks(workflow: Workflow, activation: WorkflowActivateMode) {
		for (const webhook of this.webhooks(workflow)) {
			this.serve('webhook', webhook);
			// At this point n8n writes the webhook to its database, and `trigger()` has already begun.
			await setImmediate();
			try {
				await createIfMissing(workflow, webhook, 'trigger', activation);
			} catch (error) {
				await Promise.allSettled([remove(workflow, webhook)]);
				this.server.unregister('webhook', webhook);
				throw error;
			}
		}
	}

	private serve(kind: WebhookKind, webhook: IWebhookData): void {
		const isTest = kind === 'webhook-test';
		this.server.register(kind, webhook, async (request, response) => {
			const { stored, test } = this;
			const workflow = stored.load({ active: !isTest, staticData: isTest ? {} : undefined });
			if (isTest && test) workflow.setTestStaticData(test.workflow.staticData);
			const mode = isTest ? 'manual' : 'webhook';
			const call = { stored, workflow, webhook, mode, request, response } as const;
			const started = await within(this.scope, async () => await answerWebhook(call));
			if (isTest && started) await this.stopTest();
		});
	}
}

function rethrowFirst(phases: Array<PromiseSettledResult<void>>): void {
	for (const phase of phases) if (phase.status === 'rejected') throw phase.reason;
}
