import { HeldTime } from '../../support/heldTime';
import { hurry, hurryTimers } from '../../support/hurry';
import { waitFor } from '../../support/wait';
import { Stage } from '../support/stage';
import type { TriggerHost } from '../support/trigger';

const PARAMETERS = { events: ['message_created', 'bot_started'] };

/** Longer than any time limit of ours, in ms. */
const ENDLESS = 3_600_000;

/** After so long a publication by n8n says nothing of the reason of its failure, in ms. */
const LONGEST_PUBLICATION_MS = 84_000;

/** n8n tries five times, with pauses of 1, 2, 4 and 8 s. */
const TRIES = 5;
const PAUSES_MS = 15_000;

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

/** Publishes as n8n does, but without its pauses. Returns what the last try is refused with. */
async function published(host: TriggerHost): Promise<unknown> {
	let reason: unknown;
	for (let tries = 0; tries < TRIES; tries++) {
		reason = await host.activate().then(
			() => 'published',
			(error: unknown) => error,
		);
	}
	return reason;
}

describe('at a slow service, the subscription of a trigger', () => {
	const time = HeldTime.forEachTest();
	const stage = Stage.forEachTest();

	/** The service takes so long, in ms, for the requests that match. */
	const delay = async (match: { method?: string; path?: string }, delay_ms: number, after = 0) =>
		await stage.fault(match, { delay_ms }, { count: MOST, after });
	const MOST = 1000;

	/** How many requests it has held up so far. */
	const delayed = async () => MOST - ((await stage.control.faults())[0]?.count ?? 0);

	/**
	 * Has time pass whenever another request is held up, as much as `ms` says, until `work` has ended. Resolves to what that
	 * resolves to, and to how much time has passed for each request, in ms.
	 */
	async function passing<T>(work: Promise<T>, ms: () => number): Promise<[T, number[]]> {
		const passed: number[] = [];
		let isOver = false;
		const ended = work.finally(() => (isOver = true));
		for (let seen = 0; !isOver; seen++) {
			const isNext = async () => isOver || (await delayed()) > seen;
			await waitFor(isNext, { interval: 5, what: 'the next request, or the end' });
			if (isOver) break;
			const next = ms();
			passed.push(next);
			time.pass(next);
			await stage.control.advance(next);
		}
		return [await ended, passed];
	}

	it.each<[string, { method?: string; after?: number; delivery?: string }]>([
		['the service hangs', {}],
		['the service hangs and is to be polled', { delivery: 'polling' }],
		['its last step hangs', { method: 'POST' }],
		['the service hangs from its last step on', { after: 1 }],
	])('is given up early enough for n8n to say why, when %s', async (_, how) => {
		const { delivery = 'webhook', after, ...match } = how;
		await delay(match, ENDLESS, after);
		const host = await stage.trigger({ ...PARAMETERS, delivery });
		const [reason, waits] = await passing(published(host), () => time.left);
		expect(reason).toMatchObject({ message: expect.stringContaining('it took too long') });
		// What the last step may have subscribed is removed.
		expect(waits.length).toBeLessThanOrEqual(TRIES + (after ?? 0));
		expect(sum(waits)).toBeGreaterThan(LONGEST_PUBLICATION_MS / 2);
		expect(sum(waits) + PAUSES_MS).toBeLessThan(LONGEST_PUBLICATION_MS);
	});

	it('is made where each answer takes 25 s', async () => {
		await delay({ path: '/subscriptions' }, 25_000);
		const host = await stage.trigger(PARAMETERS);
		await passing(host.activate(), () => 25_000);
		expect(await stage.subscriptions()).toHaveLength(1);
	});

	it.each(['webhook', 'polling'])(
		'has as much time whenever it is published again: %s',
		async (delivery) => {
			await delay({ path: '/subscriptions' }, 25_000);
			const host = await stage.trigger({ ...PARAMETERS, delivery });
			for (let publications = 0; publications < 3; publications++) {
				await passing(host.activate(), () => 25_000);
				await passing(host.deactivate(), () => 25_000);
			}
		},
	);

	it('has as much time when it is published again some time after a failure', async () => {
		await stage.fault({ path: '/subscriptions' }, { status: 503 });
		const host = await stage.trigger(PARAMETERS);
		await expect(host.activate()).rejects.toThrow('Try again later');
		time.pass(LONGEST_PUBLICATION_MS);
		await delay({ path: '/subscriptions' }, 25_000);
		await passing(host.activate(), () => 25_000);
		expect(await stage.subscriptions()).toHaveLength(1);
	});

	it('is made in time for n8n while its removal hangs', async () => {
		const timers = hurryTimers(10);
		const host = await stage.activeTrigger(PARAMETERS);
		await delay({ method: 'DELETE' }, ENDLESS);
		await host.deactivate();
		await waitFor(async () => (await delayed()) > 0, { what: 'the removal' });
		const [, waits] = await passing(host.activate(), () => time.left);
		timers.mockRestore();
		expect(sum(waits)).toBeLessThan(LONGEST_PUBLICATION_MS);
		expect(await stage.subscriptions()).toHaveLength(1);
	});
});

describe('at a service that fails, the subscription of a trigger', () => {
	hurry(10);
	const stage = Stage.forEachTest();

	it.each<[string, { method?: string }, string]>([
		['503', {}, 'Try again later'],
		['503 in its last step', { method: 'POST' }, 'Try again later'],
		['429 in its last step', { method: 'POST' }, '429'],
	])(
		'is given up at once, as n8n tries again, when the service answers %s',
		async (what, match, words) => {
			const status = Number.parseInt(what, 10);
			await stage.fault(match, { status }, { count: -1 });
			const refusals = async () =>
				(await stage.control.journal({ kind: 'request' })).filter(
					(entry) => entry.status === status,
				);
			const host = await stage.trigger(PARAMETERS);
			expect(await published(host)).toMatchObject({ message: expect.stringContaining(words) });
			expect(await refusals()).toHaveLength(TRIES);
		},
	);

	it('is given up within seconds in a test run, which n8n tries once', async () => {
		await stage.fault({ origin: 'api' }, { status: 503 }, { count: -1 });
		const host = await stage.trigger(PARAMETERS);
		await expect(host.listenForTest()).rejects.toThrow('Try again later');
		const { length } = await stage.control.journal({ kind: 'request' });
		expect(length).toBeGreaterThan(1);
		// There would be sixteen in a minute.
		expect(length).toBeLessThan(8);
	});
});
