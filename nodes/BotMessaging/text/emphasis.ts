import type { Mark } from './rich';

/** A piece of the text: its characters, with marks that end before them and begin after them, the inner ones first. */
export interface Piece {
	text: string;
	ends: number;
	begins?: Mark[];
}

/** A run of characters such as `**` that may still begin or end a mark. */
interface Delimiter {
	piece: Piece;
	character: string;
	/** How many characters it was written with, and how many are left. */
	length: number;
	left: number;
	begins: boolean;
	ends: boolean;
	before: Delimiter | undefined;
	after: Delimiter | undefined;
}

type Lowest = Map<number, Delimiter | undefined>;

/** A place among delimiters. */
export interface Place {
	/** The last delimiter before it. */
	before?: Delimiter;
	/** The first delimiter before it that may still end a mark. */
	unpaired?: Delimiter;
}

/** Marks that are alike wherever they stand. */
export const MARKS = {
	b: { tag: 'b' },
	i: { tag: 'i' },
	s: { tag: 's' },
	code: { tag: 'code' },
} as const;

/** What stands beside a run of `*`, `_` or `~`. */
export type Kind = 'space' | 'punctuation' | 'letter';

const kindOf = (character: string): Kind => {
	if (/^\w/.test(character)) return character.startsWith('_') ? 'punctuation' : 'letter';
	if (character === '' || /^\s/.test(character)) return 'space';
	return /^[\p{P}\p{S}]/u.test(character) ? 'punctuation' : 'letter';
};

/** What stands at a place of a text. */
export const kindAt = (text: string, at: number): Kind => kindOf(text.slice(at, at + 2));

/** What stands before a place of a text. */
export function kindBefore(text: string, at: number): Kind {
	const isPair = /[\udc00-\udfff]/.test(text.charAt(at - 1));
	return kindOf(text.slice(Math.max(0, at - (isPair ? 2 : 1)), at));
}

/** Whether a mark touches what stands on its inner side (CommonMark, "flanking"). */
const touches = (inner: Kind, outer: Kind): boolean =>
	inner === 'letter' || (inner === 'punctuation' && outer !== 'letter');

/** The delimiters of a paragraph that are not yet part of a mark (CommonMark 0.31, "delimiter stack"). */
export class Delimiters {
	private last?: Delimiter;
	/** The first delimiter that was not looked at as the end of a mark. */
	private unpaired?: Delimiter;
	/** Below which no delimiter begins a mark that one of a kind ends. */
	private readonly lowest: Lowest = new Map();

	get isEmpty(): boolean {
		return this.last === undefined;
	}

	/** The place behind all delimiters so far. */
	get place(): Place {
		return { before: this.last, unpaired: this.unpaired };
	}

	/** Adds the run of `*`, `_` or `~` that a piece is, if it can begin or end a mark: the rules of flanking. */
	add(piece: Piece, before: Kind, after: Kind): void {
		const { text } = piece;
		const left = touches(after, before);
		const right = touches(before, after);
		const character = text.charAt(0);
		const inWord = character === '_';
		const begins = left && (!inWord || !right || before === 'punctuation');
		const ends = right && (!inWord || !left || after === 'punctuation');
		// Only two of them strike a text through.
		if ((!begins && !ends) || (character === '~' && text.length !== 2)) return;
		const { length } = text;
		const entry: Delimiter = {
			piece,
			character,
			length,
			left: length,
			begins,
			ends,
			before: this.last,
			after: undefined,
		};
		if (this.last) this.last.after = entry;
		this.last = entry;
		this.unpaired ??= entry;
	}

	/** Makes the marks that the delimiters so far begin and end. */
	pair(): void {
		this.pairFrom(this.unpaired, undefined, this.lowest);
		this.unpaired = undefined;
	}

	/** Makes the marks behind a place, where a link begins; what is left there stays text. */
	pairWithin({ before, unpaired }: Place): void {
		this.pairFrom(before ? before.after : this.first(), before, new Map());
		if (before) before.after = undefined;
		this.last = before;
		this.unpaired = unpaired;
	}

	/** Makes marks of the delimiters from one on, which none before the bottom begins (CommonMark, "process emphasis"). */
	private pairFrom(
		from: Delimiter | undefined,
		bottom: Delimiter | undefined,
		lowest: Lowest,
	): void {
		let closer = from;
		while (closer) {
			if (!closer.ends) {
				closer = closer.after;
				continue;
			}
			const key =
				closer.character.charCodeAt(0) * 6 + (closer.length % 3) * 2 + (closer.begins ? 1 : 0);
			const stop = lowest.has(key) ? lowest.get(key) : bottom;
			let opener = closer.before;
			while (opener && opener !== stop && opener !== bottom && !fit(opener, closer))
				opener = opener.before;
			if (opener && opener !== stop && opener !== bottom) {
				closer = this.mark(opener, closer);
			} else {
				lowest.set(key, closer.before);
				if (!closer.begins) this.remove(closer);
				closer = closer.after;
			}
		}
	}

	/** Makes a mark between two delimiters; the next one that may end a mark. */
	private mark(opener: Delimiter, closer: Delimiter): Delimiter | undefined {
		const size = opener.left >= 2 && closer.left >= 2 ? 2 : 1;
		const tag = closer.character === '~' ? 's' : size === 2 ? 'b' : 'i';
		(opener.piece.begins ??= []).push(MARKS[tag]);
		closer.piece.ends++;
		for (const delimiter of [opener, closer]) {
			delimiter.left -= size;
			delimiter.piece.text = delimiter.piece.text.slice(size);
		}
		opener.after = closer;
		closer.before = opener;
		if (opener.left === 0) this.remove(opener);
		if (closer.left > 0) return closer;
		this.remove(closer);
		return closer.after;
	}

	private first(): Delimiter | undefined {
		let first = this.last;
		while (first?.before) first = first.before;
		return first;
	}

	private remove({ before, after }: Delimiter): void {
		if (before) before.after = after;
		if (after) after.before = before;
		else this.last = before;
	}
}

/** Whether two delimiters can make a mark: the rule of three. */
const fit = (opener: Delimiter, closer: Delimiter): boolean =>
	opener.begins &&
	opener.character === closer.character &&
	!(
		(opener.ends || closer.begins) &&
		(opener.length + closer.length) % 3 === 0 &&
		(opener.length % 3 !== 0 || closer.length % 3 !== 0)
	);
