import type { IDataObject } from 'n8n-workflow';
import {
	claimPolls,
	poll,
	releasePolls,
} from '../../../../nodes/BotMessaging/trigger/polling/longPoll';
import type { ServiceRequest } from '../../../../nodes/BotMessaging/service/types';
import { nodeOf } from '../../../support/node';

/** Polls a service with this answer. Resolves to its request and what was read from the answer. */
async function polled(answer: IDataObject, marker?: string, events: string[] = []) {
	const requests: ServiceRequest[] = [];
	const request = async (given: ServiceRequest) => {
		requests.push(given);
		return await Promise.resolve(answer);
	};
	const batch = await poll({ request }, { marker, events, holdSeconds: 30 });
	return { request: requests[0], batch };
}

test.each([
	['a marker', { marker: '7' }, '5', '7'],
	['no marker, and so it stays the same', {}, '5', '5'],
	['null, and so it stays the same', { marker: null }, '5', '5'],
	['the first marker', { marker: 7 }, undefined, '7'],
])('The answer to a poll has %s', async (_, answer, marker, expected) => {
	expect((await polled(answer, marker)).batch).toEqual({
		updates: [],
		others: [],
		marker: expected,
	});
});

test.each([
	['nothing', undefined, [], []],
	['one event', { update_type: 'bot_started', timestamp: 1 }, ['bot_started'], []],
	['an object', { count: 1 }, [], [{ count: 1 }]],
	['a text', 'none', [], ['none']],
])(
	'Where an answer has %s in place of its events, nothing is lost',
	async (_, given, types, others) => {
		const { batch } = await polled({ updates: given, marker: 7 });
		expect(batch.updates.map((update) => update.update_type)).toEqual(types);
		expect(batch.others).toEqual(others);
	},
);

test.each([
	[[], undefined],
	[['bot_started'], ['bot_started']],
])('A poll for the events %j names these types: %j', async (events, types) => {
	const { request } = await polled({}, '5', events);
	expect(request?.query).toEqual({ limit: 100, timeout: 30, marker: '5', types });
});

test('An answer may take 15 s longer than the service holds the poll', async () => {
	expect((await polled({})).request?.timeoutMs).toBe(45_000);
});

test('One trigger at a time polls for a bot, and its latest poller holds the claim', () => {
	const stopped: string[] = [];
	const poller = (trigger: string, name: string) => ({
		trigger,
		stop: () => {
			stopped.push(name);
		},
	});
	const [first, second, other] = [poller('a', 'first'), poller('a', 'second'), poller('b', 'b')];
	const claim = (claimant: typeof first) => () => claimPolls('bot', claimant, nodeOf());
	claim(first)();
	expect(claim(other)).toThrow('Another active trigger polls');
	claim(second)();
	expect(stopped).toEqual(['first']);
	releasePolls(first);
	expect(claim(other)).toThrow('Another active trigger polls');
	releasePolls(second);
	expect(claim(other)).not.toThrow();
	releasePolls(other);
	expect(stopped).toEqual(['first']);
});
