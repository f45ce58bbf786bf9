import { nodeOf } from '../../../support/node';
import {
	addLiveTrigger,
	removeLiveTrigger,
} from '../../../../nodes/BotMessaging/trigger/subscription/liveTriggers';
import type { Remembered } from '../../../../nodes/BotMessaging/trigger/subscription/memory';
import { OtherSubscriptions } from '../../../../nodes/BotMessaging/trigger/subscription/otherSubscriptions';

const PATH = '0b8f4a9e-6f0c-4a37-9f7e-000000000001/bot-messaging';
const URL = `https://n8n.example/webhook/${PATH}`;
const TEST = `https://n8n.example/webhook-test/${PATH}`;
const RIVAL = 'https://rival.example/hook';
const OTHER = 'https://other.example/hook';
const LEFT_BEHIND = URL.replace('1/', '2/');
/** The addresses of nodes without a webhook ID: n8n makes them of the workflow's ID and the node's name. */
const NAMED =
	'https://n8n.example/webhook/aB3dE5fG7hJ9kL1m/bot%20messaging%20trigger/bot-messaging';
const NAMED_TEST = NAMED.replace('webhook', 'webhook-test');

/** Any request fails. */
const NO_SERVICE = {
	request: () => Promise.reject(new Error('There is no service')),
};

/** In ms: after this, a loss no longer counts. */
const LOSSES_MS = 1_800_000;

/** In ms: as long as n8n may take to start all triggers. */
const ABANDONED_MS = 110_000;

/** In ms: n8n ends any test run by then. */
const LONGEST_TEST_MS = 600_000;

describe('A trigger whose subscription is gone', () => {
	let known: Remembered;
	const memory = {
		get known() {
			return known;
		},
		learn: (changes: Remembered) => void Object.assign(known, changes),
	};
	let told: string[];
	let subscriptions: OtherSubscriptions;
	beforeEach(() => {
		jest.useFakeTimers();
		known = { activatedAt: 5000 };
		told = [];
		subscriptions = new OtherSubscriptions();
	});
	afterEach(() => {
		jest.useRealTimers();
		for (const url of [RIVAL, TEST, URL]) removeLiveTrigger(url);
	});

	/** Plays that the trigger of a workflow has this address, for production or for a test run. */
	const live = (url: string, activatedAt: number, mode: 'trigger' | 'manual' = 'trigger') => {
		const getWorkflow = () => ({ id: 'shop', name: 'Shop', active: true });
		const getNode = () => nodeOf({ type: 'trigger' });
		const getWorkflowStaticData = () => ({ activatedAt });
		addLiveTrigger({ getWorkflow, getNode, getMode: () => mode, getWorkflowStaticData }, url);
	};

	/** Whether the trigger leaves the bot to the others. */
	const yields = (...others: string[]) => yieldsAt(URL, ...others);

	const yieldsAt = (url: string, ...others: string[]) =>
		subscriptions.shouldYield(url, { lack: 'missing', others }, memory, (message, description) => {
			told.push(`${message}: ${description}`);
		});

	it.each([
		['another program', RIVAL],
		['the same workflow on another n8n', URL.replace('n8n', 'old')],
	])('takes the bot back from %s once, then yields, says so once, and stays so', (_, rival) => {
		expect([1, 2, 3, 4].map(() => yields(rival))).toEqual([false, true, true, true]);
		expect(known.yieldedTo).toBe(rival);
		expect(told).toEqual([expect.stringContaining(`${rival} has taken it 2 times`)]);
	});

	it.each([
		['there is no other', []],
		['there are several others, so that the service keeps more than one', [RIVAL, OTHER]],
	])('never yields if %s', (_, others) => {
		for (let time = 0; time < 4; time++) expect(yields(...others)).toBe(false);
	});

	it('never yields if only its own subscription differs', () => {
		for (const lack of ['other events', 'other secret', undefined] as const) {
			for (let time = 0; time < 4; time++) {
				const found = { lack, others: [RIVAL] };
				expect(subscriptions.shouldYield(URL, found, memory, () => {})).toBe(false);
			}
		}
	});

	it.each([
		['its own test run', TEST, undefined],
		['its own test run at another host', TEST.replace('n8n', 'editor'), undefined],
		['a test run of another workflow', RIVAL, 'manual'],
	] as const)('waits for the end of %s, which it never counts', (_, url, mode) => {
		live(url, 6000, mode);
		for (let time = 0; time < 4; time++) expect(yields(url)).toBe(true);
		expect(told).toEqual([]);
		expect(known.yieldedTo).toBeUndefined();
	});

	it('does not add up what different others take', () => {
		expect([RIVAL, OTHER].map((other) => yields(other))).toEqual([false, false]);
		expect(yields(RIVAL)).toBe(true);
	});

	it('forgets its losses to another that the service lists beside it', async () => {
		expect(yields(RIVAL)).toBe(false);
		await subscriptions.removeAbandoned(URL, [RIVAL], NO_SERVICE, { info: () => {} });
		expect([yields(RIVAL), yields(RIVAL)]).toEqual([false, true]);
	});

	it.each([
		['another trigger', LEFT_BEHIND],
		['its own test run', TEST],
	])('takes the bot back from a subscription that %s has left behind', (_, url) => {
		live(url, 6000);
		yields(url);
		expect([yields(url), yields(url)]).toEqual([true, true]);
		removeLiveTrigger(url);
		for (const passed of [0, ABANDONED_MS - 1]) {
			jest.advanceTimersByTime(passed);
			expect(yields(url)).toBe(true);
		}
		jest.advanceTimersByTime(1);
		expect(yields(url)).toBe(false);
	});

	it.each([
		[URL, NAMED],
		[URL, NAMED_TEST],
		[NAMED, LEFT_BEHIND],
		[NAMED, NAMED.replace('aB', 'cD')],
		[NAMED, NAMED_TEST],
		[NAMED_TEST, NAMED],
	])('at %s takes the bot back from what was left behind at %s', (url, other) => {
		yieldsAt(url, other);
		jest.advanceTimersByTime(ABANDONED_MS);
		expect(yieldsAt(url, other)).toBe(false);
		expect(told).toEqual([]);
	});

	it.each([
		[URL, NAMED.replace('n8n', 'old')],
		[NAMED, NAMED.replace('n8n', 'old')],
		[URL, URL.replace('webhook', 'webhook/bots')],
		[NAMED, 'https://n8n.example/webhook/bots/clerk/bot-messaging'],
	])('at %s never takes the address %s of somebody else for one of its own', async (url, other) => {
		const removals = () =>
			subscriptions.removeAbandoned(url, [other], NO_SERVICE, { info: () => {} });
		await removals();
		jest.advanceTimersByTime(ABANDONED_MS);
		await expect(removals()).resolves.toBeUndefined();
	});

	it("takes a trigger that has not started yet for nobody else's, however often it looks meanwhile", () => {
		live(LEFT_BEHIND, 6000);
		for (let look = 0; look < 2; look++) yields(LEFT_BEHIND);
		removeLiveTrigger(LEFT_BEHIND);
		for (let look = 0; look < 5; look++) expect(yields(LEFT_BEHIND)).toBe(true);
	});

	it.each([
		['another trigger', LEFT_BEHIND.replace('webhook', 'webhook-test')],
		['its own', TEST],
	])('takes the bot back from a test run of %s that has to be over', (_, url) => {
		live(url, 6000, 'manual');
		jest.advanceTimersByTime(LONGEST_TEST_MS);
		expect([yields(url), yields(url)]).toEqual([true, true]);
		jest.advanceTimersByTime(1);
		yields(url);
		jest.advanceTimersByTime(ABANDONED_MS);
		expect(yields(url)).toBe(false);
	});

	it('forgets a loss after half an hour', () => {
		for (let time = 0; time < 4; time++) {
			expect(yields(RIVAL)).toBe(false);
			jest.advanceTimersByTime(LOSSES_MS);
		}
		yields(RIVAL);
		jest.advanceTimersByTime(LOSSES_MS - 1);
		expect(yields(RIVAL)).toBe(true);
	});

	it.each([
		[4999, [false, false, false], 0],
		[5000, [false, true, true], 1],
		[5001, [false, true, true], 1],
	])(
		'yields to a workflow of this n8n unless that was switched on before it: %s',
		(activatedAt, expected, times) => {
			live(RIVAL, activatedAt);
			expect([1, 2, 3].map(() => yields(RIVAL))).toEqual(expected);
			expect(told).toHaveLength(times);
			for (const words of told) expect(words).toContain('the published workflow “Shop”');
		},
	);

	it('yields to another trigger of its workflow, and says that one of the two is enough', () => {
		live(URL, 5000);
		live(RIVAL, 5001);
		expect([1, 2].map(() => yields(RIVAL))).toEqual([false, true]);
		expect(told).toEqual([expect.stringMatching(/another trigger of this workflow has taken it/)]);
		expect(told[0]).toMatch(
			/This trigger gets no events .+ Choose the events of both in one of the/,
		);
	});
});
