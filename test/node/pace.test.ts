import type { INodeExecutionData } from 'n8n-workflow';
import type { Limits } from '../platform';
import { waitFor } from '../support/wait';
import { Stage } from './support/stage';
import { delivery } from '../support/delivery';

const LIMITS: Partial<Limits> = {
	requests_per_second: 30,
	messages_per_second_per_chat: 2,
	algorithm: 'sliding',
	chat_overflow: 'refuse',
	unnamed: true,
};

/**
 * Counts as the service does. The strictest algorithms are simulated in virtual time (test/unit/service/pacing): here a
 * busy machine would be refused for being late.
 */
const LENIENT: Partial<Limits> = { algorithm: 'bucket' };

/** Every test has its own bot, since what is learned about a token is remembered. */
const stage = Stage.forEachTest({ limits: LIMITS });
let chatIds: string[];

beforeEach(async () => {
	chatIds = await Promise.all(Array.from({ length: 30 }, async () => await stage.group()));
});

const SEND = {
	resource: 'message',
	operation: 'send',
	chat_id: '={{ $json.chat_id }}',
	text: '={{ $json.text }}',
};

const messages = (
	count: number,
	chatOf: (index: number) => string | undefined,
	text = 'n',
): INodeExecutionData[] =>
	Array.from({ length: count }, (_, index) => ({
		json: { chat_id: chatOf(index) ?? '', text: `${text}${index}` },
	}));

const anyChat = (index: number): string | undefined => chatIds[index % chatIds.length];

/** Statuses of the requests so far, and the texts that were posted, in order. */
async function seen(): Promise<{ statuses: number[]; texts: string[] }> {
	const statuses: number[] = [];
	const texts: string[] = [];
	for (const entry of await stage.control.journal({ path: '/messages' })) {
		if (entry.kind !== 'request') continue;
		statuses.push(entry.status);
		if (entry.status === 200) texts.push(String(Object(entry.body).text));
	}
	return { statuses, texts };
}

/**
 * All of them were accepted, after hardly any refusals: a machine that stalls delivers at once what was sent one after
 * another. The benchmark measures how few.
 */
function expectAccepted(statuses: number[], count: number) {
	const refused = statuses.filter((status) => status === 429).length;
	expect(statuses.filter((status) => status === 200)).toHaveLength(count);
	expect(statuses).toHaveLength(count + refused);
	expect(refused).toBeLessThanOrEqual(count / 10);
}

const numbers = (count: number): string[] =>
	Array.from({ length: count }, (_, index) => `n${index}`);

const byNumber = (a: string, b: string): number => Number(a.slice(1)) - Number(b.slice(1));

const textsOf = (items: INodeExecutionData[]): unknown[] => items.map(({ json }) => json.text);

test('The service refuses nothing of a broadcast, and the output is in the order of the items', async () => {
	await stage.control.setLimits(LENIENT);
	const items = messages(75, anyChat);
	const result = await stage.run(SEND, { items });
	expect(textsOf(result.items)).toEqual(numbers(75));
	expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual(
		items.map((_, item) => ({ item })),
	);
	const { statuses } = await seen();
	expectAccepted(statuses, 75);
});

test('Messages to one chat keep their order, and are not refused', async () => {
	await stage.control.setLimits(LENIENT);
	const result = await stage.run(SEND, { items: messages(7, () => chatIds[0]) });
	expect(textsOf(result.items)).toEqual(numbers(7));
	const { statuses, texts } = await seen();
	expect(texts).toEqual(numbers(7));
	expect(statuses).toEqual(Array(7).fill(200));
});

test('A limit lower than the options say is detected, and nothing is lost or duplicated', async () => {
	await stage.control.setLimits({ ...LENIENT, requests_per_second: 4 });
	const result = await stage.run(SEND, { items: messages(30, anyChat) });
	expect(textsOf(result.items)).toEqual(numbers(30));
	const { statuses, texts } = await seen();
	expect([...texts].sort(byNumber)).toEqual(numbers(30));
	const refused = statuses.filter((status) => status === 429).length;
	expect(refused).toBeGreaterThan(0);
	expect(refused).toBeLessThan(30);
	expect(result.hints[0]?.message ?? '').toMatch(/refused because of the service's limits/);
});

test('The pause that the service asks for is observed', async () => {
	const refusal = { status: 429, headers: { 'retry-after': '1' } };
	await stage.fault({ path: '/messages' }, refusal);
	await stage.run(SEND, { items: messages(1, anyChat) });
	const [refused, accepted] = await stage.control.journal({ path: '/messages' });
	expect([refused, accepted]).toMatchObject([{ status: 429 }, { status: 200 }]);
	expect(Number(accepted?.time) - Number(refused?.time)).toBeGreaterThanOrEqual(990);
});

test('A pause longer than the time for retries is reported at once', async () => {
	const refusal = { status: 429, headers: { 'retry-after': '3600' } };
	await stage.fault({ path: '/messages' }, refusal, { count: -1 });
	const options = delivery({ retry_for_seconds: 2 });
	const { error } = await stage.run({ ...SEND, options }, { items: messages(3, anyChat) });
	expect(error).toMatchObject({ httpCode: '429' });
});

test('Two executions share the pace', async () => {
	await stage.control.setLimits(LENIENT);
	const runs = ['a', 'b'].map((name) =>
		stage.run(SEND, { items: messages(40, anyChat, name), workflowId: name }),
	);
	await Promise.all(runs);
	const { statuses, texts } = await seen();
	expectAccepted(statuses, 80);
	const early = texts.slice(0, 60).filter((text) => text.startsWith('a')).length;
	expect(early).toBeGreaterThanOrEqual(20);
	expect(early).toBeLessThanOrEqual(40);
});

test('A single reply does not wait behind a broadcast', async () => {
	await stage.control.setLimits(LENIENT);
	// Slow, so that not many of its messages go while a busy machine prepares the reply.
	const options = delivery({ requests_per_second: 6 });
	const slow = { ...SEND, options };
	const broadcast = stage.run(slow, { items: messages(45, anyChat) });
	await waitFor(async () => (await seen()).texts.length >= 6, { what: 'a part of the broadcast' });
	const before = (await seen()).texts.length;
	const replied = await stage.run(slow, { items: messages(1, () => chatIds[29], 'r') });
	expect(textsOf(replied.items)).toEqual(['r0']);
	const { texts } = await seen();
	// On an idle machine, one message of the broadcast goes before the reply; 35 would if it had to wait.
	expect(texts.indexOf('r0') - before).toBeLessThan(25);
	await broadcast;
	expectAccepted((await seen()).statuses, 46);
});

test('A slower pace in the options is kept', async () => {
	const options = delivery({ requests_per_second: 4 });
	await stage.run({ ...SEND, options }, { items: messages(7, anyChat) });
	const times = (await stage.control.journal({ path: '/messages' })).map(({ time }) => time);
	const [first = 0] = times;
	const last = times.at(-1) ?? 0;
	expect(last - first).toBeGreaterThanOrEqual(5 * 240);
});

test('A canceled run sends nothing more', async () => {
	const run = stage.run(SEND, { items: messages(2000, anyChat) });
	await waitFor(async () => (await seen()).texts.length >= 15, { what: 'the first messages' });
	run.cancel();
	await run;
	// What is in flight still arrives; a run that went on would send thirty messages a second.
	const count = async (): Promise<number> => (await seen()).texts.length;
	const isStill = async (): Promise<boolean> => {
		const before = await count();
		await new Promise((resolve) => setTimeout(resolve, 500));
		return (await count()) === before;
	};
	await waitFor(isStill, { what: 'the end of the messages' });
	expect(await count()).toBeLessThan(200);
});

test('Messages that wait for their turn when another item fails are not sent', async () => {
	const options = delivery({ requests_per_second: 5 });
	const [first, , last] = messages(3, anyChat);
	const empty = { json: { chat_id: anyChat(1), text: '' } };
	const items = [first, empty, last].filter((item) => item !== undefined);
	const { error } = await stage.run({ ...SEND, options }, { items });
	expect(error?.message).toMatch(/^Text is empty/);
	expect((await seen()).texts).not.toContain('n2');
});

test('The credential is read once for all items', async () => {
	let reads = 0;
	const { botMessagingApi } = stage.credentials;
	const credentials = {
		get botMessagingApi() {
			reads++;
			return botMessagingApi;
		},
	};
	await stage.run(SEND, { items: messages(1, anyChat), credentials });
	const forOne = reads;
	reads = 0;
	await stage.run(SEND, { items: messages(20, anyChat), credentials });
	expect(reads).toBe(forOne);
});

describe('Answers to presses in one chat', () => {
	/** Presses of one person on the button of one message, as items to be answered. */
	const presses = async (count: number): Promise<INodeExecutionData[]> => {
		const user = await stage.control.createUser();
		const dialog = await stage.control.createDialog(stage.bot.user_id, user.user_id);
		const keyboard = { type: 'inline_keyboard', payload: { buttons: [[BUTTON]] } };
		const body = { text: 'Press', attachments: [keyboard] };
		await stage.call('POST', `/messages?chat_id=${dialog.chat_id}`, body);
		const [sent] = await stage.control.messages(dialog.chat_id, 1);
		const items: INodeExecutionData[] = [];
		for (let index = 0; index < count; index++) {
			const { callback_id } = await stage.control.press(sent?.body.mid ?? '', { text: 'Yes' });
			items.push({ json: { callback_id, chat_id: String(dialog.chat_id) } });
		}
		return items;
	};
	const BUTTON = { type: 'callback', text: 'Yes', payload: 'yes' };
	const ANSWER = {
		resource: 'callback',
		operation: 'answer',
		callback_id: '={{ $json.callback_id }}',
	};

	const refused = async (): Promise<number> =>
		(await stage.control.journal({ path: '/answers', status: 429 })).length;

	beforeEach(async () => {
		await stage.control.setSettings({ callback_ids: 'press' });
		await stage.control.setLimits({ unnamed: false });
	});

	test('keep the limit of the chat that their items name', async () => {
		await stage.control.setLimits(LENIENT);
		const items = await presses(6);
		const { items: output } = await stage.run(ANSWER, { items });
		expect(output).toHaveLength(6);
		// The message with the button counts as well, and was not sent by the node. Without a limit, each would be refused.
		expect(await refused()).toBeLessThan(6);
	});

	test('do not slow down the bot in other chats when their chat is unknown', async () => {
		const items = (await presses(8)).map(({ json: { callback_id } }) => ({
			json: { callback_id },
		}));
		const { items: output } = await stage.run(ANSWER, { items });
		expect(output).toHaveLength(8);
		expect(await refused()).toBeGreaterThan(0);
		const timers = jest.spyOn(globalThis, 'setTimeout');
		await stage.run(SEND, { items: messages(30, anyChat) });
		const timersMs = timers.mock.calls.map(([, ms = 0]) => ms);
		timers.mockRestore();
		// Longer timers are time limits.
		const pausesMs = timersMs.filter((ms) => ms < 1000);
		// At two requests per second, it would wait for fifteen seconds.
		expect(pausesMs.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(8000);
	});
});

test.each([
	{ resource: 'chat', operation: 'sendAction', action: 'typing_on' },
	{ resource: 'chat', operation: 'get' },
])('A service that refuses everything is asked seldom: $resource $operation', async (fields) => {
	await stage.fault({ origin: 'api' }, { status: 429 }, { count: -1 });
	const parameters = {
		...fields,
		chat_id: anyChat(0),
		options: delivery({ retry_for_seconds: 4 }),
	};
	const { error } = await stage.run(parameters);
	expect(error?.message).toContain('429');
	const requests = await stage.control.journal({ kind: 'request' });
	expect(requests.length).toBeGreaterThan(1);
	expect(requests.length).toBeLessThan(20);
});
