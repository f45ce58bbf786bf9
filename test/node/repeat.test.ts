import { createServer } from 'node:http';
import { connect, createServer as createTcpServer, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import type { FaultAction } from '../platform/faults';
import { HeldTime } from '../support/heldTime';
import { hurry, setClockBack } from '../support/hurry';
import { close, listen } from '../support/server';
import { createAuthority } from '../support/tls';
import { waitFor } from '../support/wait';
import { itemWith, KINDS, uploadForm } from './mediaFiles';
import { Stage } from './support/stage';
import { delivery } from '../support/delivery';

hurry(5);

const stage = Stage.forEachTest();
let chatId: string;

beforeEach(async () => {
	chatId = await stage.group();
});

const SEND = {
	resource: 'message',
	operation: 'send',
	chat_id: '={{ $json.chat_id }}',
	text: '={{ $json.text }}',
};

const texts = async (): Promise<unknown[]> =>
	(await stage.control.messages(chatId)).map(({ body }) => body.text).reverse();

const items = (...lines: string[]): INodeExecutionData[] =>
	lines.map((text) => ({ json: { chat_id: chatId, text } }));

const fault = async (then: FaultAction, more: { count?: number; after?: number } = {}) =>
	await stage.fault({ origin: 'api' }, then, more);

const requests = async () => (await stage.control.journal({ origin: 'api' })).length;

describe.each<[string, FaultAction]>([
	['is refused because of a limit', { status: 429, body: { code: 'too.many.requests' } }],
	[
		'is refused because of a limit, with status 200,',
		{ status: 200, body: { code: 'too.many.requests', message: 'Too many requests' } },
	],
	['is sent while the service is unavailable', { status: 503, body: '<html>Busy</html>' }],
	['is too early for its attachment', { status: 400, body: { code: 'attachment.not.ready' } }],
	[
		'is too early for its attachment, with status 200,',
		{ status: 200, body: { code: 'attachment.not.ready' } },
	],
])('A message that %s', (_, then) => {
	test('is repeated before the next one of its chat is sent', async () => {
		await fault(then, { count: 2, after: 1 });
		const result = await stage.run(SEND, { items: items('one', 'two', 'three') });
		expect(result.error).toBeUndefined();
		expect(await texts()).toEqual(['one', 'two', 'three']);
		expect(await requests()).toBe(5);
	});

	test('is reported when the time for retries is over', async () => {
		await fault(then, { count: -1 });
		const options = delivery({ retry_for_seconds: 1, wait_for_attachments_seconds: 1 });
		const { error } = await stage.run({ ...SEND, options }, { items: items('one') });
		expect(error).toMatchObject({ httpCode: String(then.status) });
		expect(await texts()).toEqual([]);
		expect(await requests()).toBeGreaterThan(1);
	});
});

test.each<[string, FaultAction]>([
	['refused because of a limit', { status: 429, body: { code: 'too.many.requests' } }],
	['sent while the service is unavailable', { status: 503 }],
])(
	'A message that waited long for its attachment and then is %s is still repeated',
	async (_, then) => {
		const match = { origin: 'api' } as const;
		const notReady = { status: 400, body: { code: 'attachment.not.ready' } };
		// Six pauses, of ten seconds together, use up more than the time for other retries.
		await stage.control.setFaults([
			{ match, then: notReady, count: 6 },
			{ match, then },
		]);
		const options = delivery({ retry_for_seconds: 6, wait_for_attachments_seconds: 60 });
		const { error } = await stage.run({ ...SEND, options }, { items: items('one') });
		expect(error).toBeUndefined();
		expect(await texts()).toEqual(['one']);
		expect(await requests()).toBe(8);
	},
);

describe.each<[string, FaultAction]>([
	['the connection broke before it was accepted', { cut: 'before' }],
	['the connection broke after it was accepted', { cut: 'after' }],
	['the service had an error', { status: 500, done: true }],
	['a gateway gave up', { status: 504, done: true }],
	['the answer was cut short unnoticed', { status: 200, body: '{"message":{"body', done: true }],
])('A message that may or may not have been sent, because %s,', (_, then) => {
	test('is not sent again, and the next one is sent', async () => {
		await fault(then);
		const result = await stage.run(SEND, {
			items: items('one', 'two'),
			onError: 'continueRegularOutput',
		});
		expect(result.items).toMatchObject([
			{ json: { error: expect.any(String), description: expect.stringMatching(/may or may not/) } },
			{ json: { text: 'two' } },
		]);
		expect(await requests()).toBe(2);
	});
});

describe.each<[string, FaultAction]>([
	['the connection broke before it was done', { cut: 'before' }],
	['the connection broke after it was done', { cut: 'after' }],
	['the service had an error', { status: 500 }],
	['a gateway gave up', { status: 502, done: true }],
	['the answer was cut short unnoticed', { status: 200, body: '{"success":tr', done: true }],
])('When %s', (_, then) => {
	test('reading is repeated', async () => {
		await fault(then);
		const { items: output, error } = await stage.run({ resource: 'bot', operation: 'get' });
		expect(error).toBeUndefined();
		expect(output[0]?.json.user_id).toBe(String(stage.bot.user_id));
	});

	const change = async (parameters: INodeParameters) => {
		await stage.run(SEND, { items: items('one') });
		const [message] = await stage.control.messages(chatId);
		await fault(then);
		const result = await stage.run({ ...parameters, message_id: message?.body.mid ?? '' });
		expect(result.error).toBeUndefined();
		expect(result.items).toHaveLength(1);
	};

	test('an edit is repeated', async () => {
		await change({ resource: 'message', operation: 'edit', text: 'changed' });
		expect(await texts()).toEqual(['changed']);
	});

	test('a deletion is repeated, and succeeds if nothing is left to delete', async () => {
		await change({ resource: 'message', operation: 'delete' });
		expect(await texts()).toEqual([]);
	});
});

test('A deletion whose answer is lost succeeds although the service is busy when it is repeated', async () => {
	await stage.run(SEND, { items: items('one') });
	const [message] = await stage.control.messages(chatId);
	const faults: FaultAction[] = [{ cut: 'after' }, { status: 503 }];
	await stage.control.setFaults(faults.map((then) => ({ match: { origin: 'api' }, then })));
	const deletion = {
		resource: 'message',
		operation: 'delete',
		message_id: message?.body.mid ?? '',
	};
	const { error } = await stage.run(deletion);
	expect(error).toBeUndefined();
	expect(await texts()).toEqual([]);
});

test('A server that does not speak TLS is not asked a second time', async () => {
	let connections = 0;
	const server = createServer((_, response) => response.end());
	server.on('connection', () => connections++);
	const baseUrl = `https://127.0.0.1:${await listen(server)}`;
	const credentials = stage.credentialsWith({ baseUrl });
	const { error } = await stage.run({ resource: 'bot', operation: 'get' }, { credentials });
	await close(server);
	expect(error?.message).toContain('No answer from the service');
	expect(connections).toBe(1);
});

test('A service that comes up within the time for retries gets the message', async () => {
	const at = Number(new URL(stage.platform.baseUrl).port);
	const { botMessagingApi } = stage.credentials;
	await stage.stop();
	const sent = stage.run(SEND, { items: items('late') });
	await stage.open();
	const bot = await stage.control.createBot({ token: botMessagingApi.accessToken });
	await stage.control.createChat({ chat_id: chatId, admins: [{ user_id: bot.user_id }] });
	// Now that it knows the bot and the chat, it can be reached.
	const front = createTcpServer((outside) => {
		const inside = connect(Number(new URL(stage.platform.baseUrl).port), '127.0.0.1');
		for (const socket of [inside, outside]) socket.on('error', () => {});
		outside.pipe(inside).pipe(outside);
	});
	await listen(front, at);
	expect((await sent).error).toBeUndefined();
	expect(await texts()).toEqual(['late']);
	front.close();
});

test('The time for retries ends, although the clock of the machine is set back by hours meanwhile', async () => {
	await fault({ status: 503 }, { count: -1 });
	const options = delivery({ retry_for_seconds: 10 });
	const run = stage.run({ ...SEND, options }, { items: items('one') });
	await waitFor(async () => (await requests()) > 1, { what: 'a retry' });
	const restoreClock = setClockBack(3 * 3_600_000);
	const { error } = await run.finally(restoreClock);
	expect(error).toMatchObject({ httpCode: '503' });
});

test('A canceled run does not wait for the end of a pause', async () => {
	await fault({ status: 503, headers: { 'retry-after': '3600' } }, { count: -1 });
	const options = delivery({ retry_for_seconds: 7200 });
	const run = stage.run({ ...SEND, options }, { items: items('one') });
	await waitFor(async () => (await requests()) === 1, { what: 'the request' });
	run.cancel();
	expect(await run).toMatchObject({ status: 'canceled' });
	expect(await requests()).toBe(1);
});

test('Without Continue On Fail, nothing more is sent after the first failure', async () => {
	await fault({ status: 403, body: { code: 'chat.denied', message: 'No' } }, { after: 1 });
	const { error } = await stage.run(SEND, { items: items('one', 'two', 'three', 'four') });
	expect(error).toMatchObject({ message: 'No', httpCode: '403', context: { itemIndex: 1 } });
	expect(await requests()).toBe(2);
});

describe('An answer that trickles and never ends', () => {
	const time = HeldTime.forEachTest();
	beforeEach(async () => {
		await fault({ status: 200, body: { text: 'without end' }, slow_body_ms: 300_000 });
	});

	/** Lets the time limit of the request pass once its answer has begun. */
	const timeOut = async () => {
		await stage.seen({ kind: 'request', status: 200 });
		time.pass(60_000);
	};

	test('is given up, and the error says that the message may have been sent', async () => {
		const run = stage.run(SEND, { items: items('one') });
		await timeOut();
		const { error } = await run;
		expect(error).toMatchObject({
			message: expect.stringContaining('it took too long'),
			description: expect.stringContaining('check before sending again'),
		});
		expect(await requests()).toBe(1);
	});

	test('is given up, and a request that only reads is repeated', async () => {
		const run = stage.run({ resource: 'bot', operation: 'get' });
		await timeOut();
		const { items: bots, error } = await run;
		expect(error).toBeUndefined();
		expect(bots).toMatchObject([{ json: { user_id: String(stage.bot.user_id) } }]);
	});
});

const authority = createAuthority();
// Through a proxy, n8n takes a host without a name for this one.
const behind = Stage.forAllTests({ tls: authority.issue(['localhost']) });

/** A service that is played below HTTP, by connection and number of the connection, and credentials that lead there. */
async function startBelowHttp(play: (socket: Socket, count: number) => void) {
	const sockets: Socket[] = [];
	const server = createTcpServer((socket) => {
		sockets.push(socket.on('error', () => {}));
		play(socket, sockets.length);
	});
	const baseUrl = `https://localhost:${await listen(server)}`;
	const credentials = behind.credentialsWith({ baseUrl, trustedAuthorities: authority.ca });
	const stop = (): void => {
		for (const socket of sockets) socket.destroy();
		server.close();
	};
	return { credentials, stop };
}

test('A message whose connection ends before it is secure is sent once there is one', async () => {
	const port = Number(new URL(behind.platform.baseUrl).port);
	const { credentials, stop } = await startBelowHttp((outside, count) => {
		if (count <= 2) return void outside.once('data', () => outside.end());
		const inside = connect(port, '127.0.0.1').on('error', () => {});
		outside.pipe(inside).pipe(outside);
	});
	try {
		const { chatId } = await behind.dialog();
		const message = { ...SEND, chat_id: chatId, text: 'one' };
		const { error } = await behind.run(message, { credentials });
		expect(error).toBeUndefined();
		expect(await behind.control.messages(chatId)).toHaveLength(1);
	} finally {
		stop();
	}
});

test.each([
	{
		what: 'a message is not sent again, and the error says that it may have arrived',
		form: { ...SEND, chat_id: '1', text: 'one' },
		advice: /may or may not/,
		times: { least: 1, most: 1 },
	},
	{
		what: 'a request that only reads is repeated',
		form: { resource: 'bot', operation: 'get' },
		advice: /^Try again/,
		times: { least: 2, most: Infinity },
	},
])('When a secure connection breaks after the request, $what', async ({ form, advice, times }) => {
	const secureContext = createSecureContext(authority.issue(['localhost']));
	let asked = 0;
	const { credentials, stop } = await startBelowHttp((socket) => {
		const secure = new TLSSocket(socket, { isServer: true, secureContext });
		secure.on('error', () => {});
		secure.once('data', () => {
			asked++;
			// What follows cannot be decrypted.
			socket.write(Buffer.from([23, 3, 3, 0, 40, ...Buffer.alloc(40)]));
		});
	});
	const options = delivery({ retry_for_seconds: 3 });
	const { error } = await behind.run({ ...form, options }, { credentials }).finally(stop);
	expect(error).toMatchObject({
		message: expect.stringMatching(/the secure connection broke \(ERR_SSL_/),
		description: expect.stringMatching(advice),
	});
	expect(asked).toBeGreaterThanOrEqual(times.least);
	expect(asked).toBeLessThanOrEqual(times.most);
});

test('A request that the proxy of n8n drops before it reaches the service is repeated, also a message and a file', async () => {
	behind.credentials.botMessagingApi.trustedAuthorities = authority.ca;
	/** The service and its upload host: the first connection to each of them is dropped. */
	const hosts = new Set<unknown>();
	const tunnels: Socket[] = [];
	const proxy = createServer();
	proxy.on('connect', ({ url }, outside: Socket) => {
		if (hosts.size < hosts.add(url).size) return void outside.end();
		const inside = connect(Number(url?.split(':')[1]), '127.0.0.1');
		tunnels.push(inside, outside);
		for (const socket of [inside, outside]) socket.on('error', () => {});
		outside.write('HTTP/1.1 200 OK\r\n\r\n');
		outside.pipe(inside).pipe(outside);
	});
	process.env.HTTPS_PROXY = `http://127.0.0.1:${await listen(proxy)}`;
	try {
		const { chatId } = await behind.dialog();
		const sent = await behind.run({ ...SEND, chat_id: chatId, text: 'one' });
		expect(sent.error).toBeUndefined();
		expect(await behind.control.messages(chatId)).toHaveLength(1);
		const items = [await itemWith({ data: { size: 1000, ...KINDS.video } })];
		const uploaded = await behind.run(uploadForm(), { items });
		expect(uploaded.items).toMatchObject([{ json: { size: 1000 } }]);
		expect(hosts.size).toBe(2);
	} finally {
		delete process.env.HTTPS_PROXY;
		for (const socket of tunnels) socket.destroy();
		await close(proxy);
	}
});
