import type { RichText, TextPart } from './rich';

/** A part is filled at least this far if it can be cut there; earlier cuts are only considered otherwise. */
const GOOD_FILL = 0.5;

/** How full a part without marks always gets if another one follows. */
export const SURE_FILL = 0.97;

/** How good it is to cut after each of these. */
const WORTH = { word: 1, sentence: 2, line: 3, paragraph: 4 };

/** Penalty for each mark that a cut falls into. */
const OPEN_MARK = 2.5;

interface Cut {
	at: number;
	worth: number;
}

/**
 * Splits a text into at most `most` parts of at most `limit` UTF-16 code units each, their HTML included. Cuts at
 * paragraphs, lines, sentences or words where possible, and never inside a character. A mark across a cut is closed
 * before it and reopened after it. White space at a cut is dropped. Parts with marks are HTML. Where there is so much
 * markup that the parts would not suffice, a part goes without marks; `most` has to leave room for that:
 * `limit * 0.97` visible characters per part. Takes linear time in the length of the text.
 */
export function splitText(rich: RichText, limit: number, most: number): TextPart[] {
	const text = rich.text;
	const parts: TextPart[] = [];
	let from = 0;
	while (from < text.length) {
		const later = most - parts.length - 1;
		// Make room for at least one character.
		const atLeast = Math.max(from + 2, text.length - Math.floor(later * limit * SURE_FILL));
		const markedReach = rich.slice(from, from + limit).hasMarks ? rich.reach(from, limit) : 0;
		const isPlain = markedReach < atLeast;
		const reach = isPlain ? from + limit : markedReach;
		const at = reach < text.length ? bestCut(rich, text, { from, atLeast, reach }) : reach;
		const part = text.slice(from, at);
		if (part.trim() !== '') parts.push(isPlain ? { text: part } : rich.slice(from, at).part);
		from = at + gapAt(text, at);
	}
	return parts;
}

/** The penalty for a cut that falls into marks, or between a heading and what it is the heading of. */
function lossAt(rich: RichText, at: number): number {
	const after = rich.marksAt(at);
	const cut = rich.marksAt(at - 1).filter((mark) => mark.tag === 'h1' || after.includes(mark));
	return cut.length * OPEN_MARK;
}

/** Length of the white space to drop at the start of a part: empty lines, or blanks within a line, but no indent. */
const gapAt = (text: string, at: number): number =>
	/^(?:\s*\n|[^\S\n]+)/.exec(text.slice(at, at + 1000))?.[0].length ?? 0;

/** A part begins at `from` and ends between `atLeast` and `reach`. */
type Range = Record<'from' | 'atLeast' | 'reach', number>;

function bestCut(rich: RichText, text: string, range: Range): number {
	const { from, atLeast, reach } = range;
	const full = Math.max(atLeast, Math.ceil(from + (reach - from) * GOOD_FILL));
	for (const begin of [full, atLeast]) {
		let best: Cut | undefined;
		for (const { at, worth } of borders(text, begin, reach)) {
			const left = worth - lossAt(rich, at);
			if (!best || left >= best.worth) best = { at, worth: left };
		}
		if (best) return best.at;
	}
	return forcedCut(text, range);
}

/** The places to cut at white space between two positions, in order. */
function borders(text: string, begin: number, reach: number): Cut[] {
	// Include the characters before the first place, since they decide how good it is.
	const from = Math.max(0, begin - 2);
	const window = text.slice(from, reach + 1);
	const gaps = [...window.matchAll(/(?<=\S)\s+/g)].filter(({ index }) => from + index >= begin);
	return gaps.map(({ 0: gap, index }) => {
		const breaks = gap.split('\n').length - 1;
		const endsSentence = /[.!?…:;。！？]["»”’)\]]?$/.test(
			window.slice(Math.max(0, index - 2), index),
		);
		const inLine = endsSentence ? 'sentence' : 'word';
		const behind = breaks > 1 ? 'paragraph' : breaks === 1 ? 'line' : inLine;
		return { at: from + index, worth: WORTH[behind] };
	});
}

const WORDS = new Intl.Segmenter(undefined, { granularity: 'word' });
const CHARACTERS = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** A cut without white space: between words in scripts without spaces, otherwise between two characters. */
function forcedCut(text: string, { from, atLeast, reach }: Range): number {
	// The text after the cut decides whether a character continues.
	const window = text.slice(from, reach + 100);
	const startOf = (segmenter: Intl.Segmenter) =>
		from + (segmenter.segment(window).containing(reach - from)?.index ?? 0);
	const word = startOf(WORDS);
	if (word >= Math.max(atLeast, from + (reach - from) * GOOD_FILL)) return word;
	const character = startOf(CHARACTERS);
	if (character >= atLeast) return character;
	// A single character of very many code points is cut, but not inside a surrogate pair.
	const splitsPair = /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(reach - 1, reach + 1));
	return splitsPair && reach - 1 > from ? reach - 1 : reach;
}
