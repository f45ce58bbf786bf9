import { hurry, hurryTimeouts, setClockBack } from '../../support/hurry';
import { waitFor } from '../../support/wait';
import { Stage } from '../support/stage';
import type { TriggerHost } from '../support/trigger';
import { ELSEWHERE, polled, POLLING } from './polled';

describe('a trigger that polls', () => {
	const { stage, active, activeSince, came, countPolls } = polled();

	it('goes on once a service that was down when n8n started answers again', async () => {
		const host = await activeSince();
		await host.memory.stop();
		const outage = { match: { path: '/*' }, count: -1, then: { status: 403 } };
		await stage.control.setFaults([outage]);
		await host.activate('init');
		await stage.control.setFaults([]);
		await stage.happen('b');
		await came(host, 'b');
	});

	it('goes on once the credential that was unusable when n8n started is mended', async () => {
		const host = await activeSince();
		await host.memory.stop();
		const { baseUrl = '' } = stage.credentials.botMessagingApi;
		stage.credentials.botMessagingApi.baseUrl = 'not an address';
		await host.activate('init');
		await waitFor(() => host.memory.failures.length > 0, { what: 'the report' });
		stage.credentials.botMessagingApi.baseUrl = baseUrl;
		await stage.happen('b');
		await came(host, 'b');
		expect(host.memory.failures).toMatchObject([{ message: expect.stringContaining('Base URL') }]);
	});

	it('goes on after errors of the service and broken connections, and logs each', async () => {
		const host = await active();
		await stage.control.setFaults([
			{ match: { path: '/updates' }, count: 1, then: { status: 500 } },
			{ match: { path: '/updates' }, count: 1, then: { cut: 'before' } },
		]);
		// Ends the current poll.
		await stage.control.advance(31_000);
		await stage.happen('after all');
		expect(await host.payloads(1)).toEqual(['after all']);
		expect(host.memory.failures).toEqual([]);
		expect(host.logs.filter(({ level }) => level === 'warn')).toHaveLength(2);
	});

	it('goes on when the clock of the machine is set back by hours', async () => {
		const host = await active();
		const restoreClock = setClockBack(3 * 3_600_000);
		try {
			for (const payload of ['at once', 'later']) {
				await stage.happen(payload);
				await host.ended(payload === 'later' ? 2 : 1);
			}
		} finally {
			restoreClock();
		}
	});

	it('gives up an answer that trickles and never ends', async () => {
		const hurried = hurryTimeouts(20);
		const body = JSON.stringify({ updates: [], marker: 1 });
		await stage.fault({ path: '/updates' }, { status: 200, body, slow_body_ms: 600_000 });
		try {
			const host = await active();
			await stage.happen('after all');
			expect(await host.payloads(1)).toEqual(['after all']);
		} finally {
			hurried.mockRestore();
		}
	});

	it('reports once and clearly that the token is refused, goes on when the credential has another, and reports when that is refused, too', async () => {
		const host = await active();
		const revoke = async () => {
			await stage.control.revokeToken(stage.bot.user_id);
			// Ends the current poll.
			await stage.control.advance(31_000);
		};
		await revoke();
		await stage.seen({ status: 401 }, 2);
		expect(host.memory.failures).toMatchObject([
			{
				message: expect.stringMatching(/access_token/),
				description: expect.stringMatching(/Token/),
			},
		]);
		await stage.renewToken();
		await stage.happen('after all');
		expect(await host.payloads(1)).toEqual(['after all']);
		expect(host.memory.failures).toHaveLength(1);
		await countPolls(1);
		await stage.faultMet();
		await revoke();
		await waitFor(() => host.memory.failures.length === 2, { what: 'the second report' });
	});

	it('goes on with another bot when the credential has its token', async () => {
		const host = await active();
		const other = await stage.control.createBot();
		await stage.control.enqueue(other.user_id, {
			update_type: 'bot_started',
			timestamp: 1785000120000,
			chat_id: 7,
			payload: 'other',
		});
		stage.credentials.botMessagingApi.accessToken = other.token;
		// Polls of the previous bot end empty until the credential is read again.
		const isRead = async () => {
			await stage.control.advance(31_000);
			return host.stored.executions.length > 0;
		};
		await waitFor(isRead, { what: 'the event of the other bot', interval: 500 });
		expect(await host.payloads(1)).toEqual(['other']);
		expect(host.memory.failures).toEqual([]);
	});

	it('does not start while a published workflow of this n8n has a webhook, and names it and what to do', async () => {
		await stage.activeTrigger({ events: ['bot_started'] });
		await expect(active()).rejects.toThrow(
			/: the published workflow “.+” of this n8n\. Unpublish .+ 'Receive By'/,
		);
	});

	it('does not start beside another trigger of its workflow that receives by webhook, and names it so', async () => {
		const workflowId = `both${Date.now()}`;
		await stage.activeTrigger({ events: ['bot_started'] }, { workflowId });
		const poller = stage.activeTrigger(POLLING, { workflowId, nodeId: 'poller' });
		await expect(poller).rejects.toThrow(/: another trigger of this workflow\. .+ 'Receive By'/);
	});

	it('does not start while another workflow listens for a test event, and says that it is a test run', async () => {
		const other = await stage.trigger({ events: ['bot_started'] });
		await other.listenForTest();
		await expect(active()).rejects.toThrow(/: a test run of the workflow “.+” of this n8n\. /);
	});

	it('notices a webhook that is subscribed later, and goes on when that is gone', async () => {
		const host = await active();
		await stage.subscribe(ELSEWHERE);
		await waitFor(
			async () => {
				// Ends the current poll; the next ones stay empty.
				await stage.control.advance(31_000);
				return host.memory.failures.length > 0;
			},
			{ what: 'the error', interval: 500 },
		);
		expect(host.memory.failures).toMatchObject([{ message: expect.stringContaining(ELSEWHERE) }]);
		await stage.unsubscribe(ELSEWHERE);
		await stage.happen('after all');
		expect(await host.payloads(1)).toEqual(['after all']);
		expect(host.memory.failures).toHaveLength(1);
	});

	it('names a webhook that is subscribed later also if the service refuses polls then, in words of its own', async () => {
		const host = await active();
		const refusal = { code: 'not.allowed', message: 'Method is not allowed' };
		await stage.fault({ path: '/updates' }, { status: 405, body: refusal, delay_ms: 60_000 });
		await stage.happen('a');
		await stage.faultMet();
		await stage.subscribe(ELSEWHERE);
		await stage.control.advance(60_000);
		await waitFor(() => host.memory.failures.length > 0, { what: 'the error' });
		expect(host.memory.failures).toMatchObject([{ message: expect.stringContaining(ELSEWHERE) }]);
	});

	it('is the only one of its bot even if two start at the same moment, and goes on', async () => {
		const hosts = [await stage.trigger(POLLING), await stage.trigger(POLLING)];
		const started = await Promise.allSettled(hosts.map(async (host) => await host.activate()));
		expect(started.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
		await expect(active()).rejects.toThrow(/Another active trigger polls/);
		await stage.happen('a');
		const winner = hosts[started.findIndex(({ status }) => status === 'fulfilled')];
		expect(await winner?.payloads(1)).toEqual(['a']);
	});

	it('lets another workflow poll once it is switched off', async () => {
		const host = await active();
		await host.deactivate();
		const other = await active();
		await stage.happen('a');
		await other.ended(1);
		expect(host.stored.executions).toEqual([]);
	});
});

describe('a trigger whose polls fail for minutes', () => {
	hurry(100);
	const stage = Stage.forEachTest({ limits: { polls_per_second: 1000 } });

	/** Waits until so many polls of a trigger have failed. */
	const failed = async (host: TriggerHost, count: number) => {
		const warnings = () => host.logs.filter(({ level }) => level === 'warn');
		await waitFor(() => warnings().length >= count, { interval: 5, what: 'the failures' });
	};

	it('reports once that the token is refused, and only logs it from then on', async () => {
		const host = await stage.activeTrigger(POLLING);
		await stage.control.rotateToken(stage.bot.user_id);
		await failed(host, 4);
		expect(host.memory.failures).toHaveLength(1);
	});

	it('reports nothing while polls succeed now and then', async () => {
		const host = await stage.activeTrigger(POLLING);
		for (const times of [1, 2]) {
			await stage.fault({ path: '/updates' }, { status: 500 }, { count: 7 });
			await failed(host, 7 * times);
			await stage.happen(`after ${times}`);
			await host.ended(times);
		}
		expect(host.memory.failures).toEqual([]);
	});

	it('reports once what n8n says about a credential that is gone, and goes on when it is there again', async () => {
		const host = await stage.activeTrigger(POLLING);
		const kept = stage.credentials.botMessagingApi;
		Reflect.deleteProperty(stage.credentials, 'botMessagingApi');
		await waitFor(() => host.memory.failures.length > 0, { what: 'the report' });
		Object.assign(stage.credentials, { botMessagingApi: kept });
		await stage.control.startBot(stage.bot.user_id, (await stage.control.createUser()).user_id);
		await host.ended(1);
		expect(host.memory.failures).toMatchObject([
			{
				message: expect.stringContaining('could not poll for events 8 times'),
				description: expect.stringMatching(/no credential of the type .+ polling goes on/),
			},
		]);
	});
});
