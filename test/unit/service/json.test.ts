import {
	parseBigIntegers,
	parseExact,
	toJson,
	writeExact,
} from '../../../nodes/BotMessaging/service/json';

describe('parsing answers', () => {
	it.each([
		['9007199254740991', 9007199254740991],
		['-9007199254740991', -9007199254740991],
		['9007199254740992', '9007199254740992'],
		['9007199254740993', '9007199254740993'],
		['-9223372036854775808', '-9223372036854775808'],
		['116981768090823485', '116981768090823485'],
	])('keeps every digit of the integer %s', (digits, expected) => {
		expect(parseExact(`{"seq":${digits}}`)).toEqual({ seq: expected });
		expect(parseExact(`[[${digits}]]`)).toEqual([[expected]]);
	});

	it('leaves digits inside texts alone, whatever quotes and backslashes surround them', () => {
		const texts = [
			'116981768090823485',
			'say "116981768090823485"',
			'\\',
			'C:\\116981768090823485\\',
			'": 116981768090823485',
			'{"seq":116981768090823485}',
		];
		const big = `{"seq":116981768090823485,"texts":${JSON.stringify(texts)}}`;
		expect(parseExact(big)).toEqual({ seq: '116981768090823485', texts });
	});

	it('keeps fractions and exponents numbers', () => {
		const text =
			'{"seq":116981768090823485,"latitude":55.9712345678901234,"e":11698176809082348e5,"z":-0.5}';
		expect(parseExact(text)).toEqual({
			seq: '116981768090823485',
			latitude: 55.9712345678901234,
			e: 11698176809082348e5,
			z: -0.5,
		});
	});

	it('survives a text of a million characters beside a big integer', () => {
		const text = 'x\\"'.repeat(400_000);
		const parsed = parseExact(`{"seq":116981768090823485,"text":${JSON.stringify(text)}}`);
		expect(parsed).toEqual({ seq: '116981768090823485', text });
	});

	it.each([
		['escaped quotes', '\\"'],
		['escaped line breaks', '\\\n"'],
		['backslashes', '\\\\"'],
		['quotes and digits', '"1234567890123456'],
	])('quickly refuses a megabyte of %s in an unterminated text', (_, piece) => {
		const text = `{"seq":116981768090823485,"text":"${piece.repeat(1e6 / piece.length)}\\`;
		const before = process.cpuUsage();
		expect(() => parseExact(text)).toThrow(SyntaxError);
		expect(() => parseBigIntegers(text)).toThrow(SyntaxError);
		// CPU time, which other programs do not lengthen much. In proportion to the square of the length, it would be many minutes.
		expect(process.cpuUsage(before).user / 1000).toBeLessThan(3000);
	});

	it.each(['', '<html>', '{"a":1', '{"a":116981768090823485,}', 'NaN'])(
		'refuses %p, which is not JSON',
		(text) => {
			expect(() => parseExact(text)).toThrow(SyntaxError);
		},
	);
});

describe('parsing values to send', () => {
	it('turns integers beyond 2^53 into bigints, and nothing else', () => {
		const texts = ['#1', '##', '\u0023116981768090823485', '116981768090823485'];
		const text = `{"id":116981768090823485,"n":7,"none":null,"texts":${JSON.stringify(texts)}}`;
		const escaped = text.replace('"#1"', '"\\u00231"');
		expect(parseBigIntegers(escaped)).toEqual({
			id: 116981768090823485n,
			n: 7,
			none: null,
			texts,
		});
	});
});

test('Values of expressions are copied as JSON, with null for what JSON cannot hold', () => {
	const none = () => undefined;
	const given = { at: new Date(5), id: 9007199254740993n, list: [NaN, Infinity, none, ,] };
	expect(toJson(given)).toEqual({
		at: '1970-01-01T00:00:00.005Z',
		id: 9007199254740993n,
		list: [null, null, null, null],
	});
});

describe('writing requests', () => {
	it('writes identifiers as integers, digit for digit', () => {
		expect(writeExact({ user_ids: [9007199254740993n, -71234567890123n] })).toBe(
			'{"user_ids":[9007199254740993,-71234567890123]}',
		);
	});

	it('keeps false, zero, null and the empty text, and leaves out what is undefined', () => {
		const kept = { notify: false, timeout: 0, icon: null, description: '', list: [undefined] };
		expect(writeExact({ ...kept, title: undefined })).toBe(
			'{"notify":false,"timeout":0,"icon":null,"description":"","list":[null]}',
		);
	});

	it('writes no half of a character, as is left where a text was cut', () => {
		expect(writeExact({ text: '😀'.slice(0, 1), button: ['😀', '\udc00.'] })).toBe(
			'{"text":"\ufffd","button":["😀","\ufffd."]}',
		);
	});

	it('reads back what it wrote', () => {
		const value = { text: 'a "quoted" \\ \u2028 😀', list: [1, [2.5, { deep: true }]], none: null };
		expect(parseExact(writeExact(value))).toEqual(value);
	});
});
