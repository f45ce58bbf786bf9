import fc from 'fast-check';
import { LinearPattern, UnusablePattern } from '../../../nodes/BotMessaging/text/linearPattern';

const ALPHABET = ['a', 'b', 'B', '1', '_', ' ', '-', '\n', 'я', '😀', 'ſ'];

const texts = fc
	.array(fc.constantFrom(...ALPHABET), { maxLength: 12 })
	.map((parts) => parts.join(''));

const atoms = fc.constantFrom(
	...'a b B 1 я 😀 . \\d \\w \\s \\W \\S [ab] [^ab] [a-я]'.split(' '),
	...'[\\w-] [^\\]] \\p{L} \\u{1F600} \\uD83D\\uDE00 \\x61 \\n - \\/ \\.'.split(' '),
	' ',
);
const assertions = fc.constantFrom('^', '$', '\\b', '\\B');
const quantifiers = fc.constantFrom(...'* + ? {2} {0} {1,} {0,2} {2,3} *? +? {1,2}?'.split(' '));

const { expressions } = fc.letrec<{ expressions: string; sequence: string; term: string }>(
	(tie) => ({
		expressions: fc
			.array(tie('sequence'), { minLength: 1, maxLength: 3 })
			.map((parts) => parts.join('|')),
		sequence: fc.array(tie('term'), { maxLength: 4 }).map((parts) => parts.join('')),
		term: fc.oneof(
			{ depthSize: 'small', withCrossShrink: true },
			atoms,
			fc.tuple(atoms, quantifiers).map((parts) => parts.join('')),
			assertions,
			fc
				.tuple(fc.constantFrom('(', '(?:', '(?<n>'), tie('expressions'), fc.option(quantifiers))
				.map(([open, inside, times]) => `${open}${inside})${times ?? ''}`),
		),
	}),
);

const isExpression = (source: string, flags: string): boolean => {
	try {
		return new RegExp(source, flags) instanceof RegExp;
	} catch {
		return false;
	}
};

/** The pattern, or undefined where nested repetitions make it too large. */
function unlessTooLarge(source: string, flags: string): LinearPattern | undefined {
	try {
		return new LinearPattern(source, flags);
	} catch (error) {
		if (error instanceof UnusablePattern && error.message === 'is too long or repeats too much')
			return undefined;
		throw error;
	}
}

/** JavaScript's own answer, asked at each code point: unlike the standard, V8 also looks inside surrogate pairs. */
function fitsSomewhere(source: string, flags: string, text: string): boolean {
	const pattern = new RegExp(source, `${flags}y`);
	const places = [...text].reduce((all, one) => [...all, (all.at(-1) ?? 0) + one.length], [0]);
	return places.some((place) => {
		pattern.lastIndex = place;
		return pattern.test(text);
	});
}

test.each(['iu', 'u', 'imu', 'isu'])(
	'With the flags %s, patterns match what JavaScript matches',
	(flags) => {
		fc.assert(
			fc.property(expressions, texts, (source, text) => {
				fc.pre(isExpression(source, flags));
				const pattern = unlessTooLarge(source, flags);
				fc.pre(pattern !== undefined);
				expect(pattern?.test(text)).toBe(fitsSomewhere(source, flags, text));
			}),
			{ numRuns: 1000 },
		);
	},
);

test.each([
	['^/(start|help)\\b', '/start now', true],
	['^/(start|help)\\b', '/started', false],
	['\\d{4,6}', 'Your code is 12345', true],
	['order[-_ ]?\\d+', 'ORDER-17', true],
	['^(?:\\w+\\s?){12}$', 'a b c d e f g h i j k l', true],
	['^$', '', true],
	['^a{1,2}$', 'aaa', false],
	['^a{2,}$', 'a', false],
	['^a?$', 'aa', false],
	['[яё]+', 'Привет, я', true],
])('%s matches "%s": %s', (source, text, fits) => {
	const pattern = new LinearPattern(source, 'iu');
	expect([pattern.test(text), pattern.test(text)]).toEqual([fits, fits]);
});

test.each([
	['.*a.*b.*c.*d', 'abc'],
	['(a+){20}b', 'a'],
	['^(?:\\w+\\s?){12}$', 'a!'],
	['(a*)*b', 'a'],
	['^(a|a)*$', 'a'],
	['(x+x+)+y', 'x'],
	['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'],
])('%s takes twice the steps for twice the text', (source, unit) => {
	const pattern = new LinearPattern(source, 'iu');
	const stepsFor = (times: number): number => {
		pattern.test(`${unit.repeat(times)}!`);
		return pattern.steps;
	};
	expect(stepsFor(4000) / stepsFor(2000)).toBeLessThan(2.01);
	// A character takes at most as many steps as there can be states.
	expect(stepsFor(4000)).toBeLessThanOrEqual(1000 * (4000 * unit.length + 2));
});

test.each([
	'(?=a)',
	'(?!a)',
	'(?<=a)b',
	'(?<!a)b',
	'(a)\\1',
	'(?<n>a)\\k<n>',
	'(a+){1000}',
	'a{99999}',
	'((a{99}){99}){99}',
])('%s is refused as unusable', (source) => {
	expect(() => new LinearPattern(source, 'iu')).toThrow(UnusablePattern);
});

test('A pattern that JavaScript rejects is a syntax error', () => {
	expect(() => new LinearPattern('(', 'iu')).toThrow(SyntaxError);
});
