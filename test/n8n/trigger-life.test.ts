import { waitFor } from '../support/wait';
import { Session } from './session';
import { shared } from './shared';
import { Stage } from './stage';
import { happen, Steps } from './steps';

/** Longer than two looks of the watchdog. */
const HEALING_MS = 150_000;

describe('the trigger in a real n8n', () => {
	let stage: Stage;
	let steps: Steps;
	beforeEach(async () => {
		steps = await Steps.open();
		stage = await Stage.open();
	});
	afterEach(async () => {
		await stage.close();
		steps.close();
	});

	const subscribed = async () =>
		(await stage.subscriptions()).map(({ update_types }) => update_types);

	it('is subscribed for other events when the workflow is published with them', async () => {
		const draft = steps.workflow(stage, { events: ['bot_started'] });
		const active = await stage.createActive(draft);
		const [before] = await stage.subscriptions();
		expect(await subscribed()).toEqual([['bot_started']]);

		const nodes = active.nodes.map((node) =>
			node.name === 'Trigger'
				? { ...node, parameters: { events: ['bot_added', 'bot_removed'] } }
				: node,
		);
		await stage.n8n.activate(await stage.n8n.updateWorkflow(active, { nodes }));

		expect(await subscribed()).toEqual([['bot_added', 'bot_removed']]);
		expect((await stage.subscriptions())[0]?.url).toBe(before?.url);
	});

	it('runs the steps once for deliveries that come twice, at once or later', async () => {
		await stage.createActive(steps.workflow(stage));
		await stage.control.setFaults([
			{ match: { origin: 'delivery' }, count: 1, then: { duplicate: 4 } },
			// The service does not hear of the first success.
			{ match: { origin: 'delivery' }, count: 1, then: { cut: 'after' } },
		]);
		await happen(stage, 'at-once');
		await happen(stage, 'later');
		await steps.all(['at-once', 'later']);
		await stage.control.advance(61_000);
		await happen(stage, 'last');
		await steps.all(['last']);
		expect(steps.repeated).toEqual([]);
	});

	it('says in the editor why it cannot be activated while another workflow polls', async () => {
		await stage.createActive(steps.workflow(stage, { delivery: 'polling' }));
		await expect(
			stage.createActive(steps.workflow(stage, { delivery: 'polling' })),
		).rejects.toThrow(/Another active workflow polls/);
	});

	it('gets events by polling, without any subscription', async () => {
		await stage.createActive(steps.workflow(stage, { delivery: 'polling' }));
		for (const payload of ['one', 'two']) await happen(stage, payload);
		await steps.all(['one', 'two']);
		expect(await stage.subscriptions()).toEqual([]);
	});

	it('gets one event by polling in a run from the editor', async () => {
		const workflow = await stage.create(steps.workflow(stage, { delivery: 'polling' }));
		const id = await stage.n8n.run(workflow, 'Trigger');
		await happen(stage, 'tested');
		expect(await stage.n8n.executions.finished(id)).toMatchObject({ status: 'success' });
		expect(steps.of('tested')).toBe(1);
	});

	it(
		'is subscribed again within minutes, after a deletion and after 8 hours without success',
		async () => {
			const expired = await Stage.open();
			try {
				await stage.createActive(steps.workflow(stage));
				await expired.createActive(steps.workflow(expired));
				await deleteSubscription(stage);
				await expired.control.setFaults([
					{ match: { origin: 'delivery' }, count: -1, then: { status: 502 } },
				]);
				await happen(expired, 'lost');
				await expired.control.advance(9 * 3_600_000);
				await expired.control.setFaults([]);
				expect([await stage.subscriptions(), await expired.subscriptions()]).toEqual([[], []]);

				const healed = async () =>
					(await stage.subscriptions()).length + (await expired.subscriptions()).length === 2;
				await waitFor(healed, { timeout: HEALING_MS, interval: 1000, what: 'both subscriptions' });
				await happen(stage, 'healed');
				await happen(expired, 'healed-too');
				await steps.all(['healed', 'healed-too']);
			} finally {
				await expired.close();
			}
		},
		HEALING_MS + 60_000,
	);
});

async function deleteSubscription(stage: Stage): Promise<void> {
	const { baseUrl, accessToken } = stage.access;
	const service = new Session(baseUrl, shared().ca, { authorization: accessToken });
	const [subscription] = await stage.subscriptions();
	await service.request('DELETE', '/subscriptions', { query: { url: subscription?.url ?? '' } });
	await service.close();
}
