import type { Mark, MarkTag } from './rich';
import type { Scanner } from './scanner';

/** A piece of text, with the number of marks that end before it and the marks that begin after it, innermost first. */
export interface Piece {
	text: string;
	ends: number;
	begins: Mark[];
}

/** A run of characters such as `**` that may begin or end marks. */
export interface Delimiter {
	/** Holds the characters that are not yet used up. */
	piece: Piece;
	character: string;
	length: number;
	begins: boolean;
	ends: boolean;
}

/** What exactly two of a character mark; `*` and `_` take one or two. */
const PAIRS: Readonly<Record<string, MarkTag>> = { '~': 's', '+': 'u', '^': 'mark' };

/** What is next to a run of delimiters. A `sign` is a letter of a script without cases, such as Chinese. */
type Kind = 'space' | 'punctuation' | 'letter' | 'sign';

function kindOf(character: string): Kind {
	if (character === '' || /^\s/.test(character)) return 'space';
	if (/^[\p{P}\p{S}]/u.test(character)) return 'punctuation';
	return /^[\p{Lo}\p{Lm}]/u.test(character) ? 'sign' : 'letter';
}

/**
 * Whether a run adheres to the text on its inner side (CommonMark, "flanking"). Not as in CommonMark, punctuation may be
 * within the run where a sign follows: `**注意：**请` has no blank between.
 */
const touches = (inner: Kind, outer: Kind): boolean =>
	inner === 'punctuation' ? outer !== 'letter' : inner !== 'space';

/** The delimiter run in a piece that was just read; `undefined` if a run of this length marks nothing. */
export function delimiterOf(piece: Piece, { text, at }: Scanner): Delimiter | undefined {
	const { length } = piece.text;
	const character = piece.text.charAt(0);
	// A character may take two code units.
	const before = kindOf([...text.slice(Math.max(0, at - length - 2), at - length)].at(-1) ?? '');
	const after = kindOf(text.slice(at, at + 2));
	const left = touches(after, before);
	const right = touches(before, after);
	const inWord = character === '_';
	const begins = left && (!inWord || !right || before === 'punctuation');
	const ends = right && (!inWord || !left || after === 'punctuation');
	if (character in PAIRS && length !== 2) return undefined;
	return { piece, character, length, begins, ends };
}

/** Pairs delimiters, given in order, into marks (CommonMark 0.31, "process emphasis"). */
export function pair(delimiters: readonly Delimiter[]): void {
	/** Those that may still begin a mark, with their numbers. */
	const openers: Array<{ opener: Delimiter; number: number }> = [];
	/** By kind of closer, the number below which no opener fits ("openers_bottom" in CommonMark). */
	const lowest = new Map<number, number>();
	for (const [number, closer] of delimiters.entries()) {
		const kind =
			closer.character.charCodeAt(0) * 6 + (closer.length % 3) * 2 + (closer.begins ? 1 : 0);
		while (closer.ends && closer.piece.text !== '') {
			const least = lowest.get(kind) ?? 0;
			const at = openers.findLastIndex((one) => one.number < least || fit(one.opener, closer));
			const found = openers[at];
			if (!found || found.number < least) {
				lowest.set(kind, number);
				break;
			}
			openers.length = at + 1;
			mark(found.opener, closer);
			if (found.opener.piece.text === '') openers.pop();
		}
		if (closer.begins && closer.piece.text !== '') openers.push({ opener: closer, number });
	}
}

function mark(opener: Delimiter, closer: Delimiter): void {
	const size = Math.min(2, opener.piece.text.length, closer.piece.text.length);
	opener.piece.begins.push({ tag: PAIRS[closer.character] ?? (size === 2 ? 'b' : 'i') });
	closer.piece.ends++;
	for (const { piece } of [opener, closer]) piece.text = piece.text.slice(size);
}

/** Whether two delimiters can form a mark (CommonMark, "rule of 3"). */
const fit = (opener: Delimiter, closer: Delimiter): boolean =>
	opener.character === closer.character &&
	!(
		(opener.ends || closer.begins) &&
		(opener.length + closer.length) % 3 === 0 &&
		opener.length % 3 !== 0
	);
