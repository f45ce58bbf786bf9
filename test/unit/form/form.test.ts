import {
	NodeOperationError,
	tryToParseDateTime,
	type INodeParameters,
	type INodeProperties,
} from 'n8n-workflow';
import { Form } from '../../../nodes/BotMessaging/form/form';
import { labelsOf, numberField } from '../../../nodes/BotMessaging/form/fields';
import { nodeOf } from '../../support/node';

const field = (displayName: string, name: string): INodeProperties => ({
	displayName,
	name,
	type: 'string',
	default: '',
});

const amount = numberField('Amount', 'text', { typeOptions: { minValue: 0 } });

const fields: INodeProperties[] = [
	field('Chat ID', 'chat_id'),
	field('User IDs', 'user_ids'),
	field('Body JSON', 'body'),
	field('Text', 'text'),
	{
		...field('Keyboard', 'keyboard'),
		options: [
			{
				displayName: 'Row',
				name: 'rows',
				values: [
					{
						...field('Buttons', 'row'),
						options: [
							{ displayName: 'Button', name: 'buttons', values: [field('Button Text', 'text')] },
						],
					},
				],
			},
		],
	},
	{ ...field('Options', 'options'), options: [field('Reply To', 'reply')] },
];

const labels = labelsOf(fields);

/** A form with these values; `stored` are the node's parameters as n8n stores them. */
const formOf = (values: Record<string, unknown>, stored: INodeParameters = {}): Form =>
	new Form(nodeOf({ parameters: stored }), labels, (name) => values[name]);

describe('identifiers', () => {
	it.each([
		['-71234567890123', -71234567890123n],
		[' 110022334 ', 110022334n],
		['\u200e-71234567890123\u200b', -71234567890123n],
		['\u221271234567890123', -71234567890123n],
		['\u201171234567890123', -71234567890123n],
		['\u2066110022334\u2069\r\n', 110022334n],
		[110022334, 110022334n],
		['9007199254740993', 9007199254740993n],
		['9223372036854775807', 9223372036854775807n],
		['-9223372036854775808', -9223372036854775808n],
		[{ __rl: true, mode: 'id', value: '9007199254740993' }, 9007199254740993n],
	])('reads %p exactly', (given, expected) => {
		expect(formOf({ chat_id: given }).id('chat_id')).toBe(expected);
	});

	it.each([
		['', 'Chat ID is empty'],
		[undefined, 'Chat ID is empty'],
		[null, 'Chat ID is empty'],
		['@channel', 'Chat ID is not an ID: @channel'],
		['12.5', 'Chat ID is not an ID: 12.5'],
		['9223372036854775808', 'Chat ID is not an ID: 9223372036854775808'],
		['1; DROP', 'Chat ID is not an ID: 1; DROP'],
		[`A${'🙂'.repeat(50)}`, /^Chat ID is not an ID: A(🙂){39}$/u],
		[9007199254740993, 'Chat ID was given as a number that cannot hold its digits'],
		[12.5, 'Chat ID is not an ID: 12.5'],
		[[9007199254740993], 'Chat ID is not an ID: [9007199254740992]'],
		[{ id: 5n }, 'Chat ID is not an ID: {"id":5}'],
		[new Date(0), 'Chat ID is not an ID: "1970-01-01T00:00:00.000Z"'],
		[tryToParseDateTime('1970-01-01', 'UTC'), 'Chat ID is not an ID: "1970-01-01T00:00:00.000Z"'],
	])('refuses %p and names the field by its label', (given, message) => {
		const read = (): bigint => formOf({ chat_id: given }).id('chat_id');
		expect(read).toThrow(NodeOperationError);
		expect(read).toThrow(message);
	});

	it.each([
		['1, 2,3', [1n, 2n, 3n]],
		[
			['1', 2, ' 3 '],
			[1n, 2n, 3n],
		],
		[7, [7n]],
		['', []],
		[undefined, []],
		['1,,2,', [1n, 2n]],
		['1\r\n2,\r\n3\n', [1n, 2n, 3n]],
		['[1, "2"]', [1n, 2n]],
		[' [9007199254740993, -9007199254740993]', [9007199254740993n, -9007199254740993n]],
		['[]', []],
	])('reads the list %p', (given, expected) => {
		expect(formOf({ user_ids: given }).ids('user_ids')).toEqual(expected);
	});

	it.each([[9007199254740993], [[9007199254740993]]])(
		'refuses %p as a list too, because its digits are already lost',
		(given) => {
			const read = () => formOf({ user_ids: given }).ids('user_ids');
			expect(read).toThrow('User IDs was given as a number that cannot hold its digits');
		},
	);
});

describe('The result of an expression', () => {
	it.each([[true], [[]], [[5]], ['  '], [{}], [new Date(5)], ['12,5'], [NaN], [Infinity]])(
		'is not a number: %p',
		(given) => {
			expect(() => formOf({ text: given }).number(amount)).toThrow('Text is not a number');
		},
	);

	it.each([
		['12,5 %', /a point before decimals/],
		[NaN, /what the expression calculates with/],
		['{{ 5 }}', /'Expression'/],
	])('is shown if it is not a number, with what to do about it: %p', (given, advice) => {
		expect(() => formOf({ text: given }).number(amount)).toThrow(
			expect.objectContaining({
				message: `Text is not a number: ${given}`,
				description: expect.stringMatching(advice),
			}),
		);
	});

	it.each([
		[-1, { minValue: 0 }, 'number of at least 0: -1'],
		['91', { minValue: -90, maxValue: 90 }, 'number between -90 and 90: 91'],
		[1.5, { minValue: 1, numberPrecision: 0 }, 'whole number of at least 1: 1.5'],
	])('is no number that its field takes: %p, %p', (given, typeOptions, problem) => {
		const read = () => formOf({ text: given }).number({ ...amount, typeOptions });
		expect(read).toThrow(`Text is not a ${problem}`);
	});

	it.each([[{ a: 1 }], [['a']], [Buffer.from('a')], [new Date(NaN)]])(
		'is not a text: %p',
		(given) => {
			const read = () => formOf({ text: given }).text('text');
			expect(read).toThrow('Text is an object or a list, not a text');
		},
	);

	it.each([
		['of a database', new Date(5), '1970-01-01T00:00:00.005Z'],
		['of n8n', tryToParseDateTime('1970-01-01', 'Asia/Tokyo'), '1970-01-01T00:00:00.000+09:00'],
	])('is a text if it is a date %s, as n8n makes it one in rows', (_, given, text) => {
		expect(formOf({ text: given }).text('text')).toBe(text);
		expect(formOf({ text: [given, 'never'] }).texts('text')).toEqual([text, 'never']);
	});

	it.each([NaN, Infinity, -Infinity])('is not a text: %p', (given) => {
		const form = formOf({ text: given });
		expect(() => form.text('text')).toThrow(`Text is not a text: ${given}`);
		expect(() => form.texts('text')).toThrow(`Text has an entry that is not a text: ${given}`);
	});

	it.each([
		[12.5, 12.5],
		['12.5', 12.5],
		[' 7 ', 7],
		[0, 0],
		['', undefined],
		[null, undefined],
	])('is a number if it can be read as one: %p', (given, expected) => {
		expect(formOf({ text: given }).number(amount)).toBe(expected);
	});

	it.each([['yes'], ['True'], [1], [0], [{}], [[]]])('is neither on nor off: %p', (given) => {
		expect(() => formOf({ text: given }).flag('text')).toThrow('Text is neither on nor off');
	});

	it.each([
		[true, true],
		['true', true],
		['false', false],
		['', undefined],
		[undefined, undefined],
	])('is a boolean if it can be read as one: %p', (given, expected) => {
		expect(formOf({ text: given }).flag('text')).toBe(expected);
	});

	it.each([
		[['a', null], 'Text has an entry that is not a text: null'],
		[[{ id: 1 }], 'Text has an entry that is not a text: {"id":1}'],
		[{ id: 1 }, 'Text has an entry that is not a text: {"id":1}'],
		[[['a']], 'Text has an entry that is not a text: ["a"]'],
	])('is not a list of texts: %p', (given, message) => {
		expect(() => formOf({ text: given }).texts('text')).toThrow(message);
	});

	it('is a list of texts even with a number in it', () => {
		expect(formOf({ text: ['a', ' b', 5, ''] }).texts('text')).toEqual(['a', 'b', '5']);
	});
});

describe('other fields', () => {
	it('distinguishes an empty text, zero and false from a field that was not given', () => {
		const form = formOf({ text: '', number: 0, flag: false, none: null });
		expect([form.has('text'), form.has('number'), form.has('flag')]).toEqual([true, true, true]);
		expect([form.has('none'), form.has('missing')]).toEqual([false, false]);
	});

	it('resolves every field only once', () => {
		const read = jest.fn((name: string) => `value of ${name}`);
		const form = new Form(nodeOf(), labels, read);
		form.text('chat_id');
		form.has('chat_id');
		form.requiredText('chat_id');
		expect(read).toHaveBeenCalledTimes(1);
	});

	it('accepts JSON as text and as a value, and refuses invalid JSON', () => {
		expect(formOf({ body: '[{"a":1}]' }).json('body')).toEqual([{ a: 1 }]);
		expect(formOf({ body: [{ a: 1 }] }).json('body')).toEqual([{ a: 1 }]);
		expect(() => formOf({ body: '[{' }).json('body')).toThrow('Body JSON is not valid JSON');
		expect(() => formOf({ body: '' }).json('body')).toThrow('Body JSON is empty');
	});

	it.each([
		['{{ $json.keyboard }}', "switch its field from 'Fixed' to 'Expression'"],
		['[{', 'Check quotes, commas and brackets.'],
	])('says what to do about JSON such as %s', (body, advice) => {
		expect(() => formOf({ body }).json('body')).toThrow(
			expect.objectContaining({ description: expect.stringContaining(advice) }),
		);
	});

	it.each([
		['{{ $json.chat_id }}', "switch its field from 'Fixed' to 'Expression'"],
		['Sales', 'Names and links do not work'],
	])('says what to do about an ID such as %s', (chat_id, advice) => {
		const advised = expect.objectContaining({ description: expect.stringContaining(advice) });
		expect(() => formOf({ chat_id }).id('chat_id')).toThrow(advised);
		expect(() => formOf({ chat_id }).ids('chat_id')).toThrow(advised);
	});
});

describe('An error names the place of the wrong value', () => {
	const keyboard = (texts: unknown[][]) => ({
		keyboard: { rows: texts.map((row) => ({ row: { buttons: row.map((text) => ({ text })) } })) },
	});
	const readTexts = (form: Form): string[] =>
		form
			.rows('keyboard', 'rows')
			.flatMap((row) => row.rows('row', 'buttons').map((button) => button.requiredText('text')));

	it('in rows within rows, by the label that the field has there', () => {
		expect(readTexts(formOf(keyboard([['Yes', 'No']])))).toEqual(['Yes', 'No']);
		const read = () => readTexts(formOf(keyboard([['Yes'], ['No', '']])));
		expect(read).toThrow('Button Text of row 2, button 2 is empty');
	});

	it.each([[{ row: {} }], ['[]'], [[{ row: {} }, null]]])(
		'whose rows an expression gave in another shape: %j',
		(rows) => {
			const read = () => formOf({ keyboard: { rows } }).rows('keyboard', 'rows');
			expect(read).toThrow('Keyboard is not a list of objects');
		},
	);

	it.each([[['Yes']], ['[]'], [7], [true]])('that is no list of rows: %j', (keyboard) => {
		const read = () => formOf({ keyboard }).rows('keyboard', 'rows');
		expect(read).toThrow('Keyboard is not a list of objects');
	});

	it('in lists given as JSON', () => {
		const read = () =>
			formOf({ body: '[{"chat_id": 1}, {"chat_id": "?"}]' })
				.jsonRows('body')
				.map((row) => row.id('chat_id'));
		expect(read).toThrow('Chat ID of entry 2 is not an ID: ?');
	});
});

describe('An expression that gave nothing', () => {
	it.each([[undefined], [null], [''], [' ']])(
		'is distinguished from an empty field: %p',
		(given) => {
			const read = (stored: INodeParameters) => () =>
				formOf({ text: given }, stored).requiredText('text');
			const nothing = 'Text is empty: its expression gave nothing for this item';
			expect(read({ text: '={{ $json.nope }}' })).toThrow(nothing);
			expect(read({ text: '' })).toThrow(/^Text is empty$/);
			expect(read({})).toThrow(/^Text is empty$/);
		},
	);

	it('is distinguished from JSON of the wrong kind', () => {
		const read = () => formOf({ body: null }, { body: '={{ $json.nope }}' }).jsonRows('body');
		expect(read).toThrow(/ is empty: its expression gave nothing for this item$/);
	});

	it('is not one that gave an object, also if that cannot be written as text', () => {
		const form = formOf({ text: Object.create(null) }, { text: '={{ $json.query }}' });
		expect(form.gaveNothing('text')).toBe(false);
	});

	it('is reported without mentioning items in a trigger, which has none', () => {
		const node = nodeOf({ type: 'botMessagingTrigger', parameters: { text: '={{ $json.nope }}' } });
		const form = new Form(node, labels, () => undefined);
		const refusal = {
			message: 'Text is empty: its expression gave nothing',
			description: expect.stringContaining('A trigger has no input'),
		};
		expect(() => form.requiredText('text')).toThrow(expect.objectContaining(refusal));
	});

	it('is noticed in resource locators, lists, options and rows', () => {
		const expression = '={{ $json.nope }}';
		const nothing = /is empty: its expression gave nothing for this item$/;
		const locator = { __rl: true, mode: 'id', value: expression };
		expect(() => formOf({}, { chat_id: locator }).id('chat_id')).toThrow(nothing);
		const none = formOf({ user_ids: [] }, { user_ids: expression });
		expect(none.gaveNothing('user_ids')).toBe(true);
		const options = formOf({ options: {} }, { options: { reply: expression } }).part('options');
		expect(() => options.requiredText('reply')).toThrow(/^Reply To is empty: its expression/);
		const rows = (text: unknown) => ({ rows: [{ row: { buttons: [{ text }] } }] });
		const [row] = formOf(
			{ keyboard: rows(undefined) },
			{ keyboard: rows(expression) as INodeParameters },
		).rows('keyboard', 'rows');
		const [button] = row?.rows('row', 'buttons') ?? [];
		expect(() => button?.requiredText('text')).toThrow(
			'Button Text of row 1, button 1 is empty: its expression gave nothing for this item',
		);
	});
});
