import type { INodeParameters } from 'n8n-workflow';
import { hurry } from '../../support/hurry';
import { waitFor } from '../../support/wait';
import { Stage } from '../support/stage';

const EVENTS = ['message_created', 'bot_started'];

/** A trigger node with an address of its own. */
const ANOTHER_NODE = { nodeId: 'another', webhookId: '3f1c2b5e-6d7a-4e8b-9c0d-1a2b3c4d5e6f' };

const ELSEWHERE = 'https://elsewhere.example/hook';

describe('the subscription of a trigger', () => {
	hurry(5);
	const stage = Stage.forEachTest();

	const requests = async (method: string) =>
		await stage.control.journal({ kind: 'request', method, path: '/subscriptions' });

	/** Resolves when an address is no longer subscribed. */
	const gone = async (url: string): Promise<void> => {
		const isGone = async (): Promise<boolean> =>
			(await stage.subscriptions()).every((subscription) => subscription.url !== url);
		await waitFor(isGone, { what: `the end of the subscription of ${url}` });
	};

	/** Resolves when any workflow that is switched off by now has had the time to be switched on again. */
	const passed = async (): Promise<void> => {
		const host = await active({ events: ['dialog_muted'] });
		await host.deactivate();
		await gone(host.webhookUrl());
	};

	const active = async (parameters: INodeParameters = { events: EVENTS }) =>
		await stage.activeTrigger(parameters);

	/** The hints that a test run shows with its event. */
	const hintsOfTest = async (host: Awaited<ReturnType<typeof active>>) => {
		await host.listenForTest();
		await stage.happen('tested');
		const [execution] = await host.ended(1);
		return execution?.runData['Bot Messaging Trigger']?.[0]?.hints;
	};

	it('is made once for the chosen events, with a secret', async () => {
		const host = await active();
		await host.restart();
		const [made, ...others] = await stage.subscriptions();
		expect(made).toMatchObject({ url: host.webhookUrl(), update_types: EVENTS });
		expect(made?.secret).toMatch(/^[\da-f]{64}$/);
		expect(others).toEqual([]);
		expect(await requests('POST')).toHaveLength(1);
	});

	it.each<[string, INodeParameters, object]>([
		['other events are chosen', { events: ['bot_added'] }, { update_types: ['bot_added'] }],
		[
			'all events, including future ones, are chosen',
			{ events: ['message_created', '*'] },
			{ update_types: undefined },
		],
		[
			'a secret is set',
			{ events: EVENTS, options: { secret: 'my-own_secret' } },
			{ update_types: EVENTS, secret: 'my-own_secret' },
		],
	])('is replaced when %s', async (_, parameters, expected) => {
		const host = await active();
		await host.republish(parameters);
		const [after, ...others] = await stage.subscriptions();
		expect(others).toEqual([]);
		expect({ update_types: undefined, ...after }).toMatchObject({
			url: host.webhookUrl(),
			...expected,
		});
	});

	it('is made whatever the service lists as event types and addresses', async () => {
		const host = await stage.trigger({ events: EVENTS });
		const odd = { url: host.webhookUrl(), update_types: [{ toString: 1 }] };
		const body = { subscriptions: [odd, { ...odd, url: '' }] };
		await stage.fault({ method: 'GET', path: '/subscriptions' }, { status: 200, body });
		await host.activate();
		expect(await stage.subscriptions()).toMatchObject([{ url: host.webhookUrl() }]);
		expect(host.logged.filter((line) => line.includes('other webhook subscriptions'))).toEqual([]);
	});

	it.each([
		['longest_wait', 0],
		['longest_wait', 61],
		['collect_seconds', 21],
		['collect_seconds', 'soon'],
		['typing', 'sometimes'],
	])(
		'is not made for a workflow that cannot be published because of an option, as n8n would leave it there: %s = %s',
		async (name, value) => {
			const publishing = stage.activeTrigger({ events: EVENTS, options: { [name]: value } });
			await expect(publishing).rejects.toThrow(/Longest Wait|Wait for More|Show Typing/);
			expect(await stage.subscriptions()).toEqual([]);
		},
	);

	it.each(['abcd', 'with space', 'ünicode', 'x'.repeat(257)])(
		'is not made with the secret "%s", and the form says why',
		async (secret) => {
			await expect(active({ events: EVENTS, options: { secret } })).rejects.toThrow(
				/Secret .+ 5 to 256 letters/,
			);
			expect(await requests('POST')).toEqual([]);
		},
	);

	it('is never removed while a published workflow changes', async () => {
		const host = await active();
		await host.republish({ events: ['bot_added'] });
		await passed();
		expect(await stage.subscriptions()).toMatchObject([
			{ url: host.webhookUrl(), update_types: ['bot_added'] },
		]);
		const removals = await stage.control.journal({ method: 'DELETE', path: '/subscriptions' });
		expect(JSON.stringify(removals)).not.toContain(host.webhookUrl());
	});

	it('of the previous bot is removed when a published workflow changes its credential', async () => {
		const host = await active();
		const { token } = await stage.control.createBot();
		await host.deactivate();
		stage.credentials.botMessagingApi.accessToken = token;
		await host.activate('update');
		const requests = await stage.control.journal({ kind: 'request', path: '/subscriptions' });
		const changes = requests.filter(({ method }) => method !== 'GET');
		const [before, ...others] = changes.map(({ bot_id }) => bot_id);
		expect(changes.map(({ method }) => method)).toEqual(['POST', 'DELETE', 'POST']);
		expect(others.map((bot) => bot === before)).toEqual([true, false]);
	});

	it('is removed at once when another workflow wants to poll for the same bot', async () => {
		const webhook = await active();
		await webhook.deactivate();
		await stage.activeTrigger({ events: EVENTS, delivery: 'polling' });
		expect(await stage.subscriptions()).toEqual([]);
	});

	it('may be gone already when the workflow is switched off', async () => {
		const host = await active();
		await stage.unsubscribe(host.webhookUrl());
		await host.deactivate();
		await passed();
		const removals = await stage.control.journal({ method: 'DELETE', path: '/subscriptions' });
		const ofHost = removals.filter((entry) => JSON.stringify(entry).includes(host.webhookUrl()));
		expect(ofHost).toHaveLength(1);
	});

	it.each<[string, () => Promise<unknown>, (url: string) => string]>([
		[
			'the token was revoked',
			async () => await stage.control.revokeToken(stage.bot.user_id),
			() => 'access token',
		],
		[
			'the service refuses',
			async () =>
				await stage.fault({ method: 'DELETE', path: '/subscriptions' }, { status: 403, body: {} }),
			(url) => `The webhook subscription of ${url} could not be removed: `,
		],
	])('that cannot be removed, as %s, is named in the log', async (_, obstruct, words) => {
		const host = await active();
		await obstruct();
		await host.deactivate();
		const expected = words(host.webhookUrl());
		const isTold = () =>
			host.logs.some(({ level, message }) => level === 'warn' && message.includes(expected));
		await waitFor(isTold, { what: 'the warning' });
	});

	it.each<[string, () => unknown]>([
		[
			'the credential cannot be used any more',
			() => (stage.credentials.botMessagingApi.baseUrl = 'nowhere'),
		],
		[
			'the service refuses',
			async () =>
				await stage.fault({ method: 'DELETE', path: '/subscriptions' }, { status: 403, body: {} }),
		],
	])(
		'of a test run that cannot be removed, as %s, does not make its end fail: n8n would hang at the next one',
		async (_, obstruct) => {
			const host = await stage.trigger({ events: EVENTS });
			await host.listenForTest();
			await obstruct();
			await host.stopTest();
			expect(host.logged).toContainEqual(
				expect.stringMatching(/^The webhook subscription of .+ could not be removed: /),
			);
		},
	);

	it('is reported when the service refuses it with success: false', async () => {
		await stage.fault(
			{ method: 'POST', path: '/subscriptions' },
			{ status: 200, body: { success: false, message: 'Too many subscriptions' } },
			{ count: -1 },
		);
		await expect(active()).rejects.toThrow('Too many subscriptions');
	});

	it.each([
		['http://bot.example', /not https/],
		['https://bot.example:8443', /names a port/],
		['https://localhost', /only known inside/],
	])('is not attempted for %s', async (publicUrl, message) => {
		const host = await stage.trigger({ events: EVENTS }, { publicUrl });
		await expect(host.activate()).rejects.toThrow(message);
		await expect(host.listenForTest()).rejects.toThrow(message);
		// The message says what to do: n8n shows nothing else.
		await expect(host.activate()).rejects.toThrow(/N8N_WEBHOOK_URL .+ or choose 'Long Polling'/);
		await expect(host.listenForTest()).rejects.toThrow(
			/N8N_WEBHOOK_URL .+ or choose 'Long Polling'/,
		);
		expect(await requests('POST')).toEqual([]);
	});

	it('is made for the host name in punycode', async () => {
		const host = await stage.activeTrigger({ events: EVENTS }, { publicUrl: 'https://бот.рф' });
		expect((await stage.subscriptions())[0]?.url).toMatch(/^https:\/\/xn--90a0am\.xn--p1ai\//);
		await host.restart();
		expect(await requests('POST')).toHaveLength(1);
		const [made] = await stage.subscriptions();
		await host.deactivate();
		await gone(made?.url ?? '');
	});

	describe('at a node without webhook ID, as the command line of n8n imports it, which n8n calls by its name,', () => {
		const named = async () =>
			await stage.trigger(
				{ events: ['*'] },
				{ webhookId: undefined, workflowId: `named${Date.now()}` },
			);

		it('leads to the trigger, outlives a restart, and is removed', async () => {
			const host = await named();
			await host.activate();
			await stage.happen('a');
			expect(await host.payloads(1)).toEqual(['a']);
			await host.restart();
			await stage.happen('b');
			expect(await host.payloads(2)).toEqual(['a', 'b']);
			const [made, ...others] = await stage.subscriptions();
			expect(others).toEqual([]);
			await host.deactivate();
			await gone(made?.url ?? '');
		});

		it('leads to a test run, whatever the name', async () => {
			const host = await named();
			host.stored.node.name = 'Бот / 100%';
			await host.listenForTest();
			await stage.happen('tested');
			expect(await host.payloads(1)).toEqual(['tested']);
			await waitFor(async () => (await stage.subscriptions()).length === 0, {
				what: 'the end of the subscription',
			});
		});
	});

	const moved = (url: string) => url.replace(/^https:..[^/]+/, 'https://moved.example/n8n');
	it.each<[string, number, (own: string) => string, object]>([
		['another one of the bot', 1, () => ELSEWHERE, {}],
		['its own address at the server that n8n was moved from', 1, moved, {}],
		[
			'another one that gets other events',
			0,
			() => ELSEWHERE,
			{ update_types: ['message_edited', 'bot_added'] },
		],
	])('leaves %s alone, and names it in the log so many times: %i', async (...row) => {
		const [, times, other, events] = row;
		const host = await stage.trigger({ events: EVENTS });
		const url = other(host.webhookUrl());
		await stage.subscribe(url, events);
		await host.activate();
		await host.memory.tick();
		const told = host.logs.filter(({ message }) => message.includes(url));
		expect(told.map(({ level }) => level)).toEqual(Array(times).fill('warn'));
		expect(await requests('DELETE')).toEqual([]);
	});

	it('says in a test run that a published workflow of this n8n gets the events too, with no advice to delete its subscription', async () => {
		const host = await stage.trigger({ events: EVENTS });
		const id = ANOTHER_NODE.webhookId;
		const published = host.webhookUrl().replace(/[^/]+(?=\/bot-messaging$)/, id);
		await stage.subscribe(published);
		const [hint] = (await hintsOfTest(host)) ?? [];
		expect(hint?.message).toMatch(/: a workflow of this n8n .+ Each event starts all of these/);
	});

	it('says in a test run that another trigger of the same workflow gets the events too, even at another host', async () => {
		const workflowId = 'two triggers';
		await stage.activeTrigger({ events: EVENTS }, { workflowId, ...ANOTHER_NODE });
		const tested = await stage.trigger({ events: EVENTS }, { workflowId });
		const [hint] = (await hintsOfTest(tested)) ?? [];
		expect(hint?.message).toMatch(/: another trigger of this workflow\. Each event starts all of /);
	});

	it('says nothing of a workflow that was unpublished a moment before, whose subscription ends soon', async () => {
		const other = await stage.activeTrigger({ events: EVENTS }, ANOTHER_NODE);
		await other.deactivate();
		const host = await stage.trigger({ events: EVENTS });
		expect(await hintsOfTest(host)).toEqual([]);
		expect(host.logs.filter(({ message }) => message.includes('other webhook'))).toEqual([]);
	});

	it('says nothing of a test run of another workflow, which ends soon', async () => {
		const other = await stage.trigger({ events: EVENTS }, ANOTHER_NODE);
		await other.listenForTest();
		const host = await active();
		await host.memory.tick();
		expect(host.logs.filter(({ message }) => message.includes('other webhook'))).toEqual([]);
	});

	it('names others of the bot with the event of a test run, as they are, as n8n takes hints for HTML, but for what may be a secret', async () => {
		const secretive = ELSEWHERE.replace('://', '://me:pass@');
		await stage.subscribe(`${secretive}/<b>&copy?token=5`);
		const host = await stage.trigger({ events: EVENTS });
		expect(await hintsOfTest(host)).toMatchObject([
			{ message: expect.stringContaining(`: ${ELSEWHERE}/&lt;b&gt;&amp;copy. They were`) },
		]);
	});
});
