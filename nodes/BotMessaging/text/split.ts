import { htmlSpans } from './html';
import { markdownSpans } from './markdown';
import { allowsCut, isOpenAt, type Span } from './spans';

/** How a text is marked up; plain text has no format. */
export type TextFormat = 'markdown' | 'html';

const SPANS: Record<TextFormat, (text: string) => Span[]> = {
	markdown: markdownSpans,
	html: htmlSpans,
};

/** A part is at least so full before a better border further back is looked for. */
const GOOD_FILL = 0.5;

/** How good a place for a cut is, worst first. */
const WORD = 1;
const SENTENCE = 2;
const LINE = 3;
const PARAGRAPH = 4;

/** A cut within marked text is worse by this much. */
const OPEN_MARKUP = 2.5;
const OPEN_BLOCK = 0.5;

interface Cut {
	at: number;
	worth: number;
}

/**
 * Splits a text into parts of at most `limit` UTF-16 code units each, at paragraphs, lines, sentences or words where
 * there are any, and never inside a character, a link, a tag or an entity. Markup that a cut falls into, such as a
 * code block, is closed before it and opened again after it. White space at a cut is left out.
 */
export function splitText(text: string, limit: number, format?: TextFormat): string[] {
	if (text.length <= limit) return [text];
	const spans = format ? SPANS[format](text) : [];
	const parts: string[] = [];
	let from = 0;
	let prefix = '';
	while (from < text.length) {
		if (prefix.length + text.length - from <= limit) {
			parts.push(prefix + text.slice(from));
			break;
		}
		const room = Math.max(1, limit - prefix.length);
		const at = bestCut(text, from, room, spans);
		const open = spans.filter((span) => isOpenAt(span, at)).sort((a, b) => a.from - b.from);
		const closing = open.map(({ close }) => close).reverse();
		parts.push(prefix + withoutEnd(text.slice(from, at), open) + closing.join(''));
		prefix = open.map(({ reopen }) => reopen).join('');
		// Markup that would fill the next part by itself is given up.
		if (prefix.length > limit * GOOD_FILL) prefix = '';
		from = at + gapAt(text, at);
	}
	return parts.filter((part) => part.trim() !== '');
}

/** Code blocks end with a line break of their own. */
const withoutEnd = (part: string, open: Span[]): string =>
	open.some(({ isBlock }) => isBlock) ? part.replace(/\n$/, '') : part.trimEnd();

/** White space at the begin of a part that goes: line breaks, or blanks within a line; the indent of a line stays. */
const gapAt = (text: string, at: number): number =>
	/^(?:[^\S\n]*\n+|[^\S\n]+)/.exec(text.slice(at, at + 1000))?.[0].length ?? 0;

function bestCut(text: string, from: number, room: number, spans: Span[]): number {
	const near = spans.filter((span) => span.to > from && span.from < from + room);
	const cuts = borders(text, from, room)
		.filter(({ at }) => fits(near, from, at, room))
		.map(({ at, worth }) => ({ at, worth: worth - markupAt(near, at) }));
	const full = cuts.filter(({ at }) => at - from >= room * GOOD_FILL);
	const best = latestBest(full) ?? latestBest(cuts);
	return best?.at ?? forcedCut(text, from, room, near);
}

/** Whether the part up to `at` is within the room, with all that must be closed, and cuts nothing that is whole. */
const fits = (spans: Span[], from: number, at: number, room: number): boolean =>
	spans.every((span) => allowsCut(span, at)) && lengthAt(spans, from, at) <= room;

/** Length of the part up to `at` with all that must be closed. */
const lengthAt = (spans: Span[], from: number, at: number): number =>
	spans.reduce((length, span) => length + (isOpenAt(span, at) ? span.close.length : 0), at - from);

const markupAt = (spans: Span[], at: number): number =>
	Math.max(
		0,
		...spans
			.filter((span) => isOpenAt(span, at) && span.close !== '')
			.map(({ isBlock }) => (isBlock ? OPEN_BLOCK : OPEN_MARKUP)),
	);

function latestBest(cuts: Cut[]): Cut | undefined {
	return cuts.reduce<Cut | undefined>(
		(best, cut) => (best && best.worth > cut.worth ? best : cut),
		undefined,
	);
}

/** The places at white space within the room, in order. */
function borders(text: string, from: number, room: number): Cut[] {
	const window = text.slice(from, from + room + 1);
	return [...window.matchAll(/(?<=\S)\s+/g)].flatMap(({ 0: gap, index }) => {
		if (index > room) return [];
		const breaks = gap.split('\n').length - 1;
		const endsSentence = /[.!?…:;。！？]["»”’)\]]?$/.test(
			window.slice(Math.max(0, index - 2), index),
		);
		const inLine = endsSentence ? SENTENCE : WORD;
		return [{ at: from + index, worth: breaks > 1 ? PARAGRAPH : breaks === 1 ? LINE : inLine }];
	});
}

/** Where no white space helps: between words of scripts without blanks, else between two characters. */
function forcedCut(text: string, from: number, room: number, spans: Span[]): number {
	const window = text.slice(from, from + room + 1);
	for (const granularity of ['word', 'grapheme'] as const) {
		const pieces = [...new Intl.Segmenter(undefined, { granularity }).segment(window)];
		const cut = pieces
			.map(({ index }) => from + index)
			.findLast((at) => at > from && fits(spans, from, at, room));
		if (cut !== undefined) return cut;
	}
	// Something that cannot be cut is larger than a part: only characters are kept whole.
	let at = from + room;
	while (at > from + 1 && (splitsPair(text, at) || lengthAt(spans, from, at) > room)) at--;
	return at;
}

const splitsPair = (text: string, at: number): boolean =>
	/[\ud800-\udbff]/.test(text.charAt(at - 1)) && /[\udc00-\udfff]/.test(text.charAt(at));
