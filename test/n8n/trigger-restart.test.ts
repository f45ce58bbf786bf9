import { Agent, fetch } from 'undici';
import { waitFor } from '../support/wait';
import { fuzzed } from './fuzz';
import { startOwnN8n, type OwnN8n } from './own';
import { N8nClient, type Workflow } from './rest';
import { shared } from './shared';
import { Stage } from './stage';
import { happen, payloadsOf, Steps } from './steps';

const REQUESTS = 10_000;
const AT_A_TIME = 16;

describe('a trigger and its n8n', () => {
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

	/** Resolves when the trigger has looked for its subscription after a restart. */
	const subscribed = async () =>
		await waitFor(async () => (await stage.subscriptions()).length === 1, {
			timeout: 60_000,
			what: 'the subscription',
		});

	const unsubscribe = async () => {
		const other = await stage.control.createBot();
		const [subscription] = await stage.subscriptions();
		// A url belongs to one bot at a time; this one's is then removed.
		await fetchService(stage, other.token, 'POST', '', { url: subscription?.url });
		const query = `?url=${encodeURIComponent(subscription?.url ?? '')}`;
		await fetchService(stage, other.token, 'DELETE', query);
	};

	const executionsOf = async (workflow: Workflow) => {
		const client = await N8nClient.open(own.instance);
		const executions = await client.executions.list(workflow);
		await client.close();
		return executions;
	};

	it('is subscribed again right after a restart when the subscription has gone', async () => {
		await stage.createActive(steps.workflow(stage));
		await unsubscribe();
		expect(await stage.subscriptions()).toEqual([]);
		await own.instance.restart();
		await subscribed();
		await happen(stage, 'after-restart');
		await steps.all(['after-restart']);
	}, 240_000);

	it('runs nothing again that comes again after n8n was killed and started', async () => {
		await stage.createActive(steps.workflow(stage));
		// The service does not hear of the success and delivers again.
		await stage.control.setFaults([
			{ match: { origin: 'delivery' }, count: 5, then: { cut: 'after' } },
		]);
		const payloads = payloadsOf('before-kill', 5);
		for (const payload of payloads) await happen(stage, payload);
		await steps.all(payloads);
		await own.instance.kill();
		await own.instance.restart();
		await stage.control.advance(61_000);
		await waitFor(async () => (await delivered(stage)) >= 5, { what: 'the repetitions' });
		await happen(stage, 'after-kill');
		await steps.all(['after-kill']);
		expect(steps.repeated).toEqual([]);
	}, 240_000);

	it('that polls repeats nothing over kills and restarts, and n8n has every event', async () => {
		const active = await stage.createActive(steps.workflow(stage, { delivery: 'polling' }));
		const sent: string[] = [];
		for (const round of [0, 1, 2]) {
			const payloads = payloadsOf(`poll-${round}`, 12);
			sent.push(...payloads);
			for (const payload of payloads) await happen(stage, payload);
			await waitFor(() => steps.of(`poll-${round}-3`) > 0, { what: 'some steps', timeout: 30_000 });
			if (round === 1) await own.instance.stop();
			else await own.instance.kill();
			await happen(stage, `poll-${round}-off`);
			sent.push(`poll-${round}-off`);
			await own.instance.restart();
		}
		// Two kills; an event is handed over when the one before it was recorded, so two at most are under way.
		const crashed = await steps.allOrCrashed(sent, own.place, active);
		expect(crashed.slice(4)).toEqual([]);
		expect(steps.repeated).toEqual([]);
	}, 240_000);

	it('takes 10,000 requests of all kinds, starts nothing and stays healthy', async () => {
		// n8n makes an isolate for each webhook of a community node; without it the requests take a minute, not ten.
		await own.instance.restart({ N8N_EXPRESSION_ENGINE: 'legacy' });
		const active = await stage.createActive(steps.workflow(stage));
		const [subscription] = await stage.subscriptions();
		const secret = subscription?.secret ?? '';
		const dispatcher = new Agent({ connect: { ca: shared().ca }, connections: AT_A_TIME });
		const url = `${own.instance.url}${new URL(subscription?.url ?? '').pathname}`;
		const statuses = new Map<number, number>();
		let left = REQUESTS;
		const sendAll = async () => {
			while (left-- > 0) {
				const { headers, body } = fuzzed(secret);
				const answer = await fetch(url, { method: 'POST', dispatcher, headers, body });
				await answer.arrayBuffer();
				statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
			}
		};
		await Promise.all(Array.from({ length: AT_A_TIME }, sendAll));
		await dispatcher.close();

		// 422 and 400: n8n itself, for bodies that are not what they say.
		expect([...statuses.keys()].filter((status) => ![400, 403, 422].includes(status))).toEqual([]);
		expect(statuses.get(403)).toBeGreaterThan(REQUESTS / 10);
		expect(await executionsOf(active)).toEqual([]);
		expect(own.instance.log.join('\n')).not.toContain(secret);
		await happen(stage, 'still-healthy');
		await steps.all(['still-healthy']);
	}, 600_000);
});

const delivered = async (stage: Stage) =>
	(await stage.control.journal({ kind: 'delivery', status: 200 })).length;

async function fetchService(
	stage: Stage,
	token: string,
	method: string,
	query = '',
	body?: object,
) {
	const dispatcher = new Agent({ connect: { ca: shared().ca } });
	const answer = await fetch(`${stage.access.baseUrl}/subscriptions${query}`, {
		method,
		dispatcher,
		headers: { authorization: token, 'content-type': 'application/json' },
		...(body && { body: JSON.stringify(body) }),
	});
	await answer.arrayBuffer();
	await dispatcher.close();
}
