import type { IExecuteFunctions, INodeParameters } from 'n8n-workflow';
import { BotMessagingTrigger } from '../../../nodes/BotMessaging/BotMessagingTrigger.node';
import { HeldTime } from '../../support/heldTime';
import { hurry, setClockBack, stopClock } from '../../support/hurry';
import { botStarted } from '../../support/botStarted';
import { waitFor } from '../../support/wait';
import { nodesOfAnotherProcess } from '../support/anotherProcess';
import { CredentialStore } from '../support/credentials';
import { PassThrough } from '../support/nodeTypes';
import { Stage } from '../support/stage';
import type { TriggerHost, TriggerOptions } from '../support/trigger';
import { carrying, post } from './post';

const EVENTS = ['message_created', 'bot_started'];

/** n8n gives each webhook its own ID. */
const ANOTHER = { webhookId: '0b8f4a9e-6f0c-4a37-9f7e-000000000002' };

const HOUR_MS = 3_600_000;

/** The part of a webhook address for a workflow that no longer exists. */
const GONE = '/0b8f4a9e-6f0c-4a37-9f7e-ffffffffffff';

describe('the watchdog of a trigger', () => {
	hurry(5);
	const stage = Stage.forEachTest();

	let restoreClock = () => {};
	afterEach(() => restoreClock());

	const urls = async () => (await stage.subscriptions()).map(({ url }) => url);

	/** What the addresses of this n8n start with, and what those of this trigger end with. */
	const partsOf = (host: TriggerHost) => {
		const parts = host.webhookUrl().split('/');
		return { base: parts.slice(0, -2).join('/'), path: parts.at(-1) };
	};

	const active = async (more: Partial<TriggerOptions> = {}) =>
		await stage.activeTrigger({ events: EVENTS }, more);

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

	describe('when somebody subscribed its address with another secret', () => {
		const SECRET = 'somebody-elses';

		/** Subscribes the address with another secret, and waits until so many events, of which this is the last, were refused. */
		const usurp = async (host: TriggerHost, event: string, refusals = 1) => {
			await stage.subscribe(host.webhookUrl(), { update_types: EVENTS, secret: SECRET });
			await stage.happen(event);
			await stage.seen({ kind: 'delivery', status: 403 }, refusals);
		};

		const usurped = async () => {
			const host = await active();
			const [before] = await stage.subscriptions();
			await usurp(host, 'unheard');
			return { host, before };
		};

		it('subscribes again with its own secret and says so, and refused events are delivered again', async () => {
			const { host, before } = await usurped();
			await host.memory.tick();
			expect((await stage.subscriptions())[0]?.secret).toBe(before?.secret);
			expect(host.logged).toContainEqual(expect.stringContaining('another secret'));
			await stage.control.advance(61_000);
			expect(await host.payloads(1)).toEqual(['unheard']);
		});

		it('does so also where another process receives the calls, such as n8n webhook', async () => {
			const node = new BotMessagingTrigger();
			const host = await active({ node });
			const [before] = await stage.subscriptions();
			const another = await nodesOfAnotherProcess();
			Object.assign(node, new another.BotMessagingTrigger());
			await usurp(host, 'unheard');
			await waitFor(async () => (await stage.subscriptions())[0]?.secret === before?.secret, {
				what: 'the subscription with its own secret',
			});
			await stage.control.advance(61_000);
			expect(await host.payloads(1)).toEqual(['unheard']);
			await usurp(host, 'unheard', 2);
			expect((await stage.subscriptions())[0]?.secret).toBe(SECRET);
			expect(host.logged).toContainEqual(expect.stringContaining('another secret'));
		});

		it('does so at most once in ten minutes, not for each forged call', async () => {
			const { host } = await usurped();
			await host.memory.tick();
			await usurp(host, 'unheard-too', 2);
			await host.memory.tick();
			expect((await stage.subscriptions())[0]?.secret).toBe(SECRET);
		});
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

	const subscribed = async (host: TriggerHost) => {
		const isSubscribed = async () => (await urls()).includes(host.webhookUrl());
		await waitFor(isSubscribed, { what: 'the subscription' });
	};

	const tick = async (host: TriggerHost) => await host.memory.tick();
	const restart = async (host: TriggerHost) => await host.restart();

	/** An active trigger whose subscription is gone. */
	const unsubscribed = async (order: object = {}, more: INodeParameters = {}) => {
		const host = await stage.activeTrigger({ events: EVENTS, ...more }, order);
		await host.memory.tick();
		await stage.unsubscribe(host.webhookUrl());
		return host;
	};

	// Hours: what happened before n8n began has to be older than the tests are, whose time is in a hurry.
	const CLOCKS = [
		['ahead', 8 * HOUR_MS],
		['behind', -8 * HOUR_MS],
	] as const;

	/** Stores no execution of this n8n until `store`; `isStoring` waits until one is to be stored. */
	const withholdStorage = ({ memory }: TriggerHost) => {
		let store = () => {};
		const stored = new Promise<void>((resolve) => (store = resolve));
		const storing = jest.spyOn(memory, 'storing').mockReturnValue(stored);
		const isStoring = async () =>
			await waitFor(() => storing.mock.calls.length > 0, { what: 'an execution to be stored' });
		return { store, isStoring };
	};

	/** Two active triggers of a bot whose subscriptions are gone. */
	const bothUnsubscribed = async (order: object = {}, more: INodeParameters = {}) => {
		const first = await stage.activeTrigger({ events: EVENTS, ...more }, order);
		const another = { ...order, ...ANOTHER, workflowId: 'another' };
		const second = await stage.activeTrigger({ events: EVENTS }, another);
		for (const host of [first, second]) await host.memory.tick();
		for (const host of [first, second]) await stage.unsubscribe(host.webhookUrl());
		return { first, second };
	};

	describe.each<[string, object, (host: TriggerHost) => Promise<void>]>([
		['while n8n runs', {}, tick],
		['when n8n starts', {}, restart],
		[
			'when n8n starts, before 2.40, which calls `trigger()` last',
			{ webhooksFirst: true },
			restart,
		],
	])('for a bot that has had no subscription for a while, %s,', (_, order, wake) => {
		it.each([
			['everything', 'uncommitted'],
			['the latest event', 'latest'],
		])(
			'hands over what happened meanwhile, in order and once, before it subscribes again, where a poll without marker gets %s',
			async (_, polling_without_marker) => {
				await stage.control.setSettings({ polling_without_marker });
				const host = await stage.activeTrigger({ events: EVENTS }, order);
				await host.memory.tick();
				await stage.happen('before');
				await host.ended(1);
				await stage.unsubscribe(host.webhookUrl());
				await stage.happen('missed-1');
				await stage.happen('missed-2');
				await wake(host);
				await subscribed(host);
				await stage.happen('after');
				expect(await host.payloads(4)).toEqual(['before', 'missed-1', 'missed-2', 'after']);
			},
		);

		it.each([
			['the same events', EVENTS],
			['other events', ['message_created']],
		])(
			'hands over what happened meanwhile also to the trigger that looks second, when the first one wants %s',
			async (_, events) => {
				const { first, second } = await bothUnsubscribed(order, { events });
				await stage.happen('missed');
				await wake(first);
				await wake(second);
				await subscribed(second);
				await stage.happen('after');
				expect(await second.payloads(2)).toEqual(['missed', 'after']);
			},
		);

		/** The markers of the requests for missed events. */
		const asked = async () => {
			const requests = await stage.control.journal({ kind: 'request', path: '/updates' });
			return requests.map(({ query }) => query.marker);
		};

		it('acknowledges events only when n8n has stored their executions, so that a crash loses none', async () => {
			const host = await unsubscribed(order);
			const { store, isStoring } = withholdStorage(host);
			await stage.happen('missed');
			const before = (await asked()).length;
			const awake = wake(host);
			await isStoring();
			expect((await asked()).slice(before)).toEqual([undefined, '0']);
			expect(await urls()).toEqual([]);
			store();
			await awake;
			await subscribed(host);
			expect((await asked()).slice(before)).toHaveLength(3);
			expect(await host.payloads(1)).toEqual(['missed']);
		});

		it.each(CLOCKS)(
			'hands over what happened meanwhile, and nothing else, although the clock of the machine was hours %s',
			async (_, wrongMs) => {
				restoreClock = setClockBack(-wrongMs);
				const now = () => Date.now() - wrongMs;
				await stage.happen('hours ago', { timestamp: now() - 4 * HOUR_MS });
				const host = await unsubscribed(order);
				await stage.happen('missed', { timestamp: now() });
				const after = { timestamp: now() + 1 };
				// A clock is set right while n8n is down.
				if (wake !== tick) restoreClock();
				await wake(host);
				await stage.happen('after', after);
				expect(await host.payloads(2)).toEqual(['missed', 'after']);
			},
		);
	});

	it('has the other triggers of the bot look too when it finds that the bot has no subscription left', async () => {
		const { first, second } = await bothUnsubscribed();
		await first.memory.tick();
		await subscribed(second);
	});

	it('has the other triggers look as well, for the first time, when one is switched on and finds that the bot has no subscription left', async () => {
		const first = await active();
		await stage.unsubscribe(first.webhookUrl());
		await active(ANOTHER);
		await subscribed(first);
	});

	it('hands over what came after the subscription was lost also if the workflow is published again before it looks', async () => {
		const host = await active();
		await stage.unsubscribe(host.webhookUrl());
		await stage.happen('missed');
		await host.republish({ events: EVENTS });
		await stage.happen('after');
		expect(await host.payloads(2)).toEqual(['missed', 'after']);
	});

	it('hands over all that was missed although another trigger is switched on meanwhile, whose subscription would take the rest', async () => {
		const host = await unsubscribed();
		const { store, isStoring } = withholdStorage(host);
		await stage.happen('missed-1');
		const look = host.memory.tick();
		await isStoring();
		const second = await active(ANOTHER);
		expect(await urls()).toEqual([]);
		await stage.happen('missed-2');
		store();
		await look;
		await Promise.all([subscribed(host), subscribed(second)]);
		expect(await host.payloads(2)).toEqual(['missed-1', 'missed-2']);
	});

	it('acknowledges nothing before the other triggers that look know that they need it too, so that a crash loses none', async () => {
		const { first, second } = await bothUnsubscribed();
		const look = { kind: 'request', method: 'GET', path: '/subscriptions' } as const;
		const before = (await stage.control.journal(look)).length;
		await stage.fault(look, { delay_ms: 2000 }, { after: 1 });
		await Promise.all([first.memory.tick(), second.memory.tick()]);
		const looks = (await stage.control.journal(look)).slice(before);
		const [poll] = await stage.control.journal({ kind: 'request', path: '/updates' });
		const decidedAt = looks.slice(0, 2).map(({ time, duration_ms }) => time + duration_ms);
		expect(poll?.time).toBeGreaterThanOrEqual(Math.max(...decidedAt));
	});

	it('does not wait for a trigger of another bot whose service hangs', async () => {
		const first = await unsubscribed();
		const { token } = await stage.control.createBot();
		const credentials = stage.credentialsWith({ accessToken: token });
		const other = await active({ ...ANOTHER, credentials });
		await stage.fault({ path: '/subscriptions' }, { delay_ms: 600_000 });
		const time = new HeldTime();
		time.hold();
		const look = other.memory.tick();
		await stage.faultMet();
		// However long it waits, its own time limit does not pass.
		const goOn = stopClock();
		const renewal = first.memory.tick();
		await subscribed(first);
		goOn();
		time.pass(60_000);
		await Promise.all([look, renewal]);
		time.letGo();
	});

	it('hands over what comes while the service cannot subscribe it yet, as a service that is just coming up', async () => {
		const host = await unsubscribed();
		const request = { method: 'POST', path: '/subscriptions' };
		await stage.fault(request, { status: 503 }, { count: -1 });
		const look = host.memory.tick();
		await stage.seen({ kind: 'request', ...request, status: 503 });
		await stage.happen('missed');
		expect(await host.payloads(1)).toEqual(['missed']);
		await stage.control.setFaults([]);
		await look;
		expect(await urls()).toEqual([host.webhookUrl()]);
	});

	it('hands over what was missed also if another trigger is switched on before it looks', async () => {
		const host = await unsubscribed();
		await stage.happen('missed');
		// The one that is switched on asks first.
		await stage.fault({ method: 'GET', path: '/subscriptions' }, { delay_ms: 2000 }, { after: 1 });
		await active(ANOTHER);
		expect(await host.payloads(1)).toEqual(['missed']);
	});

	describe.each([
		['', {}],
		[' before 2.40, which calls `trigger()` last', { webhooksFirst: true }],
	])('when n8n starts%s', (_, order) => {
		it('hands over what came meanwhile for a workflow that was published while n8n was down', async () => {
			const host = await stage.trigger({ events: EVENTS }, order);
			await stage.happen('missed');
			await host.activate('init');
			expect(await host.payloads(1)).toEqual(['missed']);
			await subscribed(host);
		});

		it.each(CLOCKS)(
			'hands over nothing else for such a workflow on a machine whose clock is hours %s',
			async (_, wrongMs) => {
				restoreClock = setClockBack(-wrongMs);
				const now = () => Date.now() - wrongMs;
				const host = await stage.trigger({ events: EVENTS }, order);
				await stage.happen('hours ago', { timestamp: now() - 4 * HOUR_MS });
				await stage.happen('missed', { timestamp: now() });
				await host.activate('init');
				await stage.happen('after', { timestamp: now() });
				expect(await host.payloads(2)).toEqual(['missed', 'after']);
			},
		);

		it.each([
			['first', 0],
			['second', 1],
		])(
			'hands over what was missed also when the service cannot answer the %s request for it',
			async (_, after) => {
				await stage.control.setSettings({ polling_without_marker: 'latest' });
				const host = await stage.activeTrigger({ events: EVENTS }, order);
				await stage.unsubscribe(host.webhookUrl());
				await stage.happen('missed-1');
				await stage.happen('missed-2');
				await stage.fault({ origin: 'api', path: '/updates' }, { status: 503 }, { after });
				await host.restart();
				await subscribed(host);
				await stage.happen('after');
				expect(await host.payloads(3)).toEqual(['missed-1', 'missed-2', 'after']);
			},
		);
	});

	it('hands over what was missed when another main process takes over as well', async () => {
		const host = await unsubscribed();
		await stage.happen('missed');
		await host.memory.stop();
		await host.activate('leadershipChange');
		expect(await host.payloads(1)).toEqual(['missed']);
		await subscribed(host);
	});

	it('asks for missed events no faster than the service lets a bot poll, so that other requests keep their pace', async () => {
		await stage.control.setLimits({ polls_per_second: 2, poll_updates: 1 });
		// Those that start no execution take no time.
		const filters = { text: { rule: { match: 'equals', value: 'missed-4' } } };
		const host = await unsubscribed({}, { filters });
		for (let number = 1; number <= 4; number++) await stage.happen(`missed-${number}`);
		await host.memory.tick();
		expect(await host.payloads(1)).toEqual(['missed-4']);
		expect(await stage.control.journal({ kind: 'request', status: 429 })).toEqual([]);
	});

	it('ignores what happened while somebody had switched the workflow off', async () => {
		await stage.happen('long ago');
		const host = await active();
		await stage.happen('now');
		expect(await host.payloads(1)).toEqual(['now']);
	});

	describe('with a service that keeps one subscription per bot', () => {
		beforeEach(async () => {
			await stage.control.setSettings({ single_subscription: true });
		});

		it.each([
			['', 0],
			[', even if the clock was set back by an hour in between', HOUR_MS],
		])('gives way to the trigger that was switched on later, and reports that%s', async (_, ms) => {
			const first = await active();
			restoreClock = setClockBack(ms);
			const second = await active(ANOTHER);
			restoreClock();
			for (let look = 0; look < 3; look++) {
				await first.memory.tick();
				await second.memory.tick();
			}
			expect(await urls()).toEqual([second.webhookUrl()]);
			expect(first.memory.failures).toMatchObject([
				{ message: expect.stringContaining('go to another subscription') },
			]);
			expect(second.memory.failures).toEqual([]);
			await first.memory.tick();
			expect(await urls()).toEqual([second.webhookUrl()]);
		});

		const ELSEWHERE = 'https://elsewhere.example/hook';
		/** Another program takes the bot so many times, and the trigger looks each time. */
		const taken = async (host: TriggerHost, times: number) => {
			const left: string[] = [];
			for (let time = 0; time < times; time++) {
				await stage.subscribe(ELSEWHERE);
				await host.memory.tick();
				left.push(...(await urls()));
			}
			return left;
		};

		it('does not report that it gives way when the workflow is switched off while it looks', async () => {
			const host = await active();
			await taken(host, 1);
			await stage.subscribe(ELSEWHERE);
			await stage.fault({ method: 'GET', path: '/subscriptions' }, { delay_ms: 500 });
			const look = host.memory.tick();
			await stage.faultMet();
			await Promise.all([look, host.deactivate()]);
			expect(host.memory.failures).toEqual([]);
		});

		it('still gives way after a restart of n8n, but not once a person has switched it on again', async () => {
			const host = await active();
			const [own] = await stage.subscriptions();
			await taken(host, 2);
			// n8n saves what a trigger remembers along with the next event; this one was on its way.
			const late = JSON.stringify({ ...botStarted('late'), timestamp: Date.now() });
			await post(host, late, carrying(String(own?.secret)));
			expect(await host.payloads(1)).toEqual(['late']);
			await host.restart();
			await host.memory.tick();
			expect(await urls()).toEqual([ELSEWHERE]);
			await host.deactivate();
			await host.activate();
			expect(await urls()).toEqual([host.webhookUrl()]);
		});

		it('subscribes again when the other one is gone', async () => {
			const host = await active();
			await taken(host, 2);
			await stage.unsubscribe(ELSEWHERE);
			await host.memory.tick();
			expect(await urls()).toEqual([host.webhookUrl()]);
		});
	});

	describe('tidies up', () => {
		/** Looks several times at once, and once more when all triggers have had time to start. */
		const lookForLong = async (host: TriggerHost) => {
			for (let look = 0; look < 3; look++) await host.memory.tick();
			const found = await urls();
			const restoreClock = setClockBack(-120_000, performance);
			await host.memory.tick();
			restoreClock();
			return found;
		};

		it('a subscription of this n8n that no workflow uses any more, once all have had time to start', async () => {
			const host = await active();
			const { base, path } = partsOf(host);
			await stage.subscribe(`${base}${GONE}/${path}`);
			await stage.subscribe(`${base}-test${GONE}/${path}`);
			expect(await lookForLong(host)).toHaveLength(3);
			expect(await urls()).toEqual([host.webhookUrl()]);
		});

		it('nothing that belongs to somebody else', async () => {
			const host = await active();
			const { base, path } = partsOf(host);
			const others = [
				`https://other.example/webhook${GONE}/${path}`,
				`${base}/my-own-path`,
				// Triggers of other packages in this n8n.
				`${base}${GONE}/webhook`,
			];
			for (const url of others) await stage.subscribe(url);
			await lookForLong(host);
			expect((await urls()).sort()).toEqual([...others, host.webhookUrl()].sort());
		});

		it('nothing of a workflow that is switched on', async () => {
			const first = await active();
			const { origin } = new URL(first.webhookUrl());
			const second = await active({ ...ANOTHER, publicUrl: origin });
			await lookForLong(first);
			expect((await urls()).sort()).toEqual([first.webhookUrl(), second.webhookUrl()].sort());
		});
	});
});
