import { hurry, setClockBack } from '../../support/hurry';
import { waitFor } from '../../support/wait';
import { Stage } from '../support/stage';

const EVENTS = ['message_created', 'bot_started'];

describe('the subscription of a trigger', () => {
	hurry(5);
	const stage = Stage.forEachTest();

	const requests = async (method: string) =>
		await stage.control.journal({ kind: 'request', method, path: '/subscriptions' });

	const active = async () => await stage.activeTrigger({ events: EVENTS });

	describe('is restored', () => {
		it.each([
			['it was deleted', async (url: string) => await stage.unsubscribe(url)],
			[
				'somebody subscribed it for other events',
				async (url: string) => await stage.subscribe(url, { update_types: ['bot_added'] }),
			],
		])('when %s', async (_, change) => {
			const host = await active();
			const before = await stage.subscriptions();
			await change(host.webhookUrl());
			await host.memory.tick();
			expect(await stage.subscriptions()).toMatchObject(
				before.map(({ url, update_types, secret }) => ({ url, update_types, secret })),
			);
			expect(host.logged).toContainEqual(expect.stringContaining('again'));
		});

		it.each([
			['', 0],
			[', also when the clock of the machine is set back by hours', 3 * 3_600_000],
		])(
			'when the bot has a new token, with a new secret that is known a few seconds later, so that events arrive again%s',
			async (_, ms) => {
				const host = await active();
				const [before] = await stage.subscriptions();
				await stage.happen('before');
				await host.ended(1);
				await stage.renewToken();
				await host.memory.tick();
				const [after] = await stage.subscriptions();
				expect(after?.secret).toMatch(/^[\da-f]{64}$/);
				expect(after?.secret).not.toBe(before?.secret);
				// The platform lives in this process: what it plans by the clock before, would be due hours later.
				const restoreClock = setClockBack(ms);
				await stage.happen('after');
				const hasCome = async () => {
					// The service delivers a refused event again after a minute.
					await stage.control.advance(61_000);
					return host.stored.executions.length > 1;
				};
				await waitFor(hasCome, { what: 'the event', interval: 200 }).finally(restoreClock);
			},
		);

		it('when the credential is that of another bot', async () => {
			const host = await active();
			const other = await stage.control.createBot();
			stage.credentials.botMessagingApi.accessToken = other.token;
			await host.memory.tick();
			expect(await stage.control.subscriptions(other.user_id)).toMatchObject([
				{ url: host.webhookUrl() },
			]);
		});

		it.each([
			[
				'while the service is down, as soon as it answers again',
				async () => await stage.fault({ path: '/*' }, { status: 403 }, { count: -1 }),
				async () => void (await stage.control.setFaults([])),
			],
			[
				'with an unusable credential, as soon as that is mended',
				async () => void (stage.credentials.botMessagingApi.baseUrl = 'not an address'),
				async () => void (stage.credentials.botMessagingApi.baseUrl = stage.platform.baseUrl),
			],
		])('at a start of n8n %s', async (_, obstruct, mend) => {
			const host = await active();
			await stage.unsubscribe(host.webhookUrl());
			await obstruct();
			await host.restart();
			// A check may be under way.
			await host.memory.tick();
			await mend();
			await host.memory.tick();
			expect(await stage.subscriptions()).toMatchObject([{ url: host.webhookUrl() }]);
		});

		it('at a start of n8n without its WEBHOOK_URL, at the address from before', async () => {
			const host = await active();
			const url = host.webhookUrl();
			await stage.unsubscribe(url);
			host.stored.publicUrl = 'http://localhost:5678';
			await host.restart();
			await host.memory.tick();
			expect(await stage.subscriptions()).toMatchObject([{ url }]);
			expect(host.logged).toContainEqual(expect.stringContaining('webhook address'));
		});
	});

	it('is removed when the workflow is switched off after a start of n8n without its WEBHOOK_URL', async () => {
		const host = await active();
		host.stored.publicUrl = 'http://localhost:5678';
		await host.restart();
		await host.deactivate();
		await waitFor(async () => (await stage.subscriptions()).length === 0, {
			what: 'the subscription to disappear',
		});
	});

	it('of another n8n stays when a copy of the workflow cannot be published', async () => {
		const host = await stage.trigger({ events: EVENTS });
		const url = host.webhookUrl();
		host.stored.staticData = { [`node:${host.stored.node.name}`]: { url } };
		await stage.subscribe(url);
		host.stored.publicUrl = 'http://localhost:5678';
		await expect(host.activate()).rejects.toThrow('webhook address');
		// As n8n does then.
		await host.deactivate();
		// Nothing is planned to be removed later, either.
		expect(host.logged).toContainEqual(expect.stringContaining('could not be removed'));
		expect(await stage.subscriptions()).toMatchObject([{ url }]);
	});

	it('is not made again and again if the service does not list its events', async () => {
		const host = await active();
		const body = JSON.stringify({ subscriptions: [{ url: host.webhookUrl() }] });
		const subscriptions = { method: 'GET', path: '/subscriptions' };
		await stage.fault(subscriptions, { status: 200, body }, { count: -1 });
		for (let look = 0; look < 4; look++) await host.memory.tick();
		expect(await requests('POST')).toHaveLength(2);
	});

	it('is checked every few minutes', async () => {
		const host = await active();
		expect(host.memory.cronExpressions).toEqual([expect.stringMatching(/^\d+ \*\/2 \* \* \* \*$/)]);
	});

	it('that cannot be checked for long is reported to the error workflow once', async () => {
		const host = await active();
		await stage.fault(
			{ path: '/subscriptions' },
			{ status: 403, body: { message: 'Not now.' } },
			{ count: -1 },
		);
		for (let tick = 0; tick < 5; tick++) await host.memory.tick();
		expect(host.memory.failures).toMatchObject([
			{
				message: expect.stringContaining('3 times'),
				description: expect.stringContaining('Not now. Events may not arrive.'),
			},
		]);
		await stage.control.setFaults([]);
		await stage.unsubscribe(host.webhookUrl());
		await host.memory.tick();
		expect(await stage.subscriptions()).toHaveLength(1);
	});

	it('is not made again by a watchdog that runs while the workflow is switched off', async () => {
		const host = await active();
		await stage.unsubscribe(host.webhookUrl());
		await stage.fault({ method: 'GET', path: '/subscriptions' }, { delay_ms: 50 });
		await Promise.all([host.memory.tick(), host.deactivate()]);
		expect(await stage.subscriptions()).toEqual([]);
	});
});
