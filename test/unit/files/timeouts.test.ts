import { watchStall } from '../../../nodes/BotMessaging/files/timeouts';

/** Older versions of n8n cannot abort a sleep. */
jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: async (ms: number) => await new Promise((resolve) => setTimeout(resolve, ms)),
}));

test('Nothing is left of the watch over a transfer a moment after its end, whatever the version of n8n', async () => {
	jest.useFakeTimers();
	const stalled = jest.fn();
	const end = watchStall({ moves: () => 0, allowedMs: () => 600_000, stalled });
	await jest.advanceTimersByTimeAsync(1000);
	expect(jest.getTimerCount()).toBe(1);
	end();
	await jest.advanceTimersByTimeAsync(1000);
	expect(jest.getTimerCount()).toBe(0);
	expect(stalled).not.toHaveBeenCalled();
	jest.useRealTimers();
});
