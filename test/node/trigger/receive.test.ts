import { DataDeduplicationService } from 'n8n-core';
import type { INodeParameters } from 'n8n-workflow';
import { waitFor } from '../../support/wait';
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
		update_type: 'bot_started',
		timestamp: 1785000120000 + ++events,
		chat_id: 146854609,
		user: { user_id: 110022334, first_name: 'Vera', is_bot: false },
		...more,
	});

	const send = async (host: TriggerHost, event: object | string, secret = SECRET) =>
		await post(host, typeof event === 'string' ? event : JSON.stringify(event), carrying(secret));

	const deliver = async (event: object) =>
		await stage.control.enqueue(stage.bot.user_id, { ...event });

	const deliveries = async () => await stage.control.journal({ kind: 'delivery' });

	it('starts the workflow and is answered 200', async () => {
		const host = await active();
		await deliver(started({ payload: 'campaign_42' }));
		const [execution] = await host.ended(1);
		expect(execution).toMatchObject({ status: 'success', mode: 'trigger' });
		expect(execution?.items).toMatchObject([
			{ json: { event: 'bot_started', chat_id: '146854609', payload: 'campaign_42' } },
		]);
		expect(await deliveries()).toMatchObject([{ status: 200, attempt: 1 }]);
	});

	it('starts the workflow for an event that looks like the report of a lost worker', async () => {
		const host = await active();
		await deliver(started({ lost_with_its_worker: true }));
		expect(await host.ended(1)).toMatchObject([{ status: 'success' }]);
		expect(await deliveries()).toMatchObject([{ status: 200, attempt: 1 }]);
	});

	it('keeps every digit of an event that is not simplified', async () => {
		const host = await active({ output: 'raw' });
		const text = JSON.stringify(started({ nested: { seq: 1 } }));
		await send(host, text.replace('"seq":1', '"seq":116981768090823485'));
		const [execution] = await host.ended(1);
		expect(execution?.items[0]?.json).toMatchObject({ nested: { seq: '116981768090823485' } });
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
		it.each<[string, Record<string, string>]>([
			['without secret', {}],
			['with a wrong secret', carrying('wrong-secret')],
			['with an empty secret', carrying('')],
			['with the secret in another header', { authorization: SECRET }],
			['with two secrets', { ...carrying(SECRET), 'x-other-bot-api-secret': SECRET }],
		])('%s', async (_, headers) => {
			const host = await active();
			const { status, body } = await post(host, JSON.stringify(started()), headers);
			expect(status).toBe(403);
			expect(body).not.toContain(SECRET);
			expect(host.stored.executions).toEqual([]);
			expect(JSON.stringify(host.logs)).not.toContain(SECRET);
		});

		it('when it has the secret of another trigger of the bot', async () => {
			const one = await stage.trigger({ events: ['*'] });
			const two = await stage.trigger({ events: ['*'] });
			await one.activate();
			await two.activate();
			const { bots } = await stage.control.state();
			const secrets = bots[0]?.subscriptions.map(({ secret }) => secret ?? '') ?? [];
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
		const { bots } = await stage.control.state();
		const old = bots[0]?.subscriptions[0]?.secret ?? '';
		const { token } = await stage.control.rotateToken(stage.bot.user_id);
		stage.credentials.botMessagingApi.accessToken = token;
		await host.memory.tick();
		await deliver(started());
		await host.ended(1);
		expect((await send(host, started(), old)).status).toBe(403);
	});

	describe('that is not an event is answered 400 and starts nothing', () => {
		it.each([
			['an empty body', ''],
			['null', 'null'],
			['an array', '[{"update_type":"bot_started","timestamp":1}]'],
			['a text', '"bot_started"'],
			['no type', '{"timestamp":1}'],
			['no time', '{"update_type":"bot_started"}'],
			['a time that is a text', '{"update_type":"bot_started","timestamp":"1"}'],
			[
				'deep nesting',
				`{"update_type":"x","timestamp":1,"a":${'['.repeat(5000)}${']'.repeat(5000)}}`,
			],
		])('%s', async (_, body) => {
			const host = await active();
			expect((await send(host, body)).status).toBe(400);
			expect(host.stored.executions).toEqual([]);
		});

		it.each(['text/xml', 'application/octet-stream', 'application/x-www-form-urlencoded'])(
			'nonsense of type %s',
			async (type) => {
				const host = await active();
				const headers = { ...carrying(SECRET), 'content-type': type };
				expect((await post(host, '<a/>', headers)).status).toBe(400);
				expect(host.stored.executions).toEqual([]);
			},
		);
	});

	it('with invalid JSON is answered 422 by n8n', async () => {
		const host = await active();
		expect((await send(host, '{"update_type":')).status).toBe(422);
		expect(host.stored.executions).toEqual([]);
	});

	it.each(['text/plain', 'application/json; charset=utf-8', 'application/octet-stream', ''])(
		'with an event of content type "%s" is accepted',
		async (type) => {
			const host = await active();
			const headers = { ...carrying(SECRET), 'content-type': type };
			expect((await post(host, JSON.stringify(started()), headers)).status).toBe(200);
			await host.ended(1);
		},
	);

	it('with a type that was not chosen is answered 200, so that it is not delivered again', async () => {
		const host = await active({ events: ['message_created'] });
		expect((await send(host, started())).status).toBe(200);
		expect(host.stored.executions).toEqual([]);
	});

	it('with a type that the package does not know starts the workflow when Any Event is chosen', async () => {
		const host = await active();
		expect((await send(host, started({ update_type: 'poll_closed' }))).status).toBe(200);
		const [execution] = await host.ended(1);
		expect(execution?.items).toMatchObject([{ json: { event: 'poll_closed' } }]);
	});

	it('that does not pass a filter is answered 200 and starts nothing', async () => {
		const host = await active({ filters: { chat_ids: '1' } });
		expect((await send(host, started())).status).toBe(200);
		expect((await send(host, started({ chat_id: undefined }))).status).toBe(200);
		expect(host.stored.executions).toEqual([]);
		await send(host, started({ chat_id: 1 }));
		await host.ended(1);
	});

	it('that does not pass a filter starts no test run either', async () => {
		const host = await stage.trigger({ events: ['*'], filters: { chat_ids: '1' } });
		await host.listenForTest();
		await deliver(started());
		await waitFor(async () => (await deliveries()).length === 1, { what: 'the answer' });
		await deliver(started({ chat_id: 1 }));
		const executions = await host.ended(1);
		expect(executions.map(({ items }) => items[0]?.json.chat_id)).toEqual(['1']);
		expect(await deliveries()).toMatchObject([{ status: 200 }, { status: 200 }]);
	});

	it('with prototype keys does no harm', async () => {
		const host = await active();
		const hostile = '{"update_type":"__proto__","timestamp":1,"__proto__":{"polluted":1}}';
		expect((await send(host, hostile)).status).toBe(200);
		await host.ended(1);
		expect(Reflect.get({}, 'polluted')).toBeUndefined();
	});

	describe('that repeats an event', () => {
		it('starts nothing', async () => {
			const host = await active();
			const event = started();
			for (let time = 0; time < 3; time++) expect((await send(host, event)).status).toBe(200);
			expect(host.stored.executions).toHaveLength(1);
		});

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
			// Another process has n8n's database, but not the memory of the first.
			jest.resetModules();
			const { BotMessagingTrigger } =
				await import('../../../nodes/BotMessaging/BotMessagingTrigger.node');
			const node = new BotMessagingTrigger();
			const two = await stage.activeTrigger(parameters, { workflowId, nodeId: 'one', node });
			expect((await send(two, event)).status).toBe(200);
			const [execution] = await two.ended(1);
			expect(execution).toMatchObject({ status: 'success', items: [] });
		});

		it('is distinguished from events that only look like it', async () => {
			const host = await active();
			const press = (timestamp: number, payload: string) => ({
				update_type: 'message_callback',
				timestamp,
				callback: { timestamp, callback_id: 'same', payload, user: { user_id: 1 } },
			});
			const edit = (timestamp: number) => ({
				update_type: 'message_edited',
				timestamp,
				message: { recipient: { chat_id: 1 }, body: { mid: `mid.${Date.now()}` } },
			});
			for (const event of [press(1, 'a'), press(2, 'a'), press(2, 'b'), edit(3), edit(4)]) {
				await send(host, event);
			}
			const executions = await host.ended(5);
			expect(executions.flatMap(({ items }) => items)).toHaveLength(5);
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
		await waitFor(async () => (await deliveries()).length === 1, { what: 'the answer' });
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
		await stage.control.setFaults([
			{ match: { method: 'GET', path: '/messages' }, count: 1, then: { delay_ms: 1000 } },
		]);
		await stage.control.clearJournal();
		await stage.control.userWrites(chatId, {
			text: 'Hi',
			link: { type: 'reply', mid: String(items[0]?.json.message_id) },
		});
		await waitFor(async () => (await stage.control.faults())[0]?.count === 0, {
			interval: 5,
			what: 'the look',
		});
		await host.deactivate();
		const [delivery] = await waitFor(
			async () => {
				const seen = await deliveries();
				return seen.length > 0 && seen;
			},
			{ what: 'the answer', interval: 20 },
		);
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
		await waitFor(async () => (await deliveries()).length === 1, { what: 'the answer' });
		expect(await deliveries()).toMatchObject([{ status: 200, attempt: 1 }]);
		await deliver(event);
		await waitFor(async () => (await deliveries()).length === 2, { what: 'the repetition' });
		expect(host.stored.executions).toHaveLength(2);
	});
});
