import { parseJson, writeJson, writeReadableJson } from './json';

it.each([
	['9007199254740993', 9007199254740993n],
	['-9223372036854775808', -9223372036854775808n],
	['{"a":[9007199254740993]}', { a: [9007199254740993n] }],
	['9007199254740991', 9007199254740991],
	['{"a":"9007199254740993"}', { a: '9007199254740993' }],
	['"\\"9007199254740993"', '"9007199254740993'],
	['1234567890.1234567890123456', 1234567890.1234567],
	['[1e20, 12345678901234567890.5]', [1e20, 12345678901234567000]],
])('reads %s without losing digits', (text, value) => {
	expect(parseJson(text)).toEqual(value);
});

it('refuses what is not JSON, with and without long numbers', () => {
	expect(() => parseJson('{')).toThrow();
	expect(() => parseJson('[9007199254740993')).toThrow();
	expect(() => parseJson('09007199254740993')).toThrow();
});

it('writes raw integers and leaves undefined fields out', () => {
	const value = { id: 9007199254740993n, small: 7n, none: undefined, nothing: null, text: 'a"b' };
	expect(writeJson(value)).toBe('{"id":9007199254740993,"small":7,"nothing":null,"text":"a\\"b"}');
	expect(writeReadableJson(value)).toBe(
		'{"id":"9007199254740993","small":7,"nothing":null,"text":"a\\"b"}',
	);
});

it('writes what JSON.stringify writes for everything else', () => {
	const value = { a: [1, 'b', true, null, { c: [] }], 'ключ\n': {}, 1: 2 };
	expect(writeJson(value)).toBe(JSON.stringify(value));
});
