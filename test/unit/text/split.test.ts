import fc from 'fast-check';
import { FormattedText, type TextFormat } from '../../../nodes/BotMessaging/text/format';
import { renderText } from '../../platform/markup';
import { scaled } from '../../support/scale';

const FORMATS: Array<TextFormat | undefined> = [undefined, 'markdown', 'html', 'service_markdown'];

const split = (text: string, limit: number, format?: TextFormat) =>
	new FormattedText(text, format).parts(limit);

/** The text that people see, as the platform renders it. */
const seen = ({ text, format }: { text: string; format?: 'html' | 'markdown' }) =>
	renderText(text, format).text;
const bare = (text: string) => text.replace(/\s+/g, '');

const WORDS = ['a', 'word', 'Überraschung', '日本語', '👨‍👩‍👧‍👦', '🇩🇪', 'e\u0301', 'x'.repeat(30), '𝒳𝒴'];
const GAPS = [' ', ' ', ' ', '\n', '\n\n', '. ', ', ', '\n    '];
/** Pieces of markup; a blank separates them, and `⏎` stands for a line break. */
const piecesOf = (listed: string) => listed.replaceAll('⏎', '\n').split(' ');
const HTML = [
	...piecesOf('<b> </b> <i> </i> <u> </pre> <pre> <li> </li> <br> <p> </a> <!-- --> < &lt;'),
	...piecesOf(`& &amp; &#128512; &nope; " ' <blockquote> </blockquote> </ <h1>`),
	...['<a href="https://x.org/?a=1&amp;b=2">', '<a "', "<a '"],
];
const MARKS = [
	...piecesOf(
		'* ** *** _ __ ~~ ` ``` ⏎```⏎ [ ]( ) ](https://x.org) | ⏎|-|-|⏎ \\ ![ <https://x.org>',
	),
	...['> ', '\n> ', '\n- ', '\n1. ', '\n# ', '\n---\n'],
];
const PLAIN = [...WORDS, ...GAPS];

const text = (bits: string[]) =>
	fc
		.array(fc.constantFrom(...bits), { maxLength: 300, size: 'max' })
		.map((pieces) => pieces.join(''));
const anyText = fc.oneof(
	text(PLAIN),
	text([...PLAIN, ...HTML]),
	text([...PLAIN, ...MARKS]),
	text([...HTML, 'a']),
	text([...MARKS, 'a']),
	fc.tuple(fc.constantFrom(...HTML, ...MARKS), fc.nat(400)).map(([bit, n]) => bit.repeat(n)),
);

/** Whether all tags of a part are closed within it, in order. */
function isBalanced(html: string): boolean {
	const open: string[] = [];
	for (const [, slash, name = ''] of html.matchAll(/<(\/?)([a-z]\w*)[^>]*>/g)) {
		if (!slash) open.push(name);
		else if (open.pop() !== name) return false;
	}
	return open.length === 0;
}

describe.each(FORMATS)('A long text with the format %s', (format) => {
	it('loses nothing visible except white space at the cuts, whatever its markup', () => {
		fc.assert(
			fc.property(anyText, fc.constantFrom(80, 333), (source, limit) => {
				// The expected text is that of the whole source; Service Markdown is converted as Markdown if it is split.
				const read = format === 'service_markdown' && source.length > limit ? 'markdown' : format;
				const whole = new FormattedText(source, read).whole(1_000_000);
				const shown = bare(split(source, limit, format).map(seen).join(''));
				const isMuchLonger = seen(whole).length > source.length * 1.2;
				// Markdown that would become much longer when rendered may be shown as written.
				if (!isMuchLonger || shown !== bare(source)) expect(shown).toBe(bare(seen(whole)));
			}),
		);
	});

	it('is split into no more parts than promised, all balanced, within the limit and not empty', () => {
		fc.assert(
			fc.property(anyText, fc.constantFrom(80, 333), (source, limit) => {
				const parts = split(source, limit, format);
				if (new FormattedText(source, format).isBlank || source.length <= limit) return;
				expect(parts.length).toBeLessThanOrEqual(Math.ceil(source.length / (limit * 0.75)) + 1);
				for (const part of parts) {
					expect(part.text.length).toBeLessThanOrEqual(limit);
					expect(seen(part).trim()).not.toBe('');
					expect(part.text).not.toMatch(/\p{Cs}/u);
					if (part.format) expect(isBalanced(part.text)).toBe(true);
				}
			}),
		);
	});
});

describe('Splitting', () => {
	it.each(FORMATS)('leaves a text within the limit as it is (%s)', (format) => {
		expect(split('  as it is \n', 4000)).toEqual([{ text: '  as it is \n' }]);
		expect(split('x'.repeat(4000), 4000, format)).toHaveLength(1);
	});

	it('keeps the formatting of every character unless there is more markup than text', () => {
		const effects = (parts: Array<{ text: string; format?: 'html' | 'markdown' }>) =>
			parts.flatMap((part) => {
				const { text: shown, markup } = renderText(part.text, part.format);
				return [...shown].flatMap((character, at) => {
					const on = markup.filter(({ from, length }) => at >= from && at < from + length);
					const names = on.map(({ type, url }) => `${type} ${url ?? ''}`).sort();
					return character.trim() ? [`${character} ${names.join()}`] : [];
				});
			});
		const inner = fc.array(fc.constantFrom('one', 'two', 'three four', 'five\n'), {
			minLength: 1,
			maxLength: 9,
		});
		const wrap = (before: string, after: string) =>
			inner.map((words) => `${before}${words.join(' ').trim()}${after}`);
		const piece = fc.oneof(
			inner.map((words) => words.join(' ')),
			...['b', 'i', 'code', 'pre', 'blockquote'].map((tag) => wrap(`<${tag}>`, `</${tag}>`)),
			wrap('<a href="https://x.org">', '</a>'),
			wrap('<b>a <i>', '</i> b</b>'),
		);
		fc.assert(
			fc.property(fc.array(piece, { minLength: 20, maxLength: 60 }), (pieces) => {
				const source = pieces.join(' plain words between them ');
				const parts = split(source, 500, 'html');
				expect(effects(parts)).toEqual(effects([{ text: source, format: 'html' }]));
			}),
			{ numRuns: 30 },
		);
	});

	it('never cuts a character, even one of several code points', () => {
		const characters = (one: string) =>
			[...new Intl.Segmenter().segment(one)].map((s) => s.segment);
		const whole = new Set(characters(WORDS.join(' ')));
		fc.assert(
			fc.property(text(WORDS), (source) => {
				for (const part of split(source, 40)) {
					expect(characters(part.text).filter((one) => !whole.has(one))).toEqual([]);
				}
			}),
		);
	});

	const html = (...texts: string[]) => texts.map((one) => ({ text: one, format: 'html' }));
	const plain = (...texts: string[]) => texts.map((one) => ({ text: one }));

	it.each<[string, string, TextFormat | undefined, Array<{ text: string; format?: string }>]>([
		[
			'prefers the end of a paragraph to that of a line',
			'One two three\nfour\n\nFive six',
			undefined,
			plain('One two three\nfour', 'Five six'),
		],
		[
			'prefers the end of a line to that of a sentence',
			'One two three\nfour five. Six seven',
			undefined,
			plain('One two three', 'four five. Six seven'),
		],
		[
			'prefers the end of a word to that of a line within marks',
			'One two three **four\nfive six** seven',
			'markdown',
			[...plain('One two three'), ...html('<b>four\nfive six</b>')],
		],
		[
			'starts no part with an empty line, whatever the line breaks are',
			'One two three.\r\n\r\nFour five six.\n \n  Seven eight',
			undefined,
			plain('One two three.', 'Four five six.', '  Seven eight'),
		],
		[
			'prefers the end of a sentence to the end of a word',
			'One two three four. Five six',
			undefined,
			plain('One two three four.', 'Five six'),
		],
		[
			'cuts between words',
			'aaaa bbbb cccc dddd eeee ffff',
			undefined,
			plain('aaaa bbbb cccc dddd eeee', 'ffff'),
		],
		[
			'cuts no word that fits into a part, even if the one before is less than half full',
			`aaaa ${'x'.repeat(22)}`,
			undefined,
			plain('aaaa', 'x'.repeat(22)),
		],
		[
			'cuts a word that is too long for any part',
			'x'.repeat(60),
			undefined,
			plain('x'.repeat(25), 'x'.repeat(25), 'x'.repeat(10)),
		],
		[
			'prefers the end of marks to that of an earlier word',
			'aaa bbb ccc ddd **ee** ffffffff',
			'markdown',
			[...html('aaa bbb ccc ddd <b>ee</b>'), ...plain('ffffffff')],
		],
		[
			'fills a part without marks, whatever would have to be escaped within marks',
			`${'& '.repeat(15)}**b**`,
			'markdown',
			plain('& '.repeat(13).trim()),
		],
		[
			'reopens a code block in the next part',
			'```js\nlet a = 1;\nlet b = 2;\n```',
			'markdown',
			html('<pre>let a = 1;</pre>', '<pre>let b = 2;</pre>'),
		],
		[
			'reopens marks in the next part',
			'**bold words that go on and on**',
			'markdown',
			html('<b>bold words that go</b>', '<b>on and on</b>'),
		],
		[
			'keeps the marks that only Service Markdown has',
			'++underlined words++ ^^and more^^',
			'service_markdown',
			html('<u>underlined words</u>', '<mark>and more</mark>'),
		],
		[
			'leaves them as they are in other Markdown',
			'++underlined words++ ^^and more^^',
			'markdown',
			plain('++underlined words++', '^^and more^^'),
		],
		[
			'ignores an end tag without a start tag',
			'<b>1</b><i>two</b> three four five six</i>',
			'html',
			html('<b>1</b><i>two three</i>', '<i>four five six</i>'),
		],
		[
			'knows the other names of marks',
			'<strong>a</strong> <em>b</em> <del>c</del> <ins>d</ins> and so on',
			'html',
			[...html('<b>a</b> <i>b</i>', '<s>c</s> <u>d</u> and so'), ...plain('on')],
		],
		[
			'knows all marks of the service',
			'<s>a</s> <u>b</u> <mark>c</mark> <h1>d</h1> and so on',
			'html',
			[...html('<s>a</s> <u>b</u>', '<mark>c</mark> <h1>d</h1>'), ...plain('and so on')],
		],
		[
			'reads tags in capitals, and addresses with other quotes or none',
			`<B>one</B> <a HREF='/x'>two</a> <a href=/y>three</a>`,
			'html',
			html('<b>one</b>', '<a href="/x">two</a>', '<a href="/y">three</a>'),
		],
		[
			'ends with a mark what was begun within it',
			'<b>one <i>two</b> three four five',
			'html',
			[...html('<b>one <i>two</i></b>'), ...plain('three four five')],
		],
		[
			'ends with a mark nothing that was begun around it',
			'<u><b>one</b> two</u> three four',
			'html',
			[...html('<u><b>one</b> two</u>'), ...plain('three four')],
		],
		[
			'keeps the marks of what is escaped, and of what has to be',
			'<b>1 &lt; 2 < 3</b> four five six',
			'html',
			[...html('<b>1 &lt; 2 &lt; 3</b>'), ...plain('four five six')],
		],
		[
			'drops comments, and tags without an effect',
			'<!-- no --><p>one <span class="x">two</span></p> three four five six',
			'html',
			plain('one two three four five', 'six'),
		],
		[
			'treats a link without an address as text',
			'<a>no link</a> and words that go on',
			'html',
			plain('no link and words that go', 'on'),
		],
		[
			'keeps a heading with the text below it',
			'One two.\n\n# Four\n\nFive six seven eight',
			'markdown',
			[{ text: 'One two.' }, ...html('<h1>Four</h1>\n\nFive six')],
		],
		[
			'sends parts without marks as plain text',
			'my_long_name *in here* 1 < 2 & more',
			'markdown',
			[
				{ text: 'my_long_name' },
				{ text: '<i>in here</i> 1 &lt; 2', format: 'html' },
				{ text: '& more' },
			],
		],
		[
			'keeps the indentation of a line',
			'function begins here\n    inner line',
			undefined,
			plain('function begins here', '    inner line'),
		],
		[
			'drops marks where there are too many',
			'<b>a</b><i>b</i>'.repeat(20),
			'html',
			[...html('<b>a</b><i>b</i><b>a</b>')],
		],
	])('%s', (_, source, format, parts) => {
		expect(split(source, 25, format).slice(0, parts.length)).toEqual(parts);
	});

	const REPEATED = [
		...piecesOf(
			'<b> <b>x <li> [ ![ ** ` ``` 😀 &amp; " [a](b) https://_&a; <!-- \u200d👩 |a|b|⏎|-|-|⏎',
		),
		...['> ', '<a "', '*a* ', '- a\n', '# a\n', '1. \n', ' '],
	];
	const repeated = REPEATED.map((bit): [string, (size: number) => string] => [
		JSON.stringify(bit),
		(size) => bit.repeat(Math.ceil(size / bit.length)),
	]);
	const composed: typeof repeated = [
		[
			'a wide header over short rows',
			(size) => `${'|a'.repeat(size / 6)}\n${'|-'.repeat(size / 6)}\n${'|\n'.repeat(size / 6)}`,
		],
		['nested lists', (size) => `${'- '.repeat(12)}a\n`.repeat(size / 26)],
		['nested brackets', (size) => '['.repeat(size / 2) + ']'.repeat(size / 2)],
		['reference links', (size) => `[b]: https://x.org\n\n${'[a][b]'.repeat(size / 6)}`],
		['nested marks', (size) => '*a **b '.repeat(size / 14) + 'c** d* '.repeat(size / 14)],
		[
			'blanks in what looks like the line below the head of a table',
			(size) => `a|b\n-${' '.repeat(size)}x`,
		],
		['blanks in a heading with a line separator', (size) => `#${' '.repeat(size)}\u2028x`],
	];

	/** So much CPU time counts as none, in microseconds. */
	const MOMENT = 100_000;

	const LONG = scaled(120_000, 60_000);

	/**
	 * The parts of a text, and the least CPU time of splitting it in up to ten tries, in microseconds: a busy machine makes
	 * single tries slower. Ends early with a try of at most `enough`.
	 */
	function measure(source: string, format?: TextFormat, enough = 0) {
		let parts: ReturnType<typeof split> = [];
		let time = Infinity;
		for (let tries = 0; tries < 10 && time > enough; tries++) {
			const before = process.cpuUsage();
			parts = split(source, 4000, format);
			time = Math.min(time, process.cpuUsage(before).user);
		}
		return { time, parts };
	}

	it.each([...repeated, ...composed])('takes time in proportion to the length: %s', (_, text) => {
		for (const format of [undefined, 'markdown', 'html'] as const) {
			const source = text(LONG);
			let long = measure(source, format, Number.MAX_VALUE);
			if (long.time > MOMENT) {
				// The text is four times as long: quadratic time would be sixteen times as much.
				const bound = 8 * measure(text(LONG / 4), format).time + MOMENT;
				long = measure(source, format, bound);
				expect(long.time).toBeLessThanOrEqual(bound);
			}
			expect(long.parts.length).toBeLessThanOrEqual(Math.ceil(source.length / 3000) + 1);
			for (const part of long.parts) expect(part.text.length).toBeLessThanOrEqual(4000);
		}
	});

	it.each([
		['a definition', 'markdown', `[a]:${' '.repeat(4900)}< <\n\n`],
		['a tag', 'html', `<${'a'.repeat(4000)}`],
	] as const)('takes about the usual time for what only looks like %s', (_, format, bit) => {
		const size = 200_000;
		const bound = 8 * measure('a'.repeat(size), format).time + MOMENT;
		const { time } = measure(bit.repeat(size / bit.length), format, bound);
		expect(time).toBeLessThanOrEqual(bound);
	});
});
