import { hurry, hurryTimeouts } from '../../support/hurry';
import { waitFor } from '../../support/wait';
import { Stage } from '../support/stage';

const PARAMETERS = { events: ['message_created', 'bot_started'] };

/** Longer than any time limit of ours, in ms. */
const ENDLESS = 600_000;

/** After so long a publication by n8n says nothing of the reason of its failure, in ms. */
const LONGEST_PUBLICATION_MS = 84_000;

/** n8n tries five times, and pauses between its tries for 1, 2, 4 and 8 s. */
const LONGEST_TRY_MS = (LONGEST_PUBLICATION_MS - 15_000) / 5;

describe('at a slow service, the subscription of a trigger', () => {
	hurry(5);
	const stage = Stage.forEachTest();

	let timeLimits: ReturnType<typeof hurryTimeouts>;
	beforeEach(() => {
		timeLimits = hurryTimeouts(5);
	});
	afterEach(() => timeLimits.mockRestore());

	it('is given up early enough for n8n to say why, when the service hangs', async () => {
		await stage.fault({ origin: 'api' }, { delay_ms: ENDLESS }, { count: -1 });
		const host = await stage.trigger(PARAMETERS);
		await expect(host.activate()).rejects.toThrow('it took too long');
		const limits = host.timeLimits;
		expect(limits.length).toBeGreaterThan(0);
		expect(limits.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(LONGEST_TRY_MS);
	});

	it('is given up early enough for n8n to say why, when the service takes no requests', async () => {
		await stage.fault({ origin: 'api' }, { status: 503 }, { count: -1 });
		const times = async () =>
			(await stage.control.journal({ kind: 'request' })).map(({ time }) => time);
		const host = await stage.trigger(PARAMETERS);
		await expect(host.activate()).rejects.toThrow('Try again later');
		expect(await times()).toHaveLength(1);
		// A test run is tried once by n8n.
		await expect(host.listenForTest()).rejects.toThrow('Try again later');
		const [, ...ofTest] = await times();
		expect(ofTest.length).toBeGreaterThan(1);
		expect(Math.max(...ofTest) - Math.min(...ofTest)).toBeLessThan(LONGEST_TRY_MS);
	});

	it('is made where each answer takes 9 s', async () => {
		await stage.fault({ method: 'GET', path: '/subscriptions' }, { delay_ms: 9000 }, { count: -1 });
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
