import type { INodeParameters } from 'n8n-workflow';
import { buttonFields } from '../../nodes/BotMessaging/form/message/buttons';
import { castForAllTests } from './operations/cast';
import { NO_LIMITS } from '../platform';
import { readReadme } from '../support/readme';
import { Stage } from './support/stage';

const stage = Stage.forAllTests({ limits: NO_LIMITS });
const cast = castForAllTests(stage);

const send = async (keyboard: INodeParameters) =>
	await stage.run({ resource: 'message', chat_id: cast.group, text: 'Choose', ...keyboard });

const built = (...buttons: INodeParameters[]): INodeParameters => ({
	keyboard_source: 'rows',
	keyboard: { rows: [{ row: { buttons } }] },
});

const json = (keyboard_json: string): INodeParameters => ({
	keyboard_source: 'json',
	keyboard_json,
});

const buttonsOfNewest = async () => {
	const [message] = await stage.control.messages(cast.group, 1);
	return message?.body.attachments?.[0];
};

test.each([
	['built', built({ text: 'Yes' }, { text: 'No', payload: 'no' })],
	[
		'given as JSON',
		json('[[{"type":"callback","text":"Yes"},{"type":"callback","text":"No","payload":"no"}]]'),
	],
	[
		'copied from a message',
		json(
			'{"type":"inline_keyboard","payload":{"buttons":[[{"type":"callback","text":"Yes"},{"type":"callback","text":"No","payload":"no"}]]}}',
		),
	],
])('A callback button without a payload has its text as payload: %s', async (_how, keyboard) => {
	expect((await send(keyboard)).error).toBeUndefined();
	expect(await buttonsOfNewest()).toMatchObject({
		payload: {
			buttons: [
				[
					{ text: 'Yes', payload: 'Yes' },
					{ text: 'No', payload: 'no' },
				],
			],
		},
	});
});

test('The README’s expression makes a button of each entry of a list', async () => {
	const [, expression] = /`(\{\{ \$json\.list\.[^`]*)`/.exec(readReadme()) ?? [];
	const keyboard = json(`=${expression}`);
	const items = [{ json: { list: ['Small', 'Large'] } }];
	const { error } = await stage.run(
		{ resource: 'message', chat_id: cast.group, text: 'Choose', ...keyboard },
		{ items },
	);
	expect(error).toBeUndefined();
	expect(await buttonsOfNewest()).toMatchObject({
		payload: {
			buttons: [[{ text: 'Small', payload: 'Small' }], [{ text: 'Large', payload: 'Large' }]],
		},
	});
});

test('Every type of button that the form offers is sent with its fields', async () => {
	/** The fields besides type and text, which the service gets as they are. */
	const fields: Readonly<Record<string, INodeParameters>> = {
		callback: { payload: 'yes' },
		clipboard: { payload: 'A-17' },
		link: { url: 'https://example.com/17' },
		message: {},
		open_app: { web_app: String(stage.bot.username) },
		request_contact: {},
		request_geo_location: { quick: true },
	};
	const [{ options = [] } = {}] = buttonFields;
	expect(Object.keys(fields)).toEqual(options.map((type) => 'value' in type && type.value));
	const buttons = Object.entries(fields).map(([type, own]) => ({ type, text: 'Press', ...own }));
	const rows = buttons.map((button) => ({ row: { buttons: [button] } }));
	const { error } = await send({ keyboard_source: 'rows', keyboard: { rows } });
	expect(error).toBeUndefined();
	const sent = buttons.map((button) => [button]);
	expect(await buttonsOfNewest()).toMatchObject({ payload: { buttons: sent } });
});

test('Numbers in Keyboard JSON, such as IDs of rows, are texts of their buttons, 0 like any other', async () => {
	const keyboard = json(
		'[[{"type":"callback","text":"First","payload":0},{"type":"callback","text":2,"payload":9007199254740993},{"type":"clipboard","text":"Copy","payload":1.5}]]',
	);
	expect((await send(keyboard)).error).toBeUndefined();
	expect(await buttonsOfNewest()).toMatchObject({
		payload: {
			buttons: [
				[
					{ text: 'First', payload: '0' },
					{ text: '2', payload: '9007199254740993' },
					{ text: 'Copy', payload: '1.5' },
				],
			],
		},
	});
});

test('Null in Keyboard JSON, as expressions and copied messages have it, is a field that the button lacks', async () => {
	const keyboard = json(
		'{"buttons":[[{"type":"callback","text":"A","payload":null,"url":null},{"type":"link","text":"B","url":"https://example.com","payload":null,"contact_id":null}]]}',
	);
	expect((await send(keyboard)).error).toBeUndefined();
	const buttons = [
		[
			{ type: 'callback', text: 'A', payload: 'A' },
			{ type: 'link', text: 'B', url: 'https://example.com' },
		],
	];
	const [request] = await stage.control.journal({ kind: 'request', method: 'POST' });
	expect(request).toHaveProperty('body.attachments', [
		{ type: 'inline_keyboard', payload: { buttons } },
	]);
});

test('Rows of Keyboard JSON that an expression leaves without a button are left out', async () => {
	expect((await send(json('[[],[{"type":"callback","text":"Next"}],[]]'))).error).toBeUndefined();
	expect(await buttonsOfNewest()).toMatchObject({ payload: { buttons: [[{ text: 'Next' }]] } });
});

test.each(['[]', '[[]]', '{"buttons":[]}'])(
	'Keyboard JSON without any button, such as that of a last page, is no keyboard: %s',
	async (keyboard) => {
		expect((await send(json(keyboard))).error).toBeUndefined();
		expect(await buttonsOfNewest()).toBeUndefined();
		const form = { operation: 'edit', attachments_change: 'replace_keyboard', ...json(keyboard) };
		const { error } = await stage.run({
			resource: 'message',
			message_id: cast.keyboard,
			...form,
		});
		expect(error).toBeUndefined();
		expect(await stage.control.message(cast.keyboard)).not.toHaveProperty('body.attachments');
	},
);

test.each([
	[
		'a payload that is no text',
		json(
			'[[{"type":"callback","text":"Yes"}],[{"type":"callback","text":"No","payload":{"id":1}}]]',
		),
		'Payload of row 2, button 1 is not a text',
	],
	['rows without a button', built(), 'Keyboard Rows has no button'],
	[
		'an empty label',
		built({ text: 'Yes' }, { text: '' }),
		'Button Text of row 1, button 2 is empty',
	],
	[
		'a mini-app without a name, link or contact',
		built({ type: 'open_app', text: 'Open' }),
		'Web App of row 1, button 1 is empty',
	],
])('A keyboard with %s is refused, and the place is named', async (_what, keyboard, message) => {
	expect((await send(keyboard)).error?.message).toBe(message);
});

test.each<[string, string, RegExp]>([
	['a flat list of buttons', '[{"type":"callback","text":"Yes"}]', /is not a list of rows/],
	['one button', '{"type":"callback","text":"Yes"}', /is not a list of rows/],
	[
		'rows and something else',
		'[[{"type":"callback","text":"Yes"}], "No"]',
		/is not a list of rows/,
	],
	['a text', '"Yes"', /is not a list of rows/],
	['a number', '7', /is not a list of rows/],
	['null', 'null', /is empty/],
	['nothing', '={{ $json.nope }}', /is empty: its expression gave nothing/],
	['invalid JSON', '[[{', /is not valid JSON/],
])('Keyboard JSON that is %s is refused', async (_what, keyboard, message) => {
	const { error } = await send(json(keyboard));
	expect(error?.message).toMatch(/^Keyboard JSON /);
	expect(error?.message).toMatch(message);
	expect(error?.description).toMatch(/./);
	expect(await stage.control.journal({ kind: 'request' })).toEqual([]);
});

test.each<[string, INodeParameters, object]>([
	['a name', { web_app: 'clerk_bot' }, { web_app: 'clerk_bot' }],
	['a link', { web_app: 'https://example.com/app' }, { web_app: 'https://example.com/app' }],
	['a contact', { contact_id: '9007199254740993' }, { contact_id: '9007199254740993' }],
	[
		'both',
		{ web_app: 'clerk_bot', contact_id: '17', app_payload: 'x' },
		{ web_app: 'clerk_bot', contact_id: 17, payload: 'x' },
	],
])('A mini-app is opened by %s', async (_how, fields, expected) => {
	await send(built({ type: 'open_app', text: 'Open', ...fields }));
	const [request] = await stage.control.journal({ kind: 'request', path: '/messages' });
	expect(request).toMatchObject({
		body: {
			attachments: [{ payload: { buttons: [[{ type: 'open_app', text: 'Open', ...expected }]] } }],
		},
	});
});
