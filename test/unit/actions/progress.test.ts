import type { WorkflowExecuteMode } from 'n8n-workflow';
import { progressOf } from '../../../nodes/BotMessaging/actions/progress';
import { nodeOf } from '../../support/node';

/** Runs `count` items, each of which takes a little more than a second. Returns what the log and the browser were told. */
function run(count: number, mode: WorkflowExecuteMode): { log: string[]; browser: string[] } {
	const log: string[] = [];
	const browser: string[] = [];
	const node = nodeOf({ name: 'Send' });
	const noteDone = progressOf(
		{
			getNode: () => node,
			getMode: () => mode,
			logger: { debug: (line: string) => log.push(line) },
			sendMessageToUI: (line: string) => browser.push(line),
		},
		count,
	);
	for (let item = 0; item < count; item++) {
		jest.advanceTimersByTime(1100);
		noteDone();
	}
	return { log, browser };
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('A long run reports its progress every five seconds', () => {
	const lines = [
		'Send: 5 of 12 items done, about 8 s to go',
		'Send: 10 of 12 items done, about 2 s to go',
	];
	expect(run(12, 'manual')).toEqual({ log: lines, browser: lines });
});

test('Only manual executions report their progress in the browser', () => {
	expect(run(6, 'trigger')).toEqual({
		log: ['Send: 5 of 6 items done, about 1 s to go'],
		browser: [],
	});
});

test('A short run reports nothing, and neither does the end of a run', () => {
	expect(run(4, 'manual').log).toEqual([]);
	expect(run(5, 'manual').log).toEqual([]);
});
