import type { INodeParameters } from 'n8n-workflow';
import { HeldTime } from '../../support/heldTime';
import { setClockBack, stopClock } from '../../support/hurry';
import { waitFor } from '../../support/wait';
import type { TriggerHost } from '../support/trigger';
import { ANOTHER, EVENTS, HOUR_MS, watched } from './watched';

describe('the watchdog of a trigger', () => {
	const { stage, urls, active } = watched();

	let restoreClock = () => {};
	afterEach(() => restoreClock());

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
});
