import { type MarkupElement, renderText } from './markup';

/** The rendered text, and each effect with the text that it covers. */
function rendered(source: string, format: 'markdown' | 'html') {
	const { text, markup } = renderText(source, format);
	const show = ({ type, from, length, url, user_id }: MarkupElement) =>
		[type, text.slice(from, from + length), url ?? user_id].filter((part) => part !== undefined);
	return [text, ...markup.map((element) => show(element).join(':'))];
}

const markdown = (source: string) => rendered(source, 'markdown');
const html = (source: string) => rendered(source, 'html');

it('leaves text without a format alone', () => {
	expect(renderText('**a** <b>c</b> &amp; \\*')).toEqual({
		text: '**a** <b>c</b> &amp; \\*',
		markup: [],
	});
});

describe('Markdown', () => {
	it.each([
		['**bold**', ['bold', 'strong:bold']],
		['__bold__', ['bold', 'strong:bold']],
		['*slanted*', ['slanted', 'emphasized:slanted']],
		['_slanted_', ['slanted', 'emphasized:slanted']],
		['~~gone~~', ['gone', 'strikethrough:gone']],
		['++under++', ['under', 'underline:under']],
		['^^bright^^', ['bright', 'highlighted:bright']],
		['`code`', ['code', 'monospaced:code']],
		['```code```', ['code', 'monospaced:code']],
		['> said', ['said', 'quote:said']],
		['# Title', ['Title', 'heading:Title']],
		['[here](https://example.org/a_b?c=1)', ['here', 'link:here:https://example.org/a_b?c=1']],
		['[Vera](service://user/9007199254740993)', ['Vera', 'user_mention:Vera:9007199254740993']],
	])('renders %s', (source, expected) => expect(markdown(source)).toEqual(expected));

	it('counts offsets in UTF-16 code units', () => {
		expect(renderText('👍🏽 **да**', 'markdown')).toEqual({
			text: '👍🏽 да',
			markup: [{ type: 'strong', from: 5, length: 2 }],
		});
	});

	it('nests effects, the outer first', () => {
		expect(markdown('**a _b ~~c~~_ d**')).toEqual([
			'a b c d',
			'strong:a b c d',
			'emphasized:b c',
			'strikethrough:c',
		]);
		expect(markdown('***both***')).toEqual(['both', 'emphasized:both', 'strong:both']);
		expect(markdown('[**a** b](https://x.org)')).toEqual([
			'a b',
			'link:a b:https://x.org',
			'strong:a',
		]);
	});

	it('names an effect once when it is nested in itself', () => {
		expect(markdown('**a __b__ c**')).toEqual(['a b c', 'strong:a b c']);
	});

	it.each([
		'**a',
		'a**',
		'*a _b',
		'2 * 3 * 4',
		'snake_case_name and __init',
		'a ** b ** c',
		'****',
		'C++ or D++',
		'`a',
		'```a`',
		'[a](b',
		'[a] (b)',
		'[a](b c)',
		'a](b)',
		'#hash',
		'a > b',
		'~single~',
		'*a\n\nb*',
		'\\a',
		'\\',
	])('keeps %j as it is', (source) => expect(markdown(source)).toEqual([source]));

	it('keeps an unclosed marker inside an effect as text', () => {
		expect(markdown('**a ~~b**')).toEqual(['a ~~b', 'strong:a ~~b']);
	});

	it('takes a marker after a backslash literally', () => {
		expect(markdown('\\*a\\* **b\\*\\*c** \\`d\\` \\[e](f) \\> \\\\')).toEqual([
			'*a* b**c `d` [e](f) > \\',
			'strong:b**c',
		]);
	});

	it('leaves code literal, without the fence and the name of its language', () => {
		expect(markdown('see `**a** \\* [b](c)`!')).toEqual([
			'see **a** \\* [b](c)!',
			'monospaced:**a** \\* [b](c)',
		]);
		expect(markdown('a\n```ts\nlet x = `1`;\n\n# no\n```\nb')).toEqual([
			'a\nlet x = `1`;\n\n# no\nb',
			'monospaced:let x = `1`;\n\n# no',
		]);
	});

	it('joins the lines of a quote, and ends it where they end', () => {
		expect(markdown('> a **b\n> c** d\n\ne')).toEqual([
			'a b\nc d\n\ne',
			'quote:a b\nc d',
			'strong:b\nc',
		]);
	});

	it('ends a heading at the end of its line', () => {
		expect(markdown('# a *b*\n*c')).toEqual(['a b\n*c', 'heading:a b', 'emphasized:b']);
		expect(markdown('> # a\n> b')).toEqual(['a\nb', 'quote:a\nb', 'heading:a']);
	});

	it('has no links within links, and balances brackets', () => {
		expect(markdown('[a [b](https://x.org) c](https://y.org)')).toEqual([
			'[a b c](https://y.org)',
			'link:b:https://x.org',
		]);
		expect(markdown('[a [b] c](https://x.org/(1))')).toEqual([
			'a [b] c',
			'link:a [b] c:https://x.org/(1)',
		]);
	});

	it('takes no address of more than 2048 characters for a link', () => {
		const link = (length: number) => `[a](https://x.org/${'x'.repeat(length - 14)})`;
		expect(renderText(link(2048), 'markdown').text).toBe('a');
		expect(renderText(link(2049), 'markdown').text).toBe(link(2049));
	});
});

describe('HTML', () => {
	it.each([
		['<b>a</b><strong>b</strong>', ['ab', 'strong:a', 'strong:b']],
		['<i>a</i><em>b</em>', ['ab', 'emphasized:a', 'emphasized:b']],
		['<s>a</s><del>b</del>', ['ab', 'strikethrough:a', 'strikethrough:b']],
		['<u>a</u><ins>b</ins>', ['ab', 'underline:a', 'underline:b']],
		['<code>a</code><pre>b</pre>', ['ab', 'monospaced:a', 'monospaced:b']],
		['<mark>a</mark>', ['a', 'highlighted:a']],
		['<blockquote>a</blockquote>', ['a', 'quote:a']],
		['<h1>a</h1>', ['a', 'heading:a']],
		['<a href="https://x.org?a=1&amp;b=2">a</a>', ['a', 'link:a:https://x.org?a=1&b=2']],
		["<A class='x' HREF='https://x.org'>a</A>", ['a', 'link:a:https://x.org']],
		['<a href="service://user/42">a</a>', ['a', 'user_mention:a:42']],
		['<a data-href="https://x.org">a</a>', ['a']],
		['<a title="a > b" href=https://x.org>a</a>', ['a', 'link:a:https://x.org']],
	])('renders %s', (source, expected) => expect(html(source)).toEqual(expected));

	it('strips tags that it does not know, and comments', () => {
		expect(html('<p>a<br/>b</p><!-- <b>c</b> --><x-y z="1">d</x-y><br>')).toEqual(['abd']);
	});

	it('decodes entities, and leaves anything else alone', () => {
		expect(html('&lt;b&gt; &amp;amp; &quot;&#1046;&#x1F600;&quot; &nope; &#0; &#xD800; &')).toEqual(
			['<b> &amp; "Ж😀" &nope; &#0; &#xD800; &'],
		);
	});

	it('keeps characters that only look like a tag', () => {
		expect(html('1 < 2 > 1 <3 </ <b')).toEqual(['1 < 2 > 1 <3 </ <b']);
		expect(html('a <!-- b')).toEqual(['a <!-- b']);
	});

	it('closes effects left open at the end, or inside one that ends', () => {
		expect(html('<b>a <i>b</b> c</i> <u>d')).toEqual([
			'a b c d',
			'strong:a b',
			'emphasized:b',
			'underline:d',
		]);
	});

	it('shows an effect once when two tags give it', () => {
		expect(html('<pre><code>a</code></pre>')).toEqual(['a', 'monospaced:a']);
	});

	it('shows no effect for empty tags', () => {
		expect(html('<b></b><a href="https://x.org"></a>')).toEqual(['']);
		expect(markdown('[](https://x.org)')).toEqual(['']);
	});

	it('does not read Markdown', () => expect(html('**a** `b`')).toEqual(['**a** `b`']));
});
