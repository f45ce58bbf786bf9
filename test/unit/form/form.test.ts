import { NodeOperationError, type INode } from 'n8n-workflow';
import { Form } from '../../../nodes/BotMessaging/form/form';

const node: INode = {
	id: '1',
	name: 'Bot Messaging',
	type: 'botMessaging',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

const labels = new Map([
	['chat_id', 'Chat ID'],
	['user_ids', 'User IDs'],
	['body', 'Body JSON'],
]);

const formOf = (values: Record<string, unknown>): Form =>
	new Form(node, labels, (name) => values[name]);

describe('identifiers', () => {
	it.each([
		['-71234567890123', -71234567890123n],
		[' 110022334 ', 110022334n],
		[110022334, 110022334n],
		['9007199254740993', 9007199254740993n],
		['9223372036854775807', 9223372036854775807n],
		['-9223372036854775808', -9223372036854775808n],
		[{ __rl: true, mode: 'id', value: '9007199254740993' }, 9007199254740993n],
	])('takes %p as it is', (given, expected) => {
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
		[9007199254740993, 'Chat ID was given as a number that cannot hold its digits'],
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
	])('takes the list %p', (given, expected) => {
		expect(formOf({ user_ids: given }).ids('user_ids')).toEqual(expected);
	});
});

describe('other fields', () => {
	it('tells an empty text, zero and false from a field that was not given', () => {
		const form = formOf({ text: '', number: 0, flag: false, none: null });
		expect([form.has('text'), form.has('number'), form.has('flag')]).toEqual([true, true, true]);
		expect([form.has('none'), form.has('missing')]).toEqual([false, false]);
	});

	it('resolves every field only once', () => {
		const read = jest.fn((name: string) => `value of ${name}`);
		const form = new Form(node, labels, read);
		form.text('chat_id');
		form.has('chat_id');
		form.requiredText('chat_id');
		expect(read).toHaveBeenCalledTimes(1);
	});

	it('takes JSON as text and as a value, and refuses broken JSON', () => {
		expect(formOf({ body: '[{"a":1}]' }).json('body')).toEqual([{ a: 1 }]);
		expect(formOf({ body: [{ a: 1 }] }).json('body')).toEqual([{ a: 1 }]);
		expect(() => formOf({ body: '[{' }).json('body')).toThrow('Body JSON is not valid JSON');
	});
});
