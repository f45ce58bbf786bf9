import { atom, type Span } from './spans';

/** Code comes first: what looks like markup in it is none. */
const FENCE = /```([\w+#.-]*\n)?[^]*?```/g;
const CODE = /`[^`\n]+`/g;
const LINK = /!?\[[^\]\n]*\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*\)/g;
const ESCAPED = /\\[!-/:-@[-`{-~]/g;
const QUOTE = /^> ?[^\n]*/gm;

/** Marks around text, longer ones first (wire 3.5). A mark touches the text on its inner side and spans no paragraph. */
const MARKS = ['***', '**', '__', '~~', '++', '^^', '*', '_'];

function markPattern(mark: string): RegExp {
	const written = mark.replace(/[*+^]/g, '\\$&');
	const one = mark.charAt(0).replace('^', '\\^');
	const inside = `[^\\s${one}]`;
	// An underscore within a word is a letter of it.
	const around = mark.startsWith('_') ? '[\\p{L}\\p{N}_]' : `[${one}]`;
	return new RegExp(
		`(?<!${around})${written}(?=${inside})(?:(?!\\n\\n)[^])+?(?<=${inside})${written}(?!${around})`,
		'gu',
	);
}

/** The markup of a text in Markdown, as far as a cut could harm it. */
export function markdownSpans(text: string): Span[] {
	const spans: Span[] = [];
	let left = text;
	/** Takes out what was recognised, so that it is not taken for something else. */
	const take = (pattern: RegExp, spanOf: (match: string, from: number, group?: string) => Span) => {
		left = left.replace(pattern, (match: string, ...rest: unknown[]) => {
			const [group] = rest;
			const from = rest.find((value) => typeof value === 'number') ?? 0;
			spans.push(spanOf(match, from, typeof group === 'string' ? group : undefined));
			return '\u0000'.repeat(match.length);
		});
	};
	take(FENCE, fenceOf);
	take(CODE, (match, from) => surrounded('`', from, match.length));
	take(LINK, (match, from) => atom(from, from + match.length));
	take(ESCAPED, (match, from) => atom(from, from + match.length));
	for (const mark of MARKS) spans.push(...marksOf(left, mark, markPattern(mark)));
	for (const { 0: line, index } of text.matchAll(QUOTE)) {
		const innerFrom = index + (line.startsWith('> ') ? 2 : 1);
		const to = index + line.length;
		spans.push({ from: index, innerFrom, innerTo: to, to, reopen: '> ', close: '' });
	}
	return spans;
}

function fenceOf(match: string, from: number, language = ''): Span {
	const isBlock = match.includes('\n');
	const innerFrom = from + 3 + language.length;
	const innerTo = from + match.length - 3;
	const reopen = isBlock ? `\`\`\`${language || '\n'}` : '```';
	return {
		...{ from, innerFrom, innerTo, to: from + match.length },
		...{ reopen, close: isBlock ? '\n```' : '```', isBlock },
	};
}

const surrounded = (mark: string, from: number, length: number): Span => ({
	from,
	innerFrom: from + mark.length,
	innerTo: from + length - mark.length,
	to: from + length,
	reopen: mark,
	close: mark,
});

const marksOf = (text: string, mark: string, pattern: RegExp): Span[] =>
	[...text.matchAll(pattern)].map(({ 0: match, index }) => surrounded(mark, index, match.length));
