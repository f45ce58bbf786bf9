import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor } from '../support/wait';
import { Stage } from './stage';
import { happen, Steps, useSteps } from './steps';
import { withNode } from './workflow';

/** Longer than the watchdog waits between two checks. */
const HEALING_MS = 150_000;

/** Three bots that lost their subscriptions, each in another way, and the steps after their triggers. */
interface Robbed {
	deleted: Stage;
	expired: Stage;
	usurped: Stage;
	/** The subscription that somebody else has now. */
	lost: Awaited<ReturnType<Stage['subscriptions']>>[number] | undefined;
	steps: Steps;
}

describe('the trigger in a real n8n', () => {
	let robbed: Robbed;
	// The watchdog takes its time, so the other tests run meanwhile.
	beforeAll(async () => {
		robbed = await rob();
	}, 120_000);
	afterAll(async () => {
		for (const stage of [robbed.deleted, robbed.expired, robbed.usurped]) await stage.close();
		await robbed.steps.close();
	}, 120_000);

	const played = useSteps();

	const subscribed = async () =>
		(await played.stage.subscriptions()).map(({ update_types }) => update_types);

	it('is subscribed to other events when the workflow is published with them', async () => {
		const { stage, steps } = played;
		const draft = steps.workflow(stage, { events: ['bot_started'] });
		const active = await stage.createActive(draft);
		const [before] = await stage.subscriptions();
		expect(await subscribed()).toEqual([['bot_started']]);

		const parameters = { events: ['bot_added', 'bot_removed'] };
		const { nodes } = withNode(active, 'Trigger', { parameters });
		await stage.n8n.activate(await stage.n8n.updateWorkflow(active, { nodes }));

		expect(await subscribed()).toEqual([['bot_added', 'bot_removed']]);
		expect((await stage.subscriptions())[0]?.url).toBe(before?.url);
	});

	it('loses no event and runs none twice while its workflow is published again and again', async () => {
		const { stage, steps } = played;
		let workflow = await stage.createActive(steps.workflow(stage));
		const sent: string[] = [];
		let isOver = false;
		const stream = async () => {
			while (!isOver) {
				const payload = `published-${sent.length}`;
				sent.push(payload);
				await happen(stage, payload);
				await sleep(100);
				// A slow machine is given time to process them.
				const isShort = () => steps.missing(sent).length < 20;
				await waitFor(isShort, { timeout: 60_000, what: 'the events under way' });
			}
		};
		const streaming = stream();
		for (let time = 0; time < 4; time++) {
			const events = time % 2 === 0 ? ['bot_started', 'message_created'] : ['*'];
			const { nodes } = withNode(workflow, 'Trigger', { parameters: { events } });
			workflow = await stage.n8n.updateWorkflow(workflow, { nodes });
			workflow = await stage.n8n.activate(workflow);
		}
		isOver = true;
		await streaming;
		const answered = async () => {
			const deliveries = await stage.control.journal({ kind: 'delivery' });
			return deliveries.filter(({ attempt }) => attempt === 1).length;
		};
		// Advancing the clock would cut off a delivery in flight.
		await waitFor(async () => (await answered()) === sent.length, {
			timeout: 60_000,
			what: 'answers',
		});
		// Events that found no webhook in n8n are delivered again.
		await stage.control.advance(61_000);
		await steps.all(sent, 60_000);
		expect(steps.repeated).toEqual([]);
	});

	it('gets one event by polling in a run from the editor', async () => {
		const { stage, steps } = played;
		const workflow = await stage.create(steps.workflow(stage, { delivery: 'polling' }));
		const id = await stage.n8n.run(workflow, 'Trigger');
		await happen(stage, 'tested');
		expect(await stage.n8n.executions.finished(id)).toMatchObject({ status: 'success' });
		expect(steps.of('tested')).toBe(1);
	});

	it(
		'is subscribed again within minutes, however it lost its subscription, and gets what was missed',
		async () => {
			const { deleted, expired, usurped, lost, steps } = robbed;
			const healed = async () => {
				const kept = [await deleted.subscriptions(), await expired.subscriptions()];
				const [owned] = await usurped.subscriptions();
				return kept.every(({ length }) => length === 1) && owned?.secret === lost?.secret;
			};
			await waitFor(healed, { timeout: HEALING_MS, interval: 1000, what: 'the subscriptions' });
			// The event has been refused more than once, and is delivered again after ever longer pauses.
			await usurped.control.advance(1_800_000);
			await happen(deleted, 'healed');
			await happen(expired, 'healed-too');
			await steps.all(['missed', 'refused', 'healed', 'healed-too']);
			expect(steps.repeated).toEqual([]);
		},
		HEALING_MS + 60_000,
	);
});

async function rob(): Promise<Robbed> {
	const steps = await Steps.open();
	const [deleted, expired, usurped] = [await Stage.open(), await Stage.open(), await Stage.open()];
	for (const each of [deleted, expired, usurped]) await each.createActive(steps.workflow(each));

	const [own] = await deleted.subscriptions();
	await deleted.call('DELETE', '/subscriptions', { query: { url: own?.url ?? '' } });
	await happen(deleted, 'missed');

	await expired.control.setFaults([
		{ match: { origin: 'delivery' }, count: -1, then: { status: 502 } },
	]);
	await happen(expired, 'lost');
	await expired.control.advance(9 * 3_600_000);
	await expired.control.setFaults([]);
	expect([await deleted.subscriptions(), await expired.subscriptions()]).toEqual([[], []]);

	const [lost] = await usurped.subscriptions();
	const theirs = { url: lost?.url, secret: 'somebody-elses' };
	await usurped.call('POST', '/subscriptions', { body: theirs });
	await happen(usurped, 'refused');
	return { deleted, expired, usurped, lost, steps };
}
