import { DataDeduplicationService } from 'n8n-core';
import type { INodeParameters } from 'n8n-workflow';
import { botStarted } from '../../support/botStarted';
import { hurry, hurryTimeouts } from '../../support/hurry';
import { waitFor } from '../../support/wait';
import { nodesOfAnotherProcess } from '../support/anotherProcess';
import { Stage } from '../support/stage';
import type { TriggerHost } from '../support/trigger';
import { carrying, post } from './post';

const SECRET = 'a-secret-of-our-own';

describe('a call of the trigger', () => {
	afterEach(() => jest.restoreAllMocks());
	const stage = Stage.forEachTest();
	let events = 0;

	const active = async (parameters: INodeParameters = {}) =>
		await stage.activeTrigger({
			events: ['*'],
			options: { secret: SECRET },
			...parameters,
		});

	/** A unique event. */
	const started = (more: object = {}) => ({
		...botStarted('a'),
		timestamp: 1785000120000 + ++events,
		...more,
	});

	const send = async (host: TriggerHost, event: object | string, secret = SECRET) =>
		await post(host, typeof event === 'string' ? event : JSON.stringify(event), carrying(secret));

	const deliver = async (event: object) =>
		await stage.control.enqueue(stage.bot.user_id, { ...event });

	const deliveries = async () => await stage.control.journal({ kind: 'delivery' });

	it('starts the workflow for an event that looks like the report of a lost worker', async () => {
		const host = await active();
		await deliver(started({ lost_with_its_worker: true }));
		expect(await host.ended(1)).toMatchObject([{ status: 'success' }]);
		expect(await stage.seen({ kind: 'delivery' })).toMatchObject([{ status: 200, attempt: 1 }]);
	});

	it('keeps every digit of an event that is not simplified', async () => {
		const host = await active({ output: 'raw' });
		const text = JSON.stringify(started({ nested: { seq: 1 } }));
		await send(host, text.replace('"seq":1', '"seq":116981768090823485'));
		const [execution] = await host.ended(1);
		expect(execution?.items[0]?.json).toMatchObject({ nested: { seq: '116981768090823485' } });
	});

	describe('where the service also reports what bots write,', () => {
		const said = (text: string, sender: object, type = 'message_created') => ({
			update_type: type,
			timestamp: 1785000120000 + ++events,
			message: {
				sender: { first_name: 'Clerk', is_bot: true, ...sender },
				recipient: { chat_id: -71, chat_type: 'chat' },
				body: { mid: `mid.${events}`, text },
			},
		});
		const play = async (parameters: INodeParameters) => {
			const { user_id } = stage.bot;
			const host = await active(parameters);
			await deliver(said('own', { user_id }));
			await deliver(said('own edit', { user_id }, 'message_edited'));
			await deliver(said('of another bot', { user_id: 240000999 }));
			await deliver(said('of nobody', { user_id: undefined }));
			const renamed = { update_type: 'chat_title_changed', chat_id: -71, title: 'own title' };
			await deliver({ ...renamed, timestamp: 1, user: { user_id, is_bot: true } });
			const executions = await host.ended(3);
			return executions.map(({ items: [item] }) => item?.json.text ?? item?.json.title).sort();
		};

		it.each(['webhook', 'polling'])(
			'does not start the workflow for those of the bot itself, but for what else it does, by %s',
			async (delivery) => {
				expect(await play({ delivery })).toEqual(['of another bot', 'of nobody', 'own title']);
				expect(await stage.control.journal({ kind: 'request', path: '/me' })).toHaveLength(1);
			},
		);

		it('does not start it once the service has said who the bot is, whatever it answered before', async () => {
			await stage.fault({ path: '/me' }, { status: 200, body: { status: 'maintenance' } });
			const host = await active();
			const { user_id } = stage.bot;
			await send(host, said('first', { user_id }));
			expect((await send(host, said('second', { user_id }))).body).toContain('Ignored');
			expect(await host.ended(1)).toMatchObject([{ items: [{ json: { text: 'first' } }] }]);
		});

		it('starts it where the service does not say who the bot is', async () => {
			await stage.fault({ path: '/me' }, { status: 400 }, { count: -1 });
			const host = await active();
			await deliver(said('own', { user_id: stage.bot.user_id }));
			expect(await host.ended(1)).toMatchObject([{ items: [{ json: { text: 'own' } }] }]);
		});
	});

	it('does not read the credential again for messages and presses that answer no question', async () => {
		const host = await active();
		await deliver(started());
		await host.ended(1);
		let reads = 0;
		const { botMessagingApi } = stage.credentials;
		Object.defineProperty(stage.credentials, 'botMessagingApi', {
			get: () => {
				reads++;
				return botMessagingApi;
			},
		});
		const user = await stage.control.createUser();
		const dialog = await stage.control.createDialog(stage.bot.user_id, user.user_id);
		await stage.control.userWrites(dialog.chat_id, { user_id: user.user_id, text: 'Hello' });
		await deliver({
			update_type: 'message_callback',
			timestamp: 1785000120000,
			callback: {
				timestamp: 1785000120000,
				callback_id: 'c',
				payload: 'menu',
				user: { user_id: 1 },
			},
		});
		const executions = await host.ended(3);
		expect(executions.map(({ status }) => status)).toEqual(['success', 'success', 'success']);
		expect(reads).toBe(0);
	});

	describe('is refused with 403 and starts nothing', () => {
		it('when it has the secret of another trigger of the bot', async () => {
			await stage.activeTrigger({ events: ['*'] });
			const two = await stage.activeTrigger({ events: ['*'] });
			const secrets = (await stage.subscriptions()).map(({ secret }) => secret ?? '');
			expect(new Set(secrets).size).toBe(2);
			expect((await send(two, started(), secrets[0])).status).toBe(403);
			expect((await send(two, started(), secrets[1])).status).toBe(200);
		});

		it('when the credential cannot be used', async () => {
			const host = await stage.activeTrigger({ events: ['*'] });
			stage.credentials.botMessagingApi.accessToken = '';
			expect((await send(host, started(), 'anything')).status).toBe(403);
			expect(host.stored.executions).toEqual([]);
		});
	});

	it('with the secret of an older token is refused once the credential has the new one', async () => {
		const host = await stage.activeTrigger({ events: ['*'] });
		const [{ secret = '' } = {}] = await stage.subscriptions();
		await stage.renewToken();
		await host.memory.tick();
		await deliver(started());
		await host.ended(1);
		expect((await send(host, started(), secret)).status).toBe(403);
	});

	it('that was not chosen or does not pass a filter is answered 200, so that it is not delivered again, and starts nothing', async () => {
		const host = await active({ events: ['bot_started'], filters: { chat_ids: '1' } });
		const other = { chat_id: 1, update_type: 'bot_added' };
		for (const event of [started(), started({ chat_id: undefined }), started(other)]) {
			expect((await send(host, event)).status).toBe(200);
		}
		expect(host.stored.executions).toEqual([]);
		await send(host, started({ chat_id: 1 }));
		await host.ended(1);
	});

	it('that does not pass a filter, or tells what the bot wrote, starts no test run either', async () => {
		const host = await stage.trigger({ events: ['*'], filters: { chat_ids: '1' } });
		await host.listenForTest();
		const { user_id } = stage.bot;
		const own = { sender: { user_id, is_bot: true }, recipient: { chat_id: 1 }, body: {} };
		await deliver(started());
		await deliver(started({ update_type: 'message_created', message: own }));
		await stage.seen({ kind: 'delivery' }, 2);
		await deliver(started({ chat_id: 1 }));
		const executions = await host.ended(1);
		expect(executions.map(({ items }) => items[0]?.json.event)).toEqual(['bot_started']);
		const answered = await stage.seen({ kind: 'delivery' }, 3);
		expect(answered.map(({ status }) => status)).toEqual([200, 200, 200]);
	});

	describe('that repeats an event', () => {
		it('at the same moment runs the steps once', async () => {
			const host = await active();
			const event = started();
			const answers = await Promise.all(Array.from({ length: 8 }, () => send(host, event)));
			expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
			const executions = await host.ended(1);
			expect(executions.flatMap(({ items }) => items)).toHaveLength(1);
		});

		it('after the first was stored in another process runs the steps once', async () => {
			const workflowId = `shared${Date.now()}`;
			const parameters = { events: ['*'], options: { secret: SECRET } };
			const one = await stage.activeTrigger(parameters, { workflowId, nodeId: 'one' });
			const event = started();
			await send(one, event);
			await one.ended(1);
			const { BotMessagingTrigger } = await nodesOfAnotherProcess();
			const node = new BotMessagingTrigger();
			const two = await stage.activeTrigger(parameters, { workflowId, nodeId: 'one', node });
			expect((await send(two, event)).status).toBe(200);
			const [execution] = await two.ended(1);
			expect(execution).toMatchObject({ status: 'success', items: [] });
		});

		it('starts a test run even if production has had the event', async () => {
			const host = await active();
			const event = started();
			await deliver(event);
			await host.ended(1);
			await host.listenForTest();
			await deliver(event);
			const executions = await host.ended(2);
			expect(executions.map(({ mode, items }) => `${mode} ${items.length}`).sort()).toEqual([
				'manual 1',
				'trigger 1',
			]);
		});
	});

	it('is answered once it is recorded, so that a redelivery does not run its steps again', async () => {
		const host = await active();
		const service = DataDeduplicationService.getInstance();
		const record = service.checkProcessedAndRecord.bind(service);
		let release = () => {};
		const released = new Promise<void>((resolve) => (release = resolve));
		const recorded = jest
			.spyOn(service, 'checkProcessedAndRecord')
			.mockImplementationOnce(async (...what) => {
				await released;
				return await record(...what);
			});
		await deliver(started());
		await waitFor(() => recorded.mock.calls.length === 1, { what: 'the record' });
		expect(await deliveries()).toEqual([]);
		release();
		const [execution] = await host.ended(1);
		expect(execution).toMatchObject({ status: 'success', items: [{}] });
		await stage.seen({ kind: 'delivery' });
		expect(await deliveries()).toMatchObject([{ status: 200, attempt: 1 }]);
	});

	it('that is in progress when the trigger is switched off is answered 503, so that it comes again', async () => {
		const host = await active();
		const { chatId } = await stage.dialog();
		await host.ended(1);
		const { items } = await stage.run({
			resource: 'message',
			operation: 'send',
			chat_id: chatId,
			text: 'Hello',
		});
		// Before a reply to the bot is handed over, the message that it replies to is fetched.
		await stage.fault({ method: 'GET', path: '/messages' }, { delay_ms: 20_000 });
		await stage.control.clearJournal();
		await stage.control.userWrites(chatId, {
			text: 'Hi',
			link: { type: 'reply', mid: String(items[0]?.json.message_id) },
		});
		await stage.faultMet();
		await host.deactivate();
		await stage.control.advance(20_000);
		const [delivery] = await stage.seen({ kind: 'delivery' });
		expect(delivery).toMatchObject({ status: 503 });
		expect(await host.ended(1)).toHaveLength(1);
	});

	it('that n8n cannot record starts no steps, says so, and starts them once n8n can', async () => {
		const host = await active();
		const broken = jest
			.spyOn(DataDeduplicationService.getInstance(), 'checkProcessedAndRecord')
			.mockRejectedValue(new Error('database is locked'));
		const event = started();
		await deliver(event);
		const [failed] = await host.ended(1);
		expect(failed).toMatchObject({
			status: 'error',
			items: [],
			error: {
				message: 'database is locked',
				description: expect.stringContaining('starts another execution soon'),
			},
		});
		expect(await deliveries()).toEqual([]);
		broken.mockRestore();
		const [, execution] = await host.ended(2);
		expect(execution).toMatchObject({ status: 'success', items: [{}] });
		await stage.seen({ kind: 'delivery' });
		expect(await deliveries()).toMatchObject([{ status: 200, attempt: 1 }]);
		await deliver(event);
		await stage.seen({ kind: 'delivery' }, 2);
		expect(host.stored.executions).toHaveLength(2);
	});
});

describe('what bots write, where the service takes 12 s to say who the bot is,', () => {
	hurry(5);
	let patience: ReturnType<typeof hurryTimeouts>;
	beforeEach(() => {
		patience = hurryTimeouts(5);
	});
	afterEach(() => patience.mockRestore());
	const stage = Stage.forEachTest();

	const said = (text: string, user_id: number | string) => ({
		update_type: 'message_created',
		timestamp: Date.now(),
		message: {
			sender: { user_id, first_name: 'Clerk', is_bot: true },
			recipient: { chat_id: -71, chat_type: 'chat' },
			body: { mid: `mid.${text}`, text },
		},
	});

	it.each(['webhook', 'polling'])(
		'starts the workflow once that is known, and only for other bots, by %s',
		async (delivery) => {
			await stage.fault({ path: '/me' }, { delay_ms: 12_000 }, { count: -1 });
			const host = await stage.activeTrigger({ events: ['*'], delivery });
			const bot = stage.bot.user_id;
			await stage.control.enqueue(bot, said('own', bot));
			await stage.control.enqueue(bot, said('of another bot', 240000999));
			if (delivery === 'webhook') {
				await stage.seen({ kind: 'delivery', status: 503 }, 2);
				await stage.seen({ kind: 'request', path: '/me' });
				await stage.control.advance(61_000);
				await stage.seen({ kind: 'delivery', status: 200 }, 2);
			}
			const executions = await host.ended(1);
			expect(executions.map(({ items }) => items[0]?.json.text)).toEqual(['of another bot']);
		},
	);
});

describe('a request to the trigger', () => {
	const stage = Stage.forAllTests();
	let host: TriggerHost;
	beforeAll(async () => {
		host = await stage.activeTrigger({ events: ['*'], options: { secret: SECRET } });
	});

	let events = 0;
	const event = (more: object = {}) =>
		JSON.stringify({ ...botStarted('a'), timestamp: ++events, ...more });
	const ofType = (type: string) => ({ ...carrying(SECRET), 'content-type': type });
	const DEEP = `${'['.repeat(5000)}${']'.repeat(5000)}`;

	/** What the log says of bodies that are no events. */
	const refusals = () =>
		host.logged.filter((line) => /^An event was refused: .* unlike "/.test(line));

	it.each<[string, number, string, Record<string, string>?]>([
		['without secret', 403, event(), {}],
		['with a wrong secret', 403, event(), carrying('wrong-secret')],
		['with an empty secret', 403, event(), carrying('')],
		['with the secret in another header', 403, event(), { authorization: SECRET }],
		['with two secrets', 403, event(), { ...carrying(SECRET), 'x-other-bot-api-secret': SECRET }],
		['with an empty body', 400, ''],
		['with null', 400, 'null'],
		['with an array', 400, '[{"update_type":"bot_started","timestamp":1}]'],
		['with a text', 400, '"bot_started"'],
		['with no type', 400, '{"timestamp":1}'],
		['with no time', 400, '{"update_type":"bot_started"}'],
		['with a time that is a text', 400, '{"update_type":"bot_started","timestamp":"1"}'],
		['with deep nesting', 400, `{"update_type":"x","timestamp":1,"a":${DEEP}}`],
		['with nonsense in XML', 400, '<a/>', ofType('text/xml')],
		['with nonsense in bytes', 400, '<a/>', ofType('application/octet-stream')],
		['with nonsense in a form', 400, '<a/>', ofType('application/x-www-form-urlencoded')],
		['with invalid JSON, which n8n answers itself,', 422, '{"update_type":'],
	])('%s is refused with %i and starts nothing', async (...row) => {
		const [, expected, sent, headers = carrying(SECRET)] = row;
		const before = host.stored.executions.length;
		const logged = refusals().length;
		const { status, body } = await post(host, sent, headers);
		expect(status).toBe(expected);
		expect(body).not.toContain(SECRET);
		expect(host.stored.executions).toHaveLength(before);
		expect(refusals()).toHaveLength(logged + Number(status === 400));
		expect(JSON.stringify(host.logs)).not.toContain(SECRET);
	});

	it.each<[string, string, string?]>([
		['as plain text', event(), 'text/plain'],
		['with the charset', event(), 'application/json; charset=utf-8'],
		['in bytes', event(), 'application/octet-stream'],
		['of no content type', event(), ''],
		['of a type that the package does not know', event({ update_type: 'poll_closed' })],
		['with a byte order mark', `\ufeff${event()}`],
		['with prototype keys', '{"update_type":"__proto__","timestamp":1,"__proto__":{"polluted":1}}'],
	])('with an event %s starts the workflow', async (_, sent, type = 'application/json') => {
		const before = host.stored.executions.length;
		expect((await post(host, sent, ofType(type))).status).toBe(200);
		const executions = await host.ended(before + 1);
		const [item] = executions.at(-1)?.items ?? [];
		expect(item?.json.event).toBe(JSON.parse(sent.replace('\ufeff', '')).update_type);
		expect(Reflect.get({}, 'polluted')).toBeUndefined();
	});
});
