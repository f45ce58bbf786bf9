import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { FACTS } from '../../../nodes/BotMessaging/events/facts';
import { readReadme } from '../../support/readme';
import { Stage } from '../support/stage';
import { atTimes } from '../wait/asked';

const TIME = 1785000120000;
const person = { user_id: 110022334, first_name: 'Vera', username: 'vera_o', is_bot: false };

describe('the item of an event', () => {
	const stage = Stage.forEachTest();
	/** The items that the trigger makes of these events. */
	const told = async (parameters: INodeParameters, ...updates: IDataObject[]) => {
		const host = await stage.activeTrigger({ events: ['*'], ...parameters });
		for (const update of updates) {
			await stage.control.enqueue(stage.bot.user_id, { timestamp: TIME, ...update });
		}
		const ended = await host.ended(updates.length);
		return ended.map(({ items }) => items[0]);
	};

	const written = (message: object, more: object = {}) => ({
		update_type: 'message_created',
		...more,
		message: {
			sender: person,
			recipient: { chat_id: -7, chat_type: 'chat' },
			timestamp: TIME,
			body: { mid: 'mid.1', text: 'Hi' },
			...message,
		},
	});

	it('holds the chosen fields and the type of the event', async () => {
		const chosen = { output: 'selected', output_fields: ['chat_type', 'text', 'payload'] };
		const [item] = await told(chosen, written({}));
		expect(item?.json).toEqual({ event: 'message_created', chat_type: 'chat', text: 'Hi' });
	});

	it.each([
		['tells it', {}, 'mid.0000000008c0d2d1019f9a4c5e600001', '146854609'],
		[
			'tells it, and the event 0',
			{ chat_id: 0 },
			'mid.0000000008c0d2d1019f9a4c5e600002',
			'146854609',
		],
		['has another shape', {}, 'AbC_1', undefined],
		['names none', {}, 'mid.0000000000000000019f9a4c5e600001', undefined],
	])(
		'has the chat of a press in a dialog, which the service left out, if the ID of its message %s',
		async (_, given, mid, chat_id) => {
			const recipient = { chat_type: 'dialog', user_id: person.user_id, ...given };
			const press = { ...written({ recipient, body: { mid } }), update_type: 'message_callback' };
			const callback = { timestamp: TIME, callback_id: 'k', payload: 'yes', user: person };
			const [item] = await told({}, { ...press, callback });
			expect(item?.json).toMatchObject({
				event: 'message_callback',
				payload: 'yes',
				message_id: mid,
			});
			expect(item?.json.chat_id).toBe(chat_id);
		},
	);

	it.each([
		['chat', '-7'],
		['person', '-7/110022334'],
	])(
		'has the fields that AI agents look for, with a session per %s',
		async (agent_session, sessionId) => {
			const [item] = await told({ output: 'raw', options: { agent_session } }, written({}));
			expect(item?.json).toMatchObject({ chatInput: 'Hi', sessionId, message: expect.anything() });
		},
	);

	it('comes from a service of any brand, and a contact card in it can be passed on with its user', async () => {
		await stage.control.setSettings({ brand: 'Acme' });
		const host = await stage.activeTrigger({ events: ['message_created'] });
		const { user, chatId } = await stage.dialog();
		await stage.control.userWrites(chatId, { attachments: [{ type: 'contact' }] });
		const [ended] = await host.ended(1);
		const said = await stage.run(
			{
				resource: 'message',
				operation: 'send',
				chat_id: chatId,
				attachments_source: 'json',
				attachments_json: '={{ $json.attachments }}',
			},
			{ items: ended?.items },
		);
		expect(said.items).toMatchObject([
			{ json: { attachments: [{ payload: { acme_info: { user_id: user.user_id } } }] } },
		]);
	});

	it('lets the README’s expressions find the phone number of a contact card, and tell whether it is the person’s own', async () => {
		const host = await stage.activeTrigger({ events: ['message_created'] });
		const { user, chatId } = await stage.dialog();
		const other = await stage.control.createUser({ first_name: 'Oleg', phone: '+79990002233' });
		const disguised = {
			contact_id: other.user_id,
			vcf_info:
				'BEGIN:VCARD\r\nFN:TEL:123\u2028TEL:123\r\nTEL;TYPE=cell:79990002233\r\nEND:VCARD\r\n',
		};
		const cards = [{}, { payload: { contact_id: other.user_id } }, { payload: disguised }];
		for (const card of cards) {
			const attachments = [{ type: 'contact' as const, ...card }];
			await stage.control.userWrites(chatId, { user_id: user.user_id, attachments });
		}
		const items = (await host.ended(cards.length)).flatMap((ended) => ended.items);
		const [phone, isOwn] = [...readReadme().matchAll(/`(\{\{ [^`]*attachments\[0\][^`]*)`/g)];
		const text = `=${phone?.[1]} ${isOwn?.[1]}`;
		const send = { resource: 'message', operation: 'send', chat_id: chatId, text };
		const unsigned = { json: { attachments: items[0]?.json.attachments } };
		const said = await stage.run(send, { items: [...items, unsigned] });
		expect(said.items.map(({ json }) => json.text)).toEqual([
			`${user.phone} true`,
			'79990002233 false',
			'79990002233 false',
			`${user.phone} false`,
		]);
	});

	it('says in a group whether the message replied to is the bot’s own, and asks the service until it knows', async () => {
		const answer = (user_id: unknown, mid: string) =>
			written({
				body: { mid, text: 'Yes' },
				link: { type: 'reply', sender: { user_id, is_bot: true }, message: { mid: 'mid.0' } },
			});
		const own = stage.bot.user_id;
		const other = 240000999;
		await stage.fault({ path: '/me' }, { status: 400 });
		const [unknown] = await told({}, answer(own, 'mid.00'));
		expect(unknown?.json.reply_to).not.toHaveProperty('is_own');
		const items = await told(
			{},
			answer(own, 'mid.1'),
			answer(other, 'mid.2'),
			answer(own, 'mid.3'),
		);
		const answers = items.map((item) => item?.json.reply_to);
		expect(answers.map((reply) => Object(reply).is_own).sort()).toEqual([false, true, true]);
		const asked = await stage.control.journal({ kind: 'request', path: '/me' });
		expect(asked).toHaveLength(2);
	});

	it('is made even if n8n’s database fails when it takes the credential to tell whose message is replied to', async () => {
		const { database, credentials } = atTimes(stage);
		const host = await stage.activeTrigger({ events: ['*'] }, { credentials });
		host.memory.storing = async () => await Promise.resolve(void (database.failures = 1));
		const link = { type: 'reply', sender: { is_bot: true }, message: { mid: 'mid.0' } };
		await stage.control.enqueue(stage.bot.user_id, { timestamp: TIME, ...written({ link }) });
		const [execution] = await host.ended(1);
		expect(execution?.error).toBeUndefined();
		expect(execution?.items).toMatchObject([{ json: { text: 'Hi', reply_to: {} } }]);
	});

	it('is made for each of two forwards without a body', async () => {
		await stage.control.setSettings({ null_bodies: true });
		const host = await stage.trigger({ events: ['message_created'] });
		const user = await stage.control.createUser();
		const { chat_id } = await stage.control.createDialog(stage.bot.user_id, user.user_id);
		const originals = [
			(await stage.control.userWrites(chat_id, 'One')).body.mid,
			(await stage.control.userWrites(chat_id, 'Two')).body.mid,
		];
		await host.activate();
		for (const mid of originals) {
			await stage.control.userWrites(chat_id, { link: { type: 'forward', mid } });
		}
		const ended = await host.ended(2);
		const told = ended.map(({ items }) => items[0]?.json);
		expect(told.map((json) => Object(json?.forwarded).text).sort()).toEqual(['One', 'Two']);
		expect(told.filter((json) => json && 'message_id' in json)).toEqual([]);
	});
});

describe('the event of a bot that was added to a group, by nobody whom the service tells', () => {
	const stage = Stage.forEachTest({ profile: 'coded' });
	const output_fields = Object.keys(FACTS).filter((name) => name !== 'event');
	const timestamp = expect.any(Number);
	const simplified = { event: 'bot_added', timestamp, chat_type: 'chat' };
	const raw = { update_type: 'bot_added', timestamp, user_id: expect.anything() };

	it.each(
		['webhook', 'polling'].flatMap((delivery) => [
			{ delivery, output: 'simplified', expected: simplified },
			{ delivery, output: 'selected', output_fields, expected: simplified },
			{ delivery, output: 'raw', expected: { ...raw, is_channel: false } },
		]),
	)(
		'starts one execution, however often it comes, and has no person: $delivery, $output',
		async ({ expected, ...parameters }) => {
			const host = await stage.activeTrigger({ events: ['bot_added'], ...parameters });
			const match = { origin: 'delivery' } as const;
			await stage.control.setFaults([{ match, count: 1, then: { duplicate: 1 } }]);
			const { chat_id } = await stage.control.createChat({ members: [stage.bot.user_id] });
			const [ended] = await host.ended(1);
			if (parameters.delivery === 'webhook') await stage.seen({ kind: 'delivery' }, 2);
			const id = parameters.output === 'raw' ? chat_id : String(chat_id);
			expect(ended?.items.map(({ json }) => json)).toEqual([{ ...expected, chat_id: id }]);
			expect(host.stored.executions).toHaveLength(1);
		},
	);
});

describe('a trigger with a setting that cannot be used', () => {
	const stage = Stage.forAllTests();

	it.each<[string, INodeParameters, RegExp]>([
		[
			'events whose expression gives nothing',
			{ events: '={{ $vars.missing }}' },
			/^Events is empty: its expression gave nothing\. A trigger has no input/,
		],
		['no events', { events: [] }, /^Events is empty/],
		[
			'an unknown event',
			{ events: ['message_create'] },
			/^Events has an entry that is not one of its choices: message_create\./,
		],
		[
			'people from an input, which triggers do not have',
			{ filters: { user_ids: '={{ $json.user_id }}' } },
			/^Filters has an expression that fails: .+\. A trigger has no input/,
		],
		[
			'chats whose expression gives nothing',
			{ filters: { chat_ids: '={{ null }}' } },
			/^Chat IDs is empty/,
		],
		['a missing property', { filters: { user_ids: '={{ ({}).missing }}' } }, /^User IDs is empty/],
	])('is not activated: %s', async (_, parameters, message) => {
		const host = await stage.trigger({ events: ['bot_started'], ...parameters });
		await expect(host.activate()).rejects.toThrow(message);
		await expect(host.listenForTest()).rejects.toThrow(message);
	});

	it.each<[string, INodeParameters, RegExp]>([
		['output', { output: '={{ "full" }}' }, /\bOutput is not one of its choices: full\./],
		[
			'session for agents',
			{ options: { agent_session: '={{ "user" }}' } },
			/\bOutput for AI Agents is not one of its choices: user\./,
		],
		[
			'kind of attachment',
			{ download_attachments: true, options: { attachment_types: '={{ ["photo"] }}' } },
			/\bAttachment Types has an entry that is not one of its choices: photo\./,
		],
	])('is not activated: an unknown %s, with which no event could be told', async (...row) => {
		const [, parameters, message] = row;
		const host = await stage.trigger({ events: ['bot_started'], ...parameters });
		await expect(host.activate()).rejects.toThrow(message);
		await expect(host.listenForTest()).rejects.toThrow(message);
		const polling = await stage.trigger({ delivery: 'polling', ...parameters });
		await expect(polling.activate()).rejects.toThrow(message);
	});

	it.each<[string, INodeParameters, RegExp]>([
		[
			'way to receive events',
			{ delivery: '={{ "Long Polling" }}' },
			/Receive By is not one of its choices: Long Polling/,
		],
		[
			'order',
			{ events: ['bot_started'], options: { order: '={{ "strict" }}' } },
			/Events of One Chat is not one of its choices: strict/,
		],
	])('is not activated: an unknown %s, which would be taken for another one', async (...row) => {
		const [, parameters, message] = row;
		const host = await stage.trigger(parameters);
		await expect(host.activate()).rejects.toThrow(message);
	});
});
