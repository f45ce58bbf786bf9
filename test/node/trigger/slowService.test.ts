import type { INodeParameters } from 'n8n-workflow';
import { hurry, hurryTimeouts } from '../../support/hurry';
import { waitFor } from '../../support/wait';
import { Stage } from '../support/stage';
import type { TriggerHost } from '../support/trigger';

const PARAMETERS = { events: ['message_created', 'bot_started'] };

/** Longer than any time limit of ours, in ms. */
const ENDLESS = 600_000;

/** After so long a publication by n8n says nothing of the reason of its failure, in ms. */
const LONGEST_PUBLICATION_MS = 84_000;

/** n8n tries five times, with pauses of 1, 2, 4 and 8 s. */
const TRIES = 5;
const PAUSES_MS = 15_000;

describe('at a slow service, the subscription of a trigger', () => {
	hurry(10);
	const stage = Stage.forEachTest();

	let hurried: ReturnType<typeof hurryTimeouts>;
	beforeEach(() => {
		hurried = hurryTimeouts(10);
	});
	afterEach(() => hurried.mockRestore());

	/** Publishes as n8n does, but without its pauses. Returns what the last try is refused with. */
	const published = async (host: TriggerHost): Promise<unknown> => {
		let reason: unknown;
		for (let tries = 0; tries < TRIES; tries++) {
			reason = await host.activate().then(
				() => 'published',
				(error: unknown) => error,
			);
		}
		return reason;
	};

	it.each<[string, { method?: string }, (index: number) => boolean, INodeParameters?]>([
		['the service hangs', {}, () => true],
		['the service hangs and is to be polled', {}, () => true, { delivery: 'polling' }],
		// Each try asks for the subscriptions, subscribes, and when that fails asks whether there is something to remove.
		['its last step hangs', { method: 'POST' }, (index) => index % 3 === 1],
	])(
		'is given up early enough for n8n to say why, when %s',
		async (_, match, hangs, more = {}) => {
			await stage.fault(match, { delay_ms: ENDLESS }, { count: -1 });
			const host = await stage.trigger({ ...PARAMETERS, ...more });
			expect(await published(host)).toMatchObject({
				message: expect.stringContaining('it took too long'),
			});
			const limits = host.timeLimits.filter((__, index) => hangs(index));
			expect(limits).toHaveLength(TRIES);
			const waited = limits.reduce((sum, ms) => sum + ms, 0);
			expect(waited + PAUSES_MS).toBeLessThan(LONGEST_PUBLICATION_MS);
		},
		60_000,
	);

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
		const times = (await stage.control.journal({ kind: 'request' })).map(({ time }) => time);
		expect(times.length).toBeGreaterThan(1);
		expect(Math.max(...times) - Math.min(...times)).toBeLessThan(10_000);
	});

	it('is made where each answer takes 25 s', async () => {
		await stage.fault({ path: '/subscriptions' }, { delay_ms: 25_000 }, { count: -1 });
		await stage.activeTrigger(PARAMETERS);
		expect(await stage.subscriptions()).toHaveLength(1);
	});

	it('is made in time for n8n while its removal hangs', async () => {
		const host = await stage.activeTrigger(PARAMETERS);
		const most = 100;
		await stage.fault({ method: 'DELETE' }, { delay_ms: ENDLESS }, { count: most });
		await host.deactivate();
		const isHanging = async () => (await stage.control.faults())[0]?.count !== most;
		await waitFor(isHanging, { what: 'the removal' });
		const startedAt = performance.now();
		await host.activate();
		expect(performance.now() - startedAt).toBeLessThan(LONGEST_PUBLICATION_MS);
		expect(await stage.subscriptions()).toHaveLength(1);
	});
});
