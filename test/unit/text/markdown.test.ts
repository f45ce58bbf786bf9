import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { FormattedText } from '../../../nodes/BotMessaging/text/format';
import { renderText } from '../../platform/markup';

/** The text that people see once the service has rendered what is sent, with its effects as `type:text`. */
function rendered(source: string): { text: string; effects: string[] } {
	const sent = new FormattedText(source, 'markdown').whole(1_000_000);
	const { text, markup } = renderText(sent.text, sent.format);
	return {
		text,
		effects: markup.map(({ type, from, length }) => `${type}:${text.slice(from, from + length)}`),
	};
}

type Token = ReturnType<InstanceType<typeof MarkdownIt>['parse']>[number];

/** The text of a document as markdown-it reads it, with addresses as on GitHub. */
function oracle(source: string): string {
	const textOf = (tokens: readonly Token[]): string =>
		tokens
			.map(({ type, content, children }) => {
				if (type === 'image') return children?.length ? textOf(children) : '';
				return children ? textOf(children) : type === 'softbreak' ? '\n' : content;
			})
			.join(' ');
	return textOf(new MarkdownIt({ linkify: true }).parse(source, {}));
}

/** Without white space and the characters that represent bullets, tasks, rules and tables. */
const bare = (text: string) => text.replace(/\s+|[•◦▪─│┼]|———|☐|☑|\[[ x]\]/g, '');
const unnumbered = (text: string) => bare(text.replace(/\d+\. /g, ''));

const TABLE = 'monospaced:a │ b\n──┼──\nc │ d';

describe('Markdown as the service shows it', () => {
	it.each<[string, string, string[]]>([
		['# One\n\n###### Six', 'One\n\nSix', ['heading:One', 'heading:Six']],
		['Title\n===', 'Title', ['heading:Title']],
		[
			'***both*** **a *b* c**',
			'both a b c',
			['emphasized:both', 'strong:both', 'strong:a b c', 'emphasized:b'],
		],
		['~~gone~~ snake_case', 'gone snake_case', ['strikethrough:gone']],
		['- a\n  - b\n    1. c\n- d', '• a\n  ◦ b\n    1. c\n• d', []],
		['- a\n\nb\n\n- c', '• a\n\nb\n\n• c', []],
		['3. a\n4. b', '3. a\n4. b', []],
		['- [ ] a c\n- [x] b', '☐ a c\n☑ b', []],
		['```ts\nlet a = 1 < 2;\n```', 'let a = 1 < 2;', ['monospaced:let a = 1 < 2;']],
		['text\n\n    code', 'text\n\ncode', ['monospaced:code']],
		['[a [b]](https://x.org/(1) "t")', 'a [b]', ['link:a [b]']],
		['[a](<b)', '[a](<b)', []],
		['![alt](https://x.org/a.png)', 'alt', ['link:alt']],
		['<https://x.org>', 'https://x.org', ['link:https://x.org']],
		['[a] [b][A]\n\n[a]: https://x.org', 'a b', ['link:a', 'link:b']],
		['[a][b] [c]\n\n[b]: x.org/1 "t"\n[c]: <u>', 'a c', ['link:a', 'link:c']],
		['[ERROR]: timeout\n\na[^1]\n\n[^1]: B.', '[ERROR]: timeout\n\na[^1]\n\n[^1]: B.', []],
		['[ ]: x.org/3', '[ ]: x.org/3', []],
		['[Status]: n/a\n\n[Log]: /var/log', '[Status]: n/a\n\n[Log]: /var/log', []],
		['> a\n> b\n\nc', 'a\nb\n\nc', ['quote:a\nb']],
		['a\n\n---\n\nb', 'a\n\n———\n\nb', []],
		['&copy;&Eacute;&#XE9; &lt;b&gt; \\*a\\* <b>', '©Éé <b> *a* <b>', []],
		['a<br>b', 'a\nb', []],
		['a[**b .*](u)', 'a**b .*', ['link:**b .*']],
		['a[**b*](u)', 'a*b', ['link:*b', 'emphasized:b']],
		['a\\\nb\\ \nc', 'a\nb\\ \nc', []],
		['a\\\u00a0\nb', 'a\\ \nb', []],
		[
			'| a | b |\n|---|--:|\n| **x** | 10 |\n| long | 5 |',
			'a    │  b\n─────┼───\nx    │ 10\nlong │  5',
			['monospaced:a    │  b\n─────┼───\nx    │ 10\nlong │  5', 'strong:x'],
		],
		['- a\nb\n- c', '• a\nb\n• c', []],
		['- a\n-\n- b', '• a\n• \n• b', []],
		['- a\n* b', '• a\n\n• b', []],
		['1. a\n1) b', '1. a\n\n1. b', []],
		['- a\n- b\n\n- c', '• a\n\n• b\n\n• c', []],
		['- a\n\n\n  b\nc', '• a\n\nb\nc', []],
		['- a\n\n      b', '• a\nb', ['monospaced:b']],
		['- a\n***\n- b', '• a\n\n———\n\n• b', []],
		['-\ta', '• a', []],
		['10. a\n    b', '10. a\nb', []],
		['*\n\n  a', '• \n\na', []],
		['1234567890. a', '1234567890. a', []],
		['a\n2. b', 'a\n2. b', []],
		['a\n1. b', 'a\n\n1. b', []],
		['a\n*', 'a\n*', []],
		['a\n* * *\nb', 'a\n\n———\n\nb', []],
		['a\n    b', 'a\nb', []],
		['a\n---\nb', 'a\n\nb', ['heading:a']],
		['a\n# b #\nc', 'a\n\nb\n\nc', ['heading:b']],
		['# a#\n\n#b', 'a#\n\n#b', ['heading:a#']],
		['#\ta', 'a', ['heading:a']],
		['    a\n\n    b\nc', 'a\n\nb\n\nc', ['monospaced:a\n\nb']],
		['   ```\n   a\n     b\n   ```\nc', 'a\n  b\n\nc', ['monospaced:a\n  b']],
		['````\n```\n````\nb', '```\n\nb', ['monospaced:```']],
		['~~~\na', 'a', ['monospaced:a']],
		['> a\nb\n\nc', 'a\nb\n\nc', ['quote:a\nb']],
		['>a\n>\n>b', 'a\n\nb', ['quote:a\n\nb']],
		['- a\n- b\n===\nc', '• a\n• b\n===\nc', []],
		['> a\n> b\n--', 'a\nb\n--', ['quote:a\nb\n--']],
		['> a\n> ===\n> b', 'a\n\nb', ['quote:a\n\nb', 'heading:a']],
		['> a\n***', 'a\n\n———', ['quote:a']],
		['|a|b|\n|-|-|\n|c|d|\n> q', 'a │ b\n──┼──\nc │ d\n\nq', [TABLE, 'quote:q']],
		['a\\|b|c\n-|-\nd|e', 'a|b │ c\n────┼──\nd   │ e', ['monospaced:a|b │ c\n────┼──\nd   │ e']],
		['|a|b\\|\n|-|-|\n|c|d|', 'a │ b|\n──┼───\nc │ d', ['monospaced:a │ b|\n──┼───\nc │ d']],
		[
			'|abcd|b|\n|:-:|-|\n|x|y|',
			'abcd │ b\n─────┼──\n x   │ y',
			['monospaced:abcd │ b\n─────┼──\n x   │ y'],
		],
		...['|a|b|\n|c|d|', '|a|b|\n|-|-x|', 'a|b\nx-|-', 'a|b\n-|-|-', 'a\n:-:'].map(
			(text): [string, string, string[]] => [text, text, []],
		),
		['|a|b|\n|-|-|\n|c|d|e|', 'a │ b\n──┼──\nc │ d', [TABLE]],
		['  - a\n  - b', '• a\n• b', []],
		['-   a\n  - b', '• a\n• b', []],
		['-     a', '• a', ['monospaced:a']],
		['-\n  a', '• a', []],
		['# a #b ##', 'a #b', ['heading:a #b']],
		['a\r\n\r\n```\r\nb\r\n```\rc\r===', 'a\n\nb\n\nc', ['monospaced:b', 'heading:c']],
		['> - a\n>\n>   b\n>\n> - c', '• a\n\nb\n\n• c', ['quote:• a\n\nb\n\n• c']],
		['> a\n>\n> ---', 'a\n\n———', ['quote:a\n\n———']],
		['- [ ] a\n  - b\n    - c\n      - d', '☐ a\n  ◦ b\n    ▪ c\n      ▪ d', []],
		['- a [ ] b\n- [ ]', '• a [ ] b\n• [ ]', []],
		['> a\n2. b', 'a\n\n2. b', ['quote:a']],
		['> a\n-\n\nb', 'a\n\n• \n\nb', ['quote:a']],
		['- a\n2. b', '• a\n\n2. b', []],
		['|a|b|\n|-|-|\n|c|d|\n2. e', 'a │ b\n──┼──\nc │ d\n\n2. e', [TABLE]],
		['> # a\nb', 'a\n\nb', ['quote:a', 'heading:a']],
		['> ---\nb', '———\n\nb', ['quote:———']],
		['> a\n# b', 'a\n\nb', ['quote:a', 'heading:b']],
		['> a\n```\nb\n```', 'a\n\nb', ['quote:a', 'monospaced:b']],
		['|a|b|\n|-|-|\n|c|d|\n\ne', 'a │ b\n──┼──\nc │ d\n\ne', [TABLE]],
		[
			'|a|b|\n|-|-|\n|c<br>d|e|',
			'a   │ b\n────┼──\nc d │ e',
			['monospaced:a   │ b\n────┼──\nc d │ e'],
		],
		[
			'|a|b|\n|-|-|\n|★★☆|c|\n|✅|d|\n|✔️ ©|e|\n|日🇩🇪|f|',
			'a    │ b\n─────┼──\n★★☆  │ c\n✅   │ d\n✔️ © │ e\n日🇩🇪 │ f',
			['monospaced:a    │ b\n─────┼──\n★★☆  │ c\n✅   │ d\n✔️ © │ e\n日🇩🇪 │ f'],
		],
		['*foo**bar*', 'foo**bar', ['emphasized:foo**bar']],
		['*foo**bar**baz*', 'foobarbaz', ['emphasized:foobarbaz', 'strong:bar']],
		['foo***bar***baz', 'foobarbaz', ['emphasized:bar', 'strong:bar']],
		['foo******bar*********baz', 'foobar***baz', ['strong:bar']],
		['***foo** bar*', 'foo bar', ['emphasized:foo bar', 'strong:foo']],
		['_a_b_ __c__d', 'a_b __c__d', ['emphasized:a_b']],
		['😀**a**😀 a*"b"*c', '😀a😀 a*"b"*c', ['strong:a']],
		[
			'**注意：**请看**「一」**和*二*',
			'注意：请看「一」和二',
			['strong:注意：', 'strong:「一」', 'emphasized:二'],
		],
		[
			'サーバー**「A」**は**B(b)**는 _「_c',
			'サーバー「A」はB(b)는 _「_c',
			['strong:「A」', 'strong:B(b)'],
		],
		['**a* *b **c*', '*a *b *c', ['emphasized:a', 'emphasized:c']],
		['~a~ ~~b~~', '~a~ b', ['strikethrough:b']],
		['```\n\ta\tb\n```', '\ta\tb', ['monospaced:\ta\tb']],
		['1. a\n   ```\n   \tb\n   ```', '1. a\n\tb', ['monospaced:\tb']],
		['9. a\n10. b\n\n    ```\n    \tc\n    ```', '9. a\n\n10. b\n\n\tc', ['monospaced:\tc']],
		['> \ta\n>\n> \t  b', 'a\n\nb', ['quote:a\n\nb', 'monospaced:b']],
		['- a\n\n\t\tb\n- c\n  \td', '• a\n  b\n• c\nd', ['monospaced:  b']],
		['https://x.org/_a_/__b__.c _d_', 'https://x.org/_a_/__b__.c d', ['emphasized:d']],
		['**https://x.org/_a_**, b', 'https://x.org/_a_, b', ['strong:https://x.org/_a_']],
		['_(https://x.org/_b_c)_', '(https://x.org/_b_c)', ['emphasized:(https://x.org/_b_c)']],
		['https://x.org/?a=_b_&c=_d_&amp;', 'https://x.org/?a=_b_&c=_d_&', []],
		['http://x.org/_a_b_ HTTPS://x.org/_a_b_', 'http://x.org/_a_b_ HTTPS://x.org/_a_b_', []],
		['[a][b\\]c]\n\n[b\\]c]: https://x.org', 'a', ['link:a']],
		[
			'`a\nb`,`` ` ``,` `,` c`,`d `',
			'a b,`, , c,d ',
			['monospaced:a b', 'monospaced:`', 'monospaced: ', 'monospaced: c', 'monospaced:d '],
		],
		['*[a*](u) **[b]() c**', '*a* b c', ['link:a*', 'strong:b c']],
		['![a [b](u) c](v)', 'a b c', ['link:a b c']],
		['a<BR/>b `c` ++d++ ^^e^^', 'a\nb c ++d++ ^^e^^', ['monospaced:c']],
		['[https://x.org/__a__.b](u)', 'https://x.org/__a__.b', ['link:https://x.org/__a__.b']],
	])('%j', (source, text, effects) => {
		expect(rendered(source)).toEqual({ text, effects });
	});

	it.each([
		['[a](<x y>) [b](<x\\>y>) [c](<x\ny>)', ['x y', 'x>y']],
		['[a](x\\)y) [b](x(y\\)z)w) [c](x(y(\\)z)w)v) [d](x(y)', ['x)y', 'x(y)z)w', 'x(y()z)w)v']],
		['[a]( x ) [b](\nx\n"t") [c](x y) [d](x"t")', ['x', 'x', 'x"t"']],
		['[a](x "t \\" u") [b](x \'t \\\' u\') [c](x (t \\) u)) [d](x "t" u)', ['x', 'x', 'x']],
		['[a](x\\ "t") [b](x(y\\) "t") [c](x\\) [d](x(y\\ )z)', ['x\\']],
		[
			'<Vera.o+x@a-b.Mail.org> <x@y> <FTP://x.org> <t:a b>',
			['mailto:Vera.o+x@a-b.Mail.org', 'FTP://x.org'],
		],
		[
			'[a][b\\]c] [A \n x]\n\n[b\\]c]: https://x.org\n[a x]: https://y.org',
			['https://x.org', 'https://y.org'],
		],
		[
			'[a] [b] [c] [d]\n\n[a]: mailto:v@x "t"\n[b]: tel:+7 (t)\n[c]:\nx.org/3 \'t\'\n[d]: /x/ t',
			['mailto:v@x', 'tel:+7', 'x.org/3'],
		],
		['[a]\n\n[a]: x.org/1\n[a]: x.org/2\n[ ]: x.org/3', ['x.org/1']],
		['[a](u) `b` [c](v) ![](w) [](t) [d]()', ['u', 'v', 'w']],
	])('links %j to what it names', (source, addresses) => {
		const { text } = new FormattedText(source, 'markdown').whole(1_000_000);
		const links = [...text.matchAll(/<a href="([^"]*)">[^<]+<\/a>/g)];
		const read = (href = '') => href.replaceAll('&quot;', '"').replaceAll('&amp;', '&');
		expect(links.map(([, href]) => read(href))).toEqual(addresses);
	});

	it('shows an address that is too long for a link', () => {
		const longest = `https://x.org/${'a'.repeat(2034)}`;
		const text = `a b (${longest}a)`;
		expect(rendered(`[a](${longest}) [b](${longest}a)`)).toEqual({ text, effects: ['link:a'] });
	});

	const words = fc.constantFrom(
		// Next to a mark, 日 may be read otherwise than by CommonMark.
		...'one two ÜÄ x日本x 😀 a_b R&D &amp; \\*'.split(' '),
		...['2 * 3', 'x < y'],
	);
	const wrap = (inner: fc.Arbitrary<string>, marks: string[]) =>
		fc.tuple(fc.constantFrom(...marks), inner).map(([mark, text]) => `${mark}${text}${mark}`);
	const inline = fc.letrec<{ line: string; piece: string }>((tie) => ({
		piece: fc.oneof(
			{ depthSize: 'small' },
			words,
			wrap(tie('line'), ['*', '**', '***', '_', '__']),
			words.map((word) => `\`${word}\``),
			tie('line').map((text) => `[a ${text} a](https://x.org/a_(b) "t")`),
			words.map((word) => `![${word}](u)`),
		),
		line: fc.array(tie('piece'), { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join(' ')),
	})).line;
	const indented = (text: string, first: string, rest: string) =>
		first + text.replace(/\n(?=.)/g, `\n${rest}`);
	const block = fc.letrec<{ document: string; block: string }>((tie) => ({
		block: fc.oneof(
			{ depthSize: 'small' },
			inline,
			fc
				.tuple(fc.integer({ min: 1, max: 6 }), inline)
				.map(([n, text]) => `${'#'.repeat(n)} ${text}`),
			inline.map((text) => `\`\`\`js\n${text}\n\`\`\``),
			fc.constant('***'),
			fc
				.array(inline, { minLength: 1 })
				.map((rows) => `|a|b|\n|-|:-:|\n${rows.map((row) => `|${row}|x|`).join('\n')}`),
			tie('document').map((text) => indented(text, '> ', '> ')),
			tie('document').map((text) => indented(text, '- ', '  ')),
			tie('document').map((text) => indented(text, '1. ', '   ')),
		),
		document: fc
			.array(tie('block'), { minLength: 1, maxLength: 4 })
			.map((blocks) => blocks.join('\n\n')),
	})).document;

	it('has the same text as with markdown-it, whatever is nested', () => {
		fc.assert(
			fc.property(block, (source) => {
				expect(unnumbered(rendered(source).text)).toBe(unnumbered(oracle(source)));
			}),
			{ numRuns: 300 },
		);
	});

	const bits = [...'* ** _ ` `` [ ] ( ) ](u) \\ a . < &amp;'.split(' '), 'b ', '\n', ' '];

	it('has the same text as with markdown-it where marks are malformed', () => {
		fc.assert(
			fc.property(fc.array(fc.constantFrom(...bits), { maxLength: 30 }), (pieces) => {
				const source = `a${pieces.join('').replace(/\n\s*/g, '\na')}a`;
				// markdown-it takes the end of a link's text for white space, CommonMark does not.
				fc.pre(!/[*_]\]\(/.test(source));
				const letters = (shown: string) => shown.replace(/\s+/g, '');
				expect(letters(rendered(source).text)).toBe(letters(oracle(source)));
			}),
			{ numRuns: 1000 },
		);
	});
});

test('Markdown does not become many times as long by a short label that stands for a long address', () => {
	const source = `[a]: https://a.example/${'x'.repeat(2000)}\n\n${'[a] '.repeat(2000)}`;
	const { text } = new FormattedText(source, 'markdown').whole(Infinity);
	expect(text.length).toBeLessThan(3 * source.length);
});
