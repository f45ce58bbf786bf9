import type { ExecutionStatus } from 'n8n-workflow';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor } from '../support/wait';
import { startOwnN8n, type OwnN8n } from './own';
import { N8nClient } from './rest';
import { Stage } from './stage';
import { happen, payloadsOf, Steps } from './steps';

const KILLS = 10;
const EVENTS_PER_KILL = 50;

/** Between two events, in ms. */
const PACE_MS = 40;

/**
 * An event is recorded as handed over a moment before the first step has its effect: some milliseconds, more in the
 * first second of a new n8n, which loads nodes when they first run. A kill in between leaves a crashed execution,
 * which n8n does not take up again. Ten kills had none to three of them; more than one for each kill would be our
 * fault, and nothing may run twice.
 */
const LOSSES = KILLS;

/** Later than the first repetition of a delivery. */
const REPETITION_MS = 61_000;
const HOUR_MS = 3_600_000;

describe('a trigger in an n8n that is killed again and again', () => {
	let own: OwnN8n;
	let stage: Stage;
	let steps: Steps;

	beforeAll(async () => {
		own = await startOwnN8n();
		steps = await Steps.open();
		stage = await Stage.open({}, own.place);
	}, 180_000);
	afterAll(async () => {
		await stage.close();
		await own.close();
		steps.close();
	}, 60_000);

	/** Sends the events; n8n is killed at a random moment and started again. */
	const stream = async (payloads: string[]) => {
		const victim = Math.floor(Math.random() * payloads.length);
		for (const [index, payload] of payloads.entries()) {
			await happen(stage, payload);
			await sleep(PACE_MS);
			if (index !== victim) continue;
			await sleep(Math.random() * PACE_MS);
			await own.instance.kill();
		}
		await own.instance.restart();
	};

	it('runs the steps of 500 events once, none twice', async () => {
		const workflow = await stage.createActive(steps.workflow(stage));
		const sent: string[] = [];
		for (let kill = 0; kill < KILLS; kill++) {
			const payloads = payloadsOf(`kill-${kill}`, EVENTS_PER_KILL);
			sent.push(...payloads);
			await stream(payloads);
			await stage.control.advance(REPETITION_MS);
		}
		for (let hour = 0; hour < 7 && steps.missing(sent).length > 0; hour++) {
			await stage.control.advance(HOUR_MS);
			await sleep(1000);
		}
		await waitFor(async () => (await countOf(workflow, 'running')) === 0, { what: 'the end' });

		expect(steps.repeated).toEqual([]);
		const lost = steps.missing(sent);
		expect(await countOf(workflow, 'crashed')).toBeGreaterThanOrEqual(lost.length);
		expect(lost.slice(LOSSES)).toEqual([]);
	}, 360_000);

	const countOf = async (workflow: { id: string }, status: ExecutionStatus): Promise<number> => {
		const client = await N8nClient.open(own.instance);
		const filter = JSON.stringify({ workflowId: workflow.id, status: [status] });
		const { results } = await client.session.request<{ results: unknown[] }>(
			'GET',
			'/rest/executions',
			{ query: { filter, limit: 100 } },
		);
		await client.close();
		return results.length;
	};
});
