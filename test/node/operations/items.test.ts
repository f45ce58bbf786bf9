import { WorkflowExecute } from 'n8n-core';
import type { INodeParameters } from 'n8n-workflow';
import { delivery } from '../../support/delivery';
import { waitFor } from '../../support/wait';
import { itemWith, KINDS } from '../mediaFiles';
import { Stage } from '../support/stage';
import { byId, castForEachTest } from './cast';

const stage = Stage.forAllTests({ limits: { requests_per_second: 0 } });
const cast = castForEachTest(stage);

const getChat = { resource: 'chat', operation: 'get', chat_id: '={{ $json.chat_id }}' };
const items = (...chat_ids: Array<string | number>) =>
	chat_ids.map((chat_id) => ({ json: { chat_id } }));

describe('Continue On Fail', () => {
	test('replaces a failed item with an error item: message, description, code and pairing', async () => {
		const { items: output, error } = await stage.run(getChat, {
			items: items(cast.group, -5, 'nobody', cast.channel),
			onError: 'continueRegularOutput',
		});
		expect(error).toBeUndefined();
		expect(output).toMatchObject([
			{ json: { chat_id: cast.group }, pairedItem: { item: 0 } },
			{
				json: {
					error: 'Chat -5 not found',
					description: expect.stringContaining("'Send To' → 'User'"),
					code: 'chat.not.found',
					http_code: 404,
				},
				pairedItem: { item: 1 },
			},
			{
				json: {
					error: 'Chat ID is not an ID: nobody',
					description: expect.stringContaining('Names and links do not work'),
				},
				pairedItem: { item: 2 },
			},
			{ json: { chat_id: cast.channel }, pairedItem: { item: 3 } },
		]);
	});

	test('gives an error item for an option whose expression fails', async () => {
		const notify = "={{ $json.fails ? $('Nowhere').first().json.x : false }}";
		const { items: output } = await stage.run(
			{ resource: 'message', chat_id: cast.group, text: 'Hi', options: { notify } },
			{ items: [{ json: { fails: true } }, { json: {} }], onError: 'continueRegularOutput' },
		);
		expect(output).toMatchObject([
			{ json: { error: "Referenced node doesn't exist" }, pairedItem: { item: 0 } },
			{ json: { text: 'Hi' }, pairedItem: { item: 1 } },
		]);
	});

	test('can send failed items to the error output', async () => {
		const { outputs } = await stage.run(getChat, {
			items: items(cast.group, -5),
			onError: 'continueErrorOutput',
		});
		expect(outputs.map((output) => output.length)).toEqual([1, 1]);
		expect(outputs[1]).toMatchObject([{ json: { error: 'Chat -5 not found' } }]);
	});

	test('sends them there in older versions of n8n, too, which know a failed item by its error alone', async () => {
		const byErrorAlone: boolean[] = [];
		const sort = WorkflowExecute.prototype.handleNodeErrorOutput;
		const spy = jest
			.spyOn(WorkflowExecute.prototype, 'handleNodeErrorOutput')
			.mockImplementation(function (this: WorkflowExecute, workflow, data, output, run) {
				byErrorAlone.push(...(output[0] ?? []).map(({ error }) => error !== undefined));
				sort.call(this, workflow, data, output, run);
			});
		const { outputs } = await stage.run(getChat, {
			items: items(cast.group, -5),
			onError: 'continueErrorOutput',
		});
		spy.mockRestore();
		expect(byErrorAlone).toEqual([false, true]);
		const json = { chat_id: -5, error: 'Chat -5 not found', details: { http_code: 404 } };
		expect(outputs[1]).toMatchObject([{ json }]);
	});

	test.each([
		[
			'an option',
			{ options: delivery({ requests_per_second: '={{ 0 }}' }) },
			{},
			/0\.01 and 30: 0$/,
		],
		['the credential', {}, { accessToken: 'two words' }, /tokens cannot have/],
		['the operation', { operation: 'teleport' }, {}, /no operation "teleport"/],
		['the resource', { resource: 'planet' }, {}, /no resource "planet"/],
		["n8n's own entry", { operation: '__CUSTOM_API_CALL__' }, {}, /by the HTTP Request node/],
		["n8n's own resource", { resource: '__CUSTOM_API_CALL__' }, {}, /by the HTTP Request node/],
	])('reports no item as done when %s is wrong', async (_, wrong, credential, message) => {
		const { outputs } = await stage.run(
			{ ...getChat, ...wrong },
			{
				items: items(cast.group, cast.channel),
				onError: 'continueErrorOutput',
				credentials: stage.credentialsWith(credential),
			},
		);
		const json = { error: expect.stringMatching(message) };
		expect(outputs).toEqual([
			[],
			[0, 1].map(() => expect.objectContaining({ json: expect.objectContaining(json) })),
		]);
	});

	test.each([
		[
			'Message ID',
			{ chat_id: '={{ $json.chat_id || 5 }}', message_id: '={{ $json.chat_id ? "" : {} }}' },
		],
		['Chat ID', { chat_id: '={{ $json.chat_id || {} }}' }],
	])('keeps an item whose %s is an object from affecting the others', async (field, fields) => {
		const { items: output } = await stage.run(
			{ resource: 'message', operation: 'sendOrEdit', text: 'Hello', ...fields },
			{ items: items(cast.group, 0), onError: 'continueRegularOutput' },
		);
		expect(output.map(({ json }) => json)).toMatchObject([
			{ text: 'Hello' },
			{ error: expect.stringMatching(`^${field} is `) },
		]);
	});
});

describe('A value that is not one of the choices is refused before anything is sent', () => {
	const send = { resource: 'message', operation: 'send', text: 'Hello' };
	const edit = { resource: 'message', operation: 'edit', text: 'Hello' };
	const commands = { resource: 'bot', operation: 'setCommands' };
	const photo = { size: 100, ...KINDS.image };
	test.each([
		['Attachments', send, 'attachments_source', 'JSON'],
		['Inline Keyboard', send, 'keyboard_source', 'true'],
		['Reply To', send, 'reply_to', 'Trigger'],
		['Attachments and Keyboard', edit, 'attachments_change', 'Remove'],
		['Commands', commands, 'commands_source', 'JSON'],
		['Send To', send, 'send_to', 'Person'],
		['Media Type', { resource: 'file', operation: 'upload' }, 'media_type', 'photo'],
	])('%s of %j', async (label, parameters, name, given) => {
		const ids = {
			chat_id: cast.group,
			user_id: cast.vera,
			message_id: cast.keyboard,
			reply_to_message_id: cast.keyboard,
		};
		const { error } = await stage.run(
			{ ...parameters, ...ids, [name]: `={{ "${given}" }}` },
			{ items: [await itemWith({ data: photo })] },
		);
		expect(error?.message).toBe(`${label} is not one of its choices: ${given}`);
		expect(error?.description).toMatch(/^Choose, or give one of: \w+, /);
		expect(await stage.control.journal({ kind: 'request' })).toEqual([]);
	});

	test('Kind of an attachment, instead of sending the files of the item', async () => {
		const list = {
			attachments_source: 'list',
			attachments: { items: [{ kind: '={{ $json.no }}' }] },
		};
		const { error } = await stage.run(
			{ ...send, chat_id: cast.group, ...list },
			{ items: [await itemWith({ data: photo })] },
		);
		expect(error?.message).toBe(
			'Kind of attachment 1 is empty: its expression gave nothing for this item',
		);
		expect(await stage.control.journal({ kind: 'request' })).toEqual([]);
	});
});

describe('An expression that gives nothing is refused if it would', () => {
	const url = 'https://flow.example.com/webhook/7f/bot';
	const subscribe = { resource: 'subscription', operation: 'create', url };
	const grant = { resource: 'administrator', operation: 'grantRights' };
	const grow = { resource: 'message', operation: 'sendOrEdit', attachments_source: 'json' };
	const nothing = '={{ $json.nope }}';
	const update = (field: INodeParameters): INodeParameters => ({
		resource: 'chat',
		operation: 'update',
		updateFields: { description: 'New', ...field },
	});
	test.each<[string, string, INodeParameters]>([
		['leave the title of a chat unchanged', 'Title', update({ title: nothing })],
		['leave the icon of a chat unchanged', 'Icon URL', update({ icon_url: nothing })],
		['leave the pinned message unchanged', 'Pin', update({ pin: byId(nothing) })],
		['remove a secret', 'Secret', { ...subscribe, options: { secret: nothing } }],
		['send all events', 'Event Types', { ...subscribe, options: { update_types: nothing } }],
		[
			'revoke all rights',
			'Rights of administrator 1',
			{ ...grant, admins: { admin: [{ user_id: '5', permissions: nothing }] } },
		],
		[
			'let a member come back',
			'Block',
			{ resource: 'member', operation: 'remove', user_id: byId('5'), options: { block: nothing } },
		],
		['remove attachments', 'Attachments JSON', { ...grow, text: 'Hi', attachments_json: nothing }],
		[
			'remove a text',
			'Text',
			{ ...grow, text: nothing, attachments_json: '[{"type":"image","payload":{"token":"a"}}]' },
		],
		['show tags as text', 'Format', { resource: 'message', text: '<b>Hi</b>', format: nothing }],
		[
			'empty a comment',
			'Text',
			{ resource: 'comment', operation: 'edit', comment_id: byId('mid.2'), text: nothing },
		],
	])('%s', async (_, field, parameters) => {
		const ids = { chat_id: cast.group, message_id: 'mid.1' };
		const { error } = await stage.run({ ...ids, ...parameters });
		expect(error?.message).toBe(`${field} is empty: its expression gave nothing for this item`);
		expect(await stage.control.journal({ kind: 'request' })).toEqual([]);
	});
});

test.each([
	['nothing', {}],
	['an empty text', { permissions: '' }],
	['a blank', { permissions: ' ' }],
	['a list of blanks', { permissions: ['', ' '] }],
	['a list of a blank as text', { permissions: '[" "]' }],
])(
	'Administrators given as JSON with %s as their rights are refused, and do not lose them',
	async (_, rights) => {
		const admins_json = [{ user_id: cast.nina, alias: 'Chief', ...rights }];
		const grant = { resource: 'administrator', operation: 'grantRights', chat_id: cast.group };
		const { error } = await stage.run({
			...grant,
			admins_source: 'json',
			admins_json: JSON.stringify(admins_json),
		});
		expect(error?.message).toBe('Rights of entry 1 is empty');
	},
);

test('An operation that returns several items pairs each with the item it came from', async () => {
	const { items: output } = await stage.run(
		{ resource: 'administrator', operation: 'getAll', chat_id: '={{ $json.chat_id }}' },
		{ items: items(cast.channel, cast.group) },
	);
	const pairs = output.map(({ pairedItem }) => pairedItem);
	expect(pairs).toEqual([0, 0, 1, 1, 1].map((item) => ({ item })));
});

test('Canceling stops before the next request', async () => {
	const slow = { match: { method: 'POST' }, then: { delay_ms: 20_000 }, count: 3 };
	await stage.control.setFaults([slow]);
	const requestsLeft = async () => (await stage.control.faults())[0]?.count;
	const user_ids = Array.from({ length: 250 }, (_, index) => index + 1).join(',');
	const run = stage.run({ resource: 'member', operation: 'add', chat_id: cast.group, user_ids });
	const what = 'the first of three requests';
	await waitFor(async () => (await requestsLeft()) === 2, { what, interval: 20 });
	run.cancel();
	await stage.control.advance(20_000);
	const { status } = await run;
	expect(status).toBe('canceled');
	expect(await requestsLeft()).toBe(2);
});
