import {
	leaveLater,
	leaveNow,
	leftAgo,
	stay,
} from '../../../../nodes/BotMessaging/trigger/subscription/addresses';

const URL = 'https://n8n.example/webhook/1';
const OTHER = 'https://n8n.example/webhook/2';

/** How long a subscription outlives its trigger, in ms. */
const GRACE_MS = 8000;
const RECENT_MS = 120_000;

describe('The subscription of a trigger that is switched off', () => {
	let removed: string[];
	beforeEach(() => {
		jest.useFakeTimers();
		removed = [];
	});
	afterEach(async () => {
		await jest.advanceTimersByTimeAsync(2 * RECENT_MS);
		jest.useRealTimers();
	});

	const leave = (url: string, bot: string) =>
		leaveLater(url, bot, async () => void removed.push(`${url} of ${bot}`));
	const wait = async (ms: number) => await jest.advanceTimersByTimeAsync(ms);

	it('is removed after a few seconds', async () => {
		leave(URL, 'a');
		await wait(GRACE_MS - 1);
		expect([removed, leftAgo(URL)]).toEqual([[], undefined]);
		await wait(1);
		expect(removed).toEqual([`${URL} of a`]);
	});

	it('is not removed the moment n8n is no longer blocked: switching its trigger on again was blocked, too', async () => {
		leave(URL, 'a');
		jest.advanceTimersByTime(2 * GRACE_MS);
		await wait(GRACE_MS / 2);
		expect(removed).toEqual([]);
		await wait(GRACE_MS / 2);
		expect(removed).toEqual([`${URL} of a`]);
	});

	it('counts as removed lately for two minutes', async () => {
		leave(URL, 'a');
		await wait(GRACE_MS);
		await wait(RECENT_MS);
		expect(leftAgo(URL)).toBe(RECENT_MS);
		await wait(1);
		expect(leftAgo(URL)).toBeUndefined();
	});

	it.each([3_600_000, -3_600_000])(
		'counts as removed as long ago as it was, although the clock of the machine is set by %i ms meanwhile',
		async (ms) => {
			leave(URL, 'a');
			await wait(GRACE_MS);
			jest.setSystemTime(Date.now() + ms);
			await wait(1000);
			expect(leftAgo(URL)).toBe(1000);
			await wait(RECENT_MS);
			expect(leftAgo(URL)).toBeUndefined();
		},
	);

	it('stays if the trigger is switched on again for the same bot', async () => {
		leave(URL, 'a');
		await stay(URL, 'a');
		await wait(2 * GRACE_MS);
		expect([removed, leftAgo(URL)]).toEqual([[], undefined]);
	});

	it('stays although n8n had switched the trigger off several times before, as it does when it fails to switch it on', async () => {
		leave(URL, 'a');
		await wait(GRACE_MS / 2);
		leave(URL, 'a');
		await stay(URL, 'a');
		await wait(2 * GRACE_MS);
		expect(removed).toEqual([]);
	});

	it('is removed at once if the trigger is switched on again for another bot', async () => {
		leave(URL, 'a');
		await stay(URL, 'b');
		expect(removed).toEqual([`${URL} of a`]);
	});

	it('is removed although its trigger was switched on for another bot in vain, and off again', async () => {
		leave(URL, 'a');
		leave(URL, 'b');
		await wait(GRACE_MS);
		expect(removed).toEqual([`${URL} of a`, `${URL} of b`]);
	});

	it('stays if the trigger is switched on again for the same bot, although it was for another bot in vain meanwhile', async () => {
		leave(URL, 'a');
		leave(URL, 'b');
		await stay(URL, 'a');
		await wait(2 * GRACE_MS);
		expect(removed).toEqual([`${URL} of b`]);
	});

	it('is removed at once if its bot is to be polled, and no other bot’s', async () => {
		leave(URL, 'a');
		leave(OTHER, 'b');
		await leaveNow('a');
		expect(removed).toEqual([`${URL} of a`]);
	});
});
