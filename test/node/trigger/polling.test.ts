import type { INodeParameters } from 'n8n-workflow';
import { BotMessagingTrigger } from '../../../nodes/BotMessaging/BotMessagingTrigger.node';
import { hurry, hurryTimeouts, setClockBack } from '../../support/hurry';
import { waitFor } from '../../support/wait';
import { runNode } from '../support/engine';
import { Stage } from '../support/stage';
import type { TriggerHost } from '../support/trigger';

const POLLING = { events: ['*'], delivery: 'polling' };
const ELSEWHERE = 'https://elsewhere.example/hook';

describe('a trigger that polls', () => {
	hurry(5);
	const stage = Stage.forEachTest({ limits: { polls_per_second: 2 } });
	const active = async (parameters: INodeParameters = {}) =>
		await stage.activeTrigger({ ...POLLING, ...parameters });

	/** An active trigger that has handed over one event, with the payload a. */
	const activeSince = async () => {
		const host = await active();
		await stage.happen('a');
		await host.ended(1);
		return host;
	};

	/** Resolves when the event with this payload has started the workflow. */
	const came = async (host: TriggerHost, payload: string) => {
		const isThere = async () => (await host.payloads(1)).includes(payload);
		await waitFor(isThere, { what: `event ${payload}` });
	};

	/** The polls that were answered: until then, a poll is not in the journal. */
	const polls = async () => await stage.control.journal({ kind: 'request', path: '/updates' });

	/** From now on, `stage.faultMet()` waits until so many polls have arrived. */
	const countPolls = async (count: number) =>
		await stage.fault({ path: '/updates' }, { delay_ms: 0 }, { count });

	it.each(['uncommitted', 'latest'])(
		'subscribes nothing and starts the workflow for each event, in order, when a poll without marker means %s',
		async (polling_without_marker) => {
			await stage.control.setSettings({ polling_without_marker });
			const host = await active();
			for (const [index, payload] of ['a', 'b', 'c'].entries()) {
				await stage.happen(payload);
				await host.ended(index + 1);
			}
			expect(await host.payloads(3)).toEqual(['a', 'b', 'c']);
			const modes = host.stored.executions.map(({ mode }) => mode);
			expect(modes).toEqual(['trigger', 'trigger', 'trigger']);
			expect(await stage.subscriptions()).toEqual([]);
		},
	);

	it('asks for the chosen events within the limits of the service, and passes the marker on, so that events it has got are not sent again', async () => {
		const host = await active({ events: ['bot_started', 'bot_stopped'] });
		for (const [index, payload] of ['a', 'b'].entries()) {
			await stage.happen(payload);
			await host.ended(index + 1);
		}
		const [first, second] = await stage.seen({ kind: 'request', path: '/updates' }, 2);
		const query = { limit: '100', timeout: '30', types: 'bot_started,bot_stopped' };
		expect(first).not.toHaveProperty('query.marker');
		const marker = expect.stringMatching(/^\d+$/);
		expect(second).toMatchObject({ query: { ...query, marker }, status: 200 });
	});

	it('continues after a restart where it stopped: gets what happened meanwhile, and runs nothing twice', async () => {
		const host = await activeSince();
		await host.memory.stop();
		await stage.happen('b');
		await host.activate('init');
		await stage.happen('c');
		await came(host, 'c');
		expect(await host.payloads(3)).toEqual(['a', 'b', 'c']);
	});

	it('hands over what happened while it was changed to receive by webhook', async () => {
		const host = await activeSince();
		await host.deactivate();
		for (const payload of ['b', 'c']) await stage.happen(payload);
		host.stored.setParameters({ events: ['*'] });
		await host.activate('update');
		await stage.happen('d');
		expect((await host.payloads(4)).sort()).toEqual(['a', 'b', 'c', 'd']);
	});

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

	it('gets what happened while n8n was down before any event has started the workflow, even if a poll without marker means the latest event', async () => {
		await stage.control.setSettings({ polling_without_marker: 'latest' });
		const host = await active();
		await host.memory.stop();
		for (const payload of ['a', 'b', 'c']) await stage.happen(payload);
		await host.activate('init');
		await came(host, 'c');
		expect(await host.payloads(3)).toEqual(['a', 'b', 'c']);
	});

	it('gets later events even after one that is nested thousands of levels deep', async () => {
		const nested = `{"update_type":"poll_closed","timestamp":1,"a":${'['.repeat(5000)}${']'.repeat(5000)}}`;
		const after = JSON.stringify({ update_type: 'bot_started', timestamp: 2, payload: 'after' });
		const body = `{"updates":[${nested},${after}],"marker":1}`;
		await stage.fault({ path: '/updates' }, { status: 200, body });
		const host = await active();
		expect(await host.payloads(1)).toEqual(['after']);
	});

	it('begins anew when the service no longer takes its marker, which nobody could correct', async () => {
		const host = await activeSince();
		const then = { status: 200, body: { updates: [], marker: 'expired' } };
		await stage.fault({ path: '/updates' }, then);
		await stage.faultMet();
		await stage.happen('b');
		await came(host, 'b');
		await stage.happen('c');
		expect(await host.payloads(3)).toEqual(['a', 'b', 'c']);
		expect(host.memory.failures).toEqual([]);
		expect(host.logged).toContainEqual(expect.stringMatching(/^Polling begins anew: .*marker/i));
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

	describe('when n8n cannot store an execution', () => {
		it('retries, and passes the marker on only after that', async () => {
			const host = await activeSince();
			host.memory.unstorable = 2;
			await stage.happen('b');
			await waitFor(() => host.memory.unstorable === 0, { what: 'two tries' });
			expect(await host.payloads(2)).toEqual(['a', 'b']);
			await stage.happen('c');
			expect(await host.payloads(3)).toEqual(['a', 'b', 'c']);
			expect(host.memory.failures).toEqual([]);
		});

		it('polls no further before the events of its first poll are stored: the service may send them only once', async () => {
			await stage.happen('a');
			const host = await stage.trigger(POLLING);
			host.memory.unstorable = 3;
			await host.activate();
			await host.ended(1);
			expect(await polls()).toHaveLength(1);
		});

		it('asks for the event again until it could store it, also if n8n dies before', async () => {
			const host = await activeSince();
			host.memory.unstorable = Infinity;
			await stage.happen('b');
			await stage.seen({ kind: 'request', path: '/updates' }, 4);
			await host.memory.stop();
			host.memory.unstorable = 0;
			await host.activate('init');
			await came(host, 'b');
			const [, , third, ...again] = (await polls()).map(({ query }) => query.marker);
			expect(again.length).toBeGreaterThan(1);
			expect(new Set(again)).toEqual(new Set([third]));
		});
	});

	it('lets another workflow poll once it is switched off', async () => {
		const host = await active();
		await host.deactivate();
		const other = await active();
		await stage.happen('a');
		await other.ended(1);
		expect(host.stored.executions).toEqual([]);
	});

	it('ends the current poll when the workflow is switched off, which is no failure', async () => {
		await countPolls(2);
		const host = await active();
		await stage.faultMet();
		await host.deactivate();
		await stage.seen({ kind: 'request', path: '/updates' }, 2);
		await stage.happen('too late');
		expect(await polls()).toMatchObject([{ status: 200 }, { status: 0 }]);
		expect(host.stored.executions).toEqual([]);
		expect(host.memory.failures).toEqual([]);
		expect(host.logs.filter(({ level }) => level === 'warn')).toEqual([]);
	});

	describe('in a run from the editor', () => {
		const run = (parameters: INodeParameters = {}) =>
			runNode({
				node: new BotMessagingTrigger(),
				parameters: { ...POLLING, ...parameters },
				credentials: stage.credentials,
			});

		it('waits for one event and leaves it to the active workflow as well', async () => {
			await countPolls(3);
			const host = await active();
			const running = run();
			await stage.faultMet();
			await stage.happen('a');
			expect((await running).items).toMatchObject([{ json: { payload: 'a' } }]);
			expect(await host.payloads(1)).toEqual(['a']);
		});

		it('takes the latest event that passes the filters', async () => {
			for (const payload of ['yes', 'yes too', 'no']) await stage.happen(payload);
			const { items } = await run({
				filters: { text: { rule: { match: 'contains', value: 'yes' } } },
			});
			expect(items).toMatchObject([{ json: { payload: 'yes too' } }]);
			expect(await polls()).toMatchObject([
				{ query: expect.not.objectContaining({ marker: expect.anything() }) },
			]);
		});

		it('gives the item all fields that it has when the trigger waits for more messages', async () => {
			await stage.happen('a');
			const { items } = await run({ options: { collect_seconds: 1 } });
			expect(items).toMatchObject([{ json: { payload: 'a', collected_text: 'a' } }]);
		});

		it('goes on waiting when the service has had no event for a while', async () => {
			const running = run();
			await waitFor(
				async () => {
					await stage.control.advance(26_000);
					return (await polls()).length > 0;
				},
				{ what: 'a poll without an event' },
			);
			await stage.happen('a');
			expect((await running).items).toMatchObject([{ json: { payload: 'a' } }]);
		});

		it('says which webhook is in the way', async () => {
			await stage.subscribe(ELSEWHERE);
			const { error } = await run();
			expect(error?.message).toContain(ELSEWHERE);
		});

		it('can be canceled', async () => {
			const running = run();
			setTimeout(() => running.cancel(), 300);
			expect((await running).items).toEqual([]);
		});
	});
});

// In a hurry, the machine would seem too slow to poll more often.
describe('a trigger that polls, in its own time,', () => {
	const stage = Stage.forEachTest({ limits: { polls_per_second: 2 } });

	it('does so at most twice a second, however fast events come', async () => {
		const host = await stage.activeTrigger(POLLING);
		for (let at = 0; at < 5; at++) {
			await stage.happen(`event ${at}`);
			await host.ended(at + 1);
		}
		const polls = await stage.control.journal({ kind: 'request', path: '/updates' });
		expect(polls.filter(({ status }) => status !== 200)).toEqual([]);
	});
});

describe('a trigger that polls and whose credential cannot be read for minutes', () => {
	hurry(100);
	const stage = Stage.forEachTest({ limits: { polls_per_second: 1000 } });

	it('reports once what n8n says about it, and goes on when the credential is there again', async () => {
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
