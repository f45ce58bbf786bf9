import type { IExecuteFunctions } from 'n8n-workflow';
import { HeldTime } from '../../support/heldTime';
import { setClockBack } from '../../support/hurry';
import { botStarted } from '../../support/botStarted';
import { waitFor } from '../../support/wait';
import { CredentialStore } from '../support/credentials';
import { PassThrough } from '../support/nodeTypes';
import { post } from './post';
import { EVENTS, HOUR_MS, watched } from './watched';

describe('the watchdog of a trigger', () => {
	const { stage, urls, active } = watched();

	let restoreClock = () => {};
	afterEach(() => restoreClock());

	it('does not hold up a start of n8n when the service hangs, so that other workflows do not have to wait', async () => {
		const host = await active();
		const most = 100;
		await stage.fault({ origin: 'api' }, { delay_ms: 600_000 }, { count: most });
		const time = new HeldTime();
		time.hold();
		await host.restart();
		// Whatever waited for the service would have given up the first request, and tried again.
		expect((await stage.control.faults())[0]?.count).toBeGreaterThanOrEqual(most - 1);
		await stage.control.setFaults([]);
		await stage.unsubscribe(host.webhookUrl());
		time.pass(60_000);
		await host.memory.tick();
		time.letGo();
		expect(await urls()).toEqual([host.webhookUrl()]);
	});

	it('goes on although n8n never ends a read of the credential, as when its database has hung', async () => {
		const host = await active();
		await stage.unsubscribe(host.webhookUrl());
		const read = jest
			.spyOn(CredentialStore.prototype, 'getDecrypted')
			.mockImplementationOnce(async () => await new Promise<never>(() => {}));
		const tick = host.memory.tick();
		await waitFor(() => read.mock.calls.length > 0, { what: 'the read of the credential' });
		const restoreClock = setClockBack(-31_000, performance);
		await tick;
		restoreClock();
		read.mockRestore();
		expect(host.logged).toContainEqual(expect.stringContaining("n8n's database did not answer"));
		await host.memory.tick();
		expect(await urls()).toEqual([host.webhookUrl()]);
	});

	it('does nothing about calls without any secret, which come from anybody', async () => {
		const host = await active();
		expect((await post(host, JSON.stringify(botStarted('forged')))).status).toBe(403);
		await host.memory.tick();
		const made = await stage.control.journal({ method: 'POST', path: '/subscriptions' });
		expect(made).toHaveLength(1);
	});

	it('leaves alone what other nodes of the workflow keep in static data', async () => {
		const counter = {
			description: { ...new PassThrough().description, name: 'counter', inputs: ['main' as const] },
			async execute(this: IExecuteFunctions) {
				const kept = this.getWorkflowStaticData('global');
				kept.count = Number(kept.count ?? 0) + 1;
				return await Promise.resolve([[{ json: { count: kept.count } }]]);
			},
		};
		const host = await stage.activeTrigger({ events: EVENTS }, { next: { node: counter } });
		for (let count = 1; count <= 3; count++) {
			await stage.happen(`event-${count}`);
			await host.ended(count);
			expect(host.stored.staticData).toMatchObject({ global: { count } });
			await host.memory.tick();
		}
	});

	it('hands over nothing that happened while the workflow was switched off, even when it looks while n8n switches it on', async () => {
		const host = await active();
		await host.memory.tick();
		await host.deactivate();
		await stage.unsubscribe(host.webhookUrl());
		await stage.happen('switched off');
		await stage.control.advance(HOUR_MS);
		restoreClock = setClockBack(-HOUR_MS, performance);
		const look = { kind: 'request', method: 'GET', path: '/subscriptions' } as const;
		const before = (await stage.control.journal(look)).length;
		await stage.fault({ method: 'POST', path: '/subscriptions' }, { delay_ms: 500 });
		const activation = host.activate();
		await stage.seen(look, before + 1);
		await host.memory.tick();
		await activation;
		await stage.happen('switched on');
		expect(await host.payloads(1)).toEqual(['switched on']);
	});

	it('reports nothing of a check that fails when the workflow has been switched off meanwhile', async () => {
		const host = await active();
		const answer = { delay_ms: 500, status: 401, body: {} };
		await stage.fault({ method: 'GET', path: '/subscriptions' }, answer);
		const look = host.memory.tick();
		await stage.faultMet();
		await Promise.all([look, host.deactivate()]);
		expect(host.memory.failures).toEqual([]);
	});

	it('does nothing for a workflow that n8n could not switch on', async () => {
		const host = await active();
		await host.deactivate();
		await stage.unsubscribe(host.webhookUrl());
		await stage.fault({ method: 'POST', path: '/subscriptions' }, { status: 403, body: {} });
		await expect(host.activate()).rejects.toThrow();
		await host.memory.tick();
		expect(await urls()).toEqual([]);
	});

	it('looks after a trigger also where n8n starts it without calling its hooks, as when its database fails at that moment', async () => {
		const host = await stage.trigger({ events: EVENTS });
		host.stored.staticData = { 'node:Bot Messaging Trigger': { url: host.webhookUrl() } };
		await host.memory.start(host.stored.load({ active: true }), 'init');
		for (let look = 0; look < 2; look++) await host.memory.tick();
		expect(await urls()).toEqual([host.webhookUrl()]);
	});

	it('looks after a trigger whose start the service has failed, from the first check on', async () => {
		const host = await stage.trigger({ events: EVENTS });
		host.stored.staticData = { 'node:Bot Messaging Trigger': { url: host.webhookUrl() } };
		await stage.fault({ origin: 'api' }, { status: 500 });
		await host.activate('init');
		expect(await urls()).toEqual([]);
		await host.memory.tick();
		expect(await urls()).toEqual([host.webhookUrl()]);
	});

	it.each([
		['', {}],
		[', also before n8n 2.40, which calls `trigger()` last', { webhooksFirst: true }],
	])(
		'tells the owner at once, and once, that the service refuses the subscription while n8n starts%s',
		async (_, order) => {
			const host = await stage.activeTrigger({ events: EVENTS }, order);
			await stage.unsubscribe(host.webhookUrl());
			const refusal = { code: 'denied', message: 'No more subscriptions' };
			await stage.fault(
				{ method: 'POST', path: '/subscriptions' },
				{ status: 403, body: refusal },
				{ count: -1 },
			);
			await host.restart();
			const isTold = () => host.memory.failures.length > 0;
			await waitFor(isTold, { what: 'the report' });
			for (let look = 0; look < 4; look++) await host.memory.tick();
			expect(host.memory.failures).toMatchObject([
				{
					message: 'The subscription of the trigger could not be checked',
					description: expect.stringMatching(/^No more subscriptions\. Events may not arrive\./),
				},
			]);
		},
	);

	it('looks after a trigger whose subscription was still there when it was switched on again', async () => {
		const host = await active();
		await host.republish({ events: EVENTS });
		await stage.unsubscribe(host.webhookUrl());
		await host.memory.tick();
		expect(await urls()).toEqual([host.webhookUrl()]);
	});

	it('looks after a trigger also when n8n could not switch on a copy of it, which has the same address', async () => {
		const host = await active();
		const { publicUrl } = host;
		const copy = await stage.trigger({ events: EVENTS }, { publicUrl });
		await copy.deactivate();
		expect(await urls()).toEqual([host.webhookUrl()]);
		await stage.unsubscribe(host.webhookUrl());
		await host.memory.tick();
		expect(await urls()).toEqual([host.webhookUrl()]);
	});
});
