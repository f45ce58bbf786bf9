import { Memory } from '../../../../nodes/BotMessaging/trigger/subscription/memory';

const URL = 'https://n8n.example/webhook/1';
const OTHER = 'https://n8n.example/webhook/2';

describe('What an active trigger remembers', () => {
	const HOUR_MS = 3_600_000;
	const NOW = 1785000120000;
	const contextOf = (data: object) => ({ getWorkflowStaticData: () => ({ ...data }) });

	/** The static data of a request, after the trigger's changes were saved with it. */
	const saved = (memory: Memory, data: object): object => {
		const kept = { ...data };
		memory.saveWith({ getWorkflowStaticData: () => kept });
		return kept;
	};

	it('changes without a change of its static data, which n8n would save over those of other nodes', () => {
		const data = Object.freeze({ url: URL, mark: 'a', seenAt: NOW });
		const memory = new Memory({ getWorkflowStaticData: () => data });
		memory.learn({ mark: 'b', yieldedTo: OTHER });
		expect(memory.known).toEqual({ url: URL, mark: 'b', seenAt: NOW, yieldedTo: OTHER });
	});

	it.each([
		['the bot was left to another subscription', { yieldedTo: OTHER }],
		['the bot was taken back', { yieldedTo: undefined }],
		['an hour has passed', { seenAt: NOW + HOUR_MS + 1 }],
	])('is saved with a request once %s', (_, change) => {
		const data = { url: URL, seenAt: NOW, yieldedTo: 'https://n8n.example/webhook/3' };
		const memory = new Memory(contextOf(data));
		memory.learn(change);
		expect(saved(memory, data)).toEqual({ ...data, ...change });
	});

	it('is not saved more often, as changes that other nodes make at this moment are lost', () => {
		const data = { url: URL, seenAt: NOW };
		const memory = new Memory(contextOf(data));
		memory.learn({ mark: 'b', seenAt: NOW + HOUR_MS });
		expect(saved(memory, data)).toEqual(data);
	});
});
