import {
	unsubscribeLater,
	unsubscribeNow,
	stoppedRecently,
	noteStopped,
	keepSubscribed,
} from '../../../../nodes/BotMessaging/trigger/subscription/removals';

/** How long a subscription outlives its trigger, in ms. */
const GRACE_MS = 8000;
const RECENT_MS = 120_000;

describe('The subscription of a trigger that is switched off', () => {
	// Removals are remembered for minutes, so each test has addresses of its own.
	let tests = 0;
	let url: string;
	let other: string;

	let removed: string[];
	beforeEach(() => {
		url = `https://n8n.example/webhook/${++tests}`;
		other = `${url}/other`;
		jest.useFakeTimers();
		removed = [];
	});
	afterEach(async () => {
		await jest.advanceTimersByTimeAsync(2 * RECENT_MS);
		jest.useRealTimers();
	});

	const leave = (address: string, bot: string) =>
		unsubscribeLater(address, bot, async () => void removed.push(`${address} of ${bot}`));
	const wait = async (ms: number) => await jest.advanceTimersByTimeAsync(ms);

	it('is removed after a few seconds', async () => {
		leave(url, 'a');
		await wait(GRACE_MS - 1);
		expect(removed).toEqual([]);
		await wait(1);
		expect(removed).toEqual([`${url} of a`]);
	});

	it('is not removed the moment n8n is no longer blocked: switching its trigger on again was blocked, too', async () => {
		leave(url, 'a');
		jest.advanceTimersByTime(2 * GRACE_MS);
		await wait(GRACE_MS / 2);
		expect(removed).toEqual([]);
		await wait(GRACE_MS / 2);
		expect(removed).toEqual([`${url} of a`]);
	});

	it('stays although n8n had switched the trigger off several times before, as it does when it fails to switch it on', async () => {
		leave(url, 'a');
		await wait(GRACE_MS / 2);
		leave(url, 'a');
		await keepSubscribed(url, 'a');
		await wait(2 * GRACE_MS);
		expect(removed).toEqual([]);
	});

	it('is removed at once if the trigger is switched on again for another bot', async () => {
		leave(url, 'a');
		await keepSubscribed(url, 'b');
		expect(removed).toEqual([`${url} of a`]);
	});

	it('is removed although its trigger was switched on for another bot in vain, and off again', async () => {
		leave(url, 'a');
		leave(url, 'b');
		await wait(GRACE_MS);
		expect(removed).toEqual([`${url} of a`, `${url} of b`]);
	});

	it('stays if the trigger is switched on again for the same bot, although it was for another bot in vain meanwhile', async () => {
		leave(url, 'a');
		leave(url, 'b');
		await keepSubscribed(url, 'a');
		await wait(2 * GRACE_MS);
		expect(removed).toEqual([`${url} of b`]);
	});

	it('is removed at once if its bot is to be polled, and no other bot’s', async () => {
		leave(url, 'a');
		leave(other, 'b');
		await unsubscribeNow('a');
		expect(removed).toEqual([`${url} of a`]);
	});
});

describe('A trigger that is switched off', () => {
	beforeEach(() => void jest.useFakeTimers());
	afterEach(() => void jest.useRealTimers());

	it.each([0, 3_600_000, -3_600_000])(
		'counts as left lately for two minutes, although the clock of the machine is set by %i ms meanwhile',
		async (ms) => {
			const source = `source ${ms}`;
			noteStopped(source);
			jest.setSystemTime(Date.now() + ms);
			await jest.advanceTimersByTimeAsync(RECENT_MS);
			expect(stoppedRecently(source)).toBe(true);
			await jest.advanceTimersByTimeAsync(1);
			expect(stoppedRecently(source)).toBe(false);
		},
	);
});
