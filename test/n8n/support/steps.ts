import { createServer, type Server } from 'node:http';
import type { INodeParameters } from 'n8n-workflow';
import { botStarted } from '../../support/botStarted';
import { standIn } from '../../support/standIn';
import { waitFor } from '../../support/wait';
import { close, listen } from '../../support/server';
import { N8nClient } from './rest';
import type { SharedN8n } from './shared';
import { Stage } from './stage';
import { TRIGGER, workflow, type NodeDraft, type WorkflowDraft } from './workflow';

/** The step after a trigger, counted where it takes effect: outside of n8n. */
export class Steps {
	private readonly counts = new Map<string, number>();

	/** The steps that are held up, and how to end them. */
	private held: Array<{ payload: string; end: () => void }> = [];

	private isHeld = (_payload: string): boolean => false;

	/** Payloads in the order in which their steps ran. */
	readonly arrivals: string[] = [];

	private constructor(
		private readonly server: Server,
		readonly url: string,
	) {}

	static async open(): Promise<Steps> {
		const server = createServer((request, response) => {
			const payload = decodeURIComponent((request.url ?? '').slice(1));
			steps.count(payload);
			const end = () => response.end('counted');
			if (steps.isHeld(payload)) steps.held.push({ payload, end });
			else end();
		});
		const steps = new Steps(server, `http://127.0.0.1:${await listen(server)}`);
		return steps;
	}

	/** A workflow whose only step reports to this server the payload of the event, or the text of the message. */
	workflow(stage: Stage, trigger: INodeParameters = {}): WorkflowDraft {
		const parameters = { events: ['*'], ...trigger };
		return workflow('Counted', [
			{ name: 'Trigger', type: TRIGGER, credential: stage.credential, parameters },
			this.node('Step', '$json.payload ?? $json.text'),
		]);
	}

	/** A node that reports the value of an expression to this server. */
	node(name: string, expression: string): NodeDraft {
		const url = `=${this.url}/{{ encodeURIComponent(${expression}) }}`;
		return {
			name,
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			parameters: { method: 'POST', url, options: {} },
		};
	}

	/** From now on, the steps of these payloads do not end until they are released. */
	hold(isHeld: (payload: string) => boolean): void {
		this.isHeld = isHeld;
	}

	/** Ends the held steps with these payloads. */
	release(isMeant: (payload: string) => boolean = () => true): void {
		const meant = this.held.filter(({ payload }) => isMeant(payload));
		this.held = this.held.filter(({ payload }) => !isMeant(payload));
		for (const { end } of meant) end();
	}

	/** How often the step ran for this payload. */
	of(payload: string): number {
		return this.counts.get(payload) ?? 0;
	}

	/** Payloads for which the step ran more than once. */
	get repeated(): string[] {
		return [...this.counts].flatMap(([payload, times]) => (times > 1 ? payload : []));
	}

	/** The payloads for which the step did not run. */
	missing(payloads: string[]): string[] {
		return payloads.filter((payload) => this.of(payload) === 0);
	}

	/** Waits until the step has run for all of these payloads. */
	async all(payloads: string[], timeout = 30_000): Promise<void> {
		const what = () => `the steps of ${this.missing(payloads).join(', ')}`;
		await waitFor(() => this.missing(payloads).length === 0, { timeout, what });
	}

	/**
	 * Waits until every event has run its step, or belongs to an execution that n8n lists as crashed (or as failed, if a
	 * worker ended). Some milliseconds pass between the answer and the effect of the first step, more in the first second
	 * of a new n8n, which loads nodes on first use. If n8n is killed in between, nobody can tell whether the step took
	 * effect, so it does not run again. Resolves to the payloads of those events.
	 */
	async allOrCrashed(
		payloads: string[],
		{ url, ca }: { url: string; ca: string },
		workflow: { id: string },
		timeout = 60_000,
	): Promise<string[]> {
		const client = await N8nClient.open({ url, ca });
		const { executions } = client;
		const lost = async () => {
			const ended = [
				...(await executions.list(workflow, 'crashed')),
				...(await executions.list(workflow, 'error')),
			];
			const all = await Promise.all(ended.map(async ({ id }) => await executions.get(id)));
			const data = all.map((execution) => JSON.stringify(execution.data));
			return this.missing(payloads).filter(
				(payload) => !data.some((text) => text.includes(JSON.stringify(payload))),
			);
		};
		let unexplained = payloads;
		const isExplained = async () => {
			unexplained = await lost();
			return unexplained.length === 0;
		};
		const what = () => `the steps or the crash of ${unexplained.join(', ')}`;
		try {
			await waitFor(isExplained, { timeout, interval: 500, what });
			return this.missing(payloads);
		} finally {
			await client.close();
		}
	}

	async close(): Promise<void> {
		await close(this.server);
	}

	private count(payload: string): void {
		this.arrivals.push(payload);
		this.counts.set(payload, this.of(payload) + 1);
	}
}

/** A stage and the steps after its trigger, new for each surrounding test; on the shared n8n or another one. */
export function useSteps(place?: () => SharedN8n): Readonly<{ stage: Stage; steps: Steps }> {
	let open: { stage: Stage; steps: Steps } | undefined;
	beforeEach(async () => {
		open = { stage: await Stage.open({}, place?.()), steps: await Steps.open() };
	});
	afterEach(async () => {
		await open?.stage.close();
		await open?.steps.close();
	}, 240_000);
	return standIn('The stage', () => open);
}

let events = 0;

/** Sends the bot an event with this payload, in a chat of its own if none is given; no two events are equal. */
export async function happen(
	stage: Stage,
	payload: string,
	chat_id: number = ++events,
): Promise<void> {
	await stage.control.enqueue(stage.bot.user_id, botStarted(payload, chat_id));
}

/** Payloads `prefix-0`, `prefix-1` … */
export const payloadsOf = (prefix: string, count: number): string[] =>
	Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
