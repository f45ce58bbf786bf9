/**
 * A piece of markup in a text: an opening, what it applies to, a closing. Nothing may be cut within opening and
 * closing; within the content a cut is possible, when the markup is closed before it and opened again after it.
 */
export interface Span {
	/** Where the opening begins. */
	from: number;
	/** Where the content begins and ends; both ends of an atom, which cannot be cut, are those of the span. */
	innerFrom: number;
	innerTo: number;
	/** Where the closing ends. */
	to: number;
	/** What opens the markup again after a cut, and what closes it before one. */
	reopen: string;
	close: string;
	/** Whether a cut in the content disturbs little, such as between the lines of a code block. */
	isBlock?: boolean;
}

/** Something that cannot be cut at all, such as a link. */
export const atom = (from: number, to: number): Span => ({
	from,
	innerFrom: to,
	innerTo: from,
	to,
	reopen: '',
	close: '',
});

/** Whether a text may be cut before the character `at` as far as this span goes. */
export function allowsCut({ from, innerFrom, innerTo, to }: Span, at: number): boolean {
	if (at <= from || at >= to) return true;
	return at > innerFrom && at < innerTo;
}

/** Whether a cut there has to close the markup and open it again. */
export const isOpenAt = ({ innerFrom, innerTo }: Span, at: number): boolean =>
	at > innerFrom && at < innerTo;
