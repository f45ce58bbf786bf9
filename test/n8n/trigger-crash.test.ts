import { setTimeout as sleep } from 'node:timers/promises';
import { startOwnN8n, type OwnN8n } from './own';
import { Stage } from './stage';
import { happen, payloadsOf, Steps } from './steps';

const KILLS = 10;
const EVENTS_PER_KILL = 50;

/** Between two events, in ms. */
const PACE_MS = 100;

/** Of the events that were under way when n8n was killed, one for each kill at most may have crashed. */
const MOST_CRASHED = KILLS;

/** Later than the first repetition of a delivery. */
const REPETITION_MS = 61_000;
const HOUR_MS = 3_600_000;

describe('a trigger in an n8n that is killed again and again', () => {
	let own: OwnN8n;
	let stage: Stage;
	let steps: Steps;

	beforeAll(async () => {
		own = await startOwnN8n();
	}, 300_000);
	afterAll(async () => {
		await own.close();
	}, 120_000);
	beforeEach(async () => {
		steps = await Steps.open();
		stage = await Stage.open({}, own.place);
	});
	afterEach(async () => {
		await stage.close();
		steps.close();
	}, 240_000);

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

	it('runs the steps of 500 events once, none twice, and n8n has every one', async () => {
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
		const crashed = await steps.allOrCrashed(sent, own.place, workflow);
		expect(crashed.slice(MOST_CRASHED)).toEqual([]);
		expect(await unanswered(crashed)).toEqual([]);
		expect(steps.repeated).toEqual([]);
	}, 600_000);

	/** Those of the events whose first delivery was not answered: they came again and had to run. */
	const unanswered = async (payloads: string[]): Promise<string[]> => {
		const journal = await stage.control.journal({ kind: 'delivery' });
		return payloads.filter((payload) =>
			journal.some(
				(entry) =>
					entry.kind === 'delivery' &&
					entry.attempt === 1 &&
					entry.status !== 200 &&
					JSON.stringify(entry.update).includes(JSON.stringify(payload)),
			),
		);
	};
});
