import { splitText, type TextFormat } from '../../../nodes/BotMessaging/text/split';

/** The same numbers in each run, so that a failure can be looked into. */
function randomNumbers(seed: number): (below: number) => number {
	let state = seed;
	return (below) => {
		state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
		return Math.floor((state / 2 ** 31) * below);
	};
}

const WORDS = ['a', 'word', 'Überraschung', '日本語', '👨‍👩‍👧‍👦', '🇩🇪', 'e\u0301', 'x'.repeat(30), '𝒳𝒴'];
const GAPS = [' ', ' ', ' ', '\n', '\n\n', '. ', ', ', '\n    '];
/** Marks reach to the end of their paragraph at most. */
const inParagraph = (text: string) => text.replace(/\n+/g, '\n');

const MARKED: Record<TextFormat, Array<(inner: string) => string>> = {
	markdown: [
		(inner) => `**${inParagraph(inner)}**`,
		(inner) => `_${inParagraph(inner)}_`,
		(inner) => `[${inner.replace(/\n/g, ' ')}](https://example.com/a_b)`,
		(inner) => `\n\`\`\`js\n${inner}\n\`\`\`\n`,
		(inner) => `\`${inner.replace(/\n/g, ' ')}\``,
	],
	html: [
		(inner) => `<b>${inner}</b>`,
		(inner) => `<a href="https://example.com/?a=1&amp;b=2">${inner}</a>`,
		(inner) => `<pre>${inner}</pre>`,
		(inner) => `${inner} &lt;&#128512;<br>`,
	],
};

function randomText(random: (below: number) => number, format?: TextFormat, words = 60): string {
	const pick = <T>(list: readonly T[]): T => list[random(list.length)] ?? list[0]!;
	let text = '';
	for (let n = 0; n < words; n++) {
		const marked = format && random(8) === 0 && words > 10;
		text += marked
			? pick(MARKED[format])(randomText(random, undefined, 1 + random(9)).trim())
			: pick(WORDS);
		text += pick(GAPS);
	}
	return text;
}

const bare = (text: string) => text.replace(/\s+/g, '');

const texts = (format?: TextFormat) =>
	Array.from({ length: 60 }, (_, seed) => randomText(randomNumbers(seed + 1), format));

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

describe('splitText', () => {
	it('leaves a text within the limit as it is', () => {
		expect(splitText('  as it is \n', 4000)).toEqual(['  as it is \n']);
		expect(splitText('x'.repeat(4000), 4000)).toEqual(['x'.repeat(4000)]);
	});

	it.each<[TextFormat | undefined]>([[undefined], ['markdown'], ['html']])(
		'keeps every part of a text in %s within the limit and no part empty',
		(format) => {
			for (const text of texts(format)) {
				for (const limit of [80, 120, 333]) {
					const parts = splitText(text, limit, format);
					expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(limit);
					expect(parts.filter((part) => part.trim() === '')).toEqual([]);
				}
			}
		},
	);

	it('loses nothing but white space at the cuts', () => {
		for (const text of texts()) {
			expect(bare(splitText(text, 50).join(''))).toBe(bare(text));
		}
	});

	it('never cuts a character, be it of several code points', () => {
		const whole = new Set([...new Intl.Segmenter().segment(WORDS.join(' '))].map((s) => s.segment));
		for (const text of texts()) {
			for (const part of splitText(text, 40)) {
				expect(part).not.toMatch(/\p{Cs}/u);
				const characters = [...new Intl.Segmenter().segment(part)].map((s) => s.segment);
				const unknown = characters.filter((one) => !whole.has(one) && /[^\s.,]/.test(one));
				expect(unknown).toEqual([]);
			}
		}
	});

	it('keeps code blocks and marks balanced in every part', () => {
		for (const text of texts('markdown')) {
			for (const part of splitText(text, 300, 'markdown')) {
				expect(count(part, /```/g) % 2).toBe(0);
				expect(count(part.replace(/```[^]*?```/g, ''), /\*\*/g) % 2).toBe(0);
				expect(part).not.toMatch(/\[[^\]]*$|\]\([^)]*$/);
			}
		}
	});

	it('closes every tag in the part that opens it, and cuts no tag or entity', () => {
		for (const text of texts('html')) {
			for (const part of splitText(text, 300, 'html')) {
				for (const tag of ['b', 'a', 'pre']) {
					const opened = count(part, new RegExp(`<${tag}\\b[^>]*>`, 'g'));
					expect(opened).toBe(count(part, new RegExp(`</${tag}>`, 'g')));
				}
				expect(part).not.toMatch(/<[^>]*$|^[^<]*>|&#?\w*$/);
			}
		}
	});

	it.each<[string, string, TextFormat | undefined, string[]]>([
		[
			'prefers the end of a paragraph',
			'One two three.\n\nFour five six seven eight',
			undefined,
			['One two three.', 'Four five six seven eight'],
		],
		[
			'prefers the end of a sentence to a word',
			'The first one. The second one goes on',
			undefined,
			['The first one.', 'The second one goes on'],
		],
		[
			'cuts between words',
			'aaaa bbbb cccc dddd eeee ffff',
			undefined,
			['aaaa bbbb cccc dddd eeee', 'ffff'],
		],
		[
			'cuts a word that is too long for any part',
			'x'.repeat(60),
			undefined,
			['x'.repeat(25), 'x'.repeat(25), 'x'.repeat(10)],
		],
		[
			'opens a code block again with its language',
			'```js\nlet a = 1;\nlet b = 2;\n```',
			'markdown',
			['```js\nlet a = 1;\n```', '```js\nlet b = 2;\n```'],
		],
		[
			'opens marks again',
			'**bold words that go on and on**',
			'markdown',
			['**bold words that go on**', '**and on**'],
		],
		[
			'does not take a name with underscores for marks',
			'my_long_name my_other_name and more',
			'markdown',
			['my_long_name', 'my_other_name and more'],
		],
		['opens tags again', '<b>bold words that go</b>', 'html', ['<b>bold words that go</b>']],
		[
			'keeps an entity whole',
			'aaaa bbbb cccc dddd eee&amp;',
			'html',
			['aaaa bbbb cccc dddd', 'eee&amp;'],
		],
		[
			'keeps the indent of a line',
			'function begins here\n    inner line',
			undefined,
			['function begins here', '    inner line'],
		],
	])('%s', (_, text, format, parts) => {
		expect(splitText(text, 25, format)).toEqual(parts);
	});

	it('takes a text of 400,000 characters in less than 2 seconds', () => {
		const text = randomText(randomNumbers(7), 'markdown', 60_000).slice(0, 400_000);
		const begin = performance.now();
		const parts = splitText(text, 4000, 'markdown');
		expect(performance.now() - begin).toBeLessThan(2000);
		expect(parts.length).toBeLessThan(130);
	});
});
