import { decodeEntities, ENTITY, unescapeMarkdown } from './entities';
import { delimiterOf, MARKS, pair, type Delimiter, type Piece } from './emphasis';
import type { References } from './references';
import { LONGEST_ADDRESS, within, type Mark, type RichText } from './rich';
import { Scanner } from './scanner';

/** A `[` or `![` that may still begin a link or an image. */
interface Bracket {
	piece: Piece;
	/** Where its text begins in the source. */
	from: number;
	isImage: boolean;
	/** Number of delimiters before it. */
	outer: number;
}

const MARKED = /[\\`[\]!<&*_~+^]/;
const PLAIN = /(?:(?!https?:\/\/)[^\\`[\]!<&*_~+^])+/iy;
/** A bare web address. As on GitHub, `_` within it is no mark, and punctuation at its end does not belong to it. */
const ADDRESS = /https?:\/\/(?:(?!&[#\w]{1,32};)[^\s<>[\]\\`*])*[^\s<>[\]\\`*_~+^&.,:;!?'")]/iy;
const ESCAPE = /\\([!-/:-@[-`{-~\n])/y;
const AUTOLINK = /<([a-z][a-z\d+.-]{1,31}:[^\s<>]*|[\w.+-]+@[a-z\d-]+(?:\.[a-z\d-]+)+)>/iy;
const BREAK = /<br *\/?>/iy;
const TICKS = /`+/y;
const RUN = /\*+|_+|~+|\++|\^+/y;
const TARGET =
	/\(\s{0,9}(?:<((?:\\.|[^<>\\\n])*)>|((?!<)(?:\\(?:[^\s]|(?=\s))|[^\s()\\]|\((?:\\(?:[^\s]|(?=\s))|[^\s()\\]|\((?:\\[^\s]|[^\s()\\])*\))*\))*))(?:\s{1,9}(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\((?:\\.|[^()\\])*\)))?\s{0,9}\)/sy;
const LABEL = /\[((?:\\.|[^\\[\]]){0,999})\]/sy;
/** How far ahead to look for a target, in UTF-16 code units. */
const LONGEST_TARGET = 2 * LONGEST_ADDRESS;

/** Whose inline marks are read: those of CommonMark and GitHub, or also the service's `++` and `^^` (wire 3.5). */
export type Dialect = 'common' | 'service';

/** Reads the inline content of a paragraph (CommonMark 0.31, chapter 6) and appends it to a text, within marks. */
export function readInline(
	source: string,
	references: References,
	rich: RichText,
	marks: readonly Mark[],
	dialect: Dialect,
): void {
	if (!MARKED.test(source)) return rich.add(source, marks);
	const open = [marks];
	for (const { text, ends, begins = [] } of new InlineReader(source, references, dialect).read()) {
		open.length -= ends;
		rich.add(text, open.at(-1));
		for (const mark of begins.reverse()) open.push(within(open.at(-1) ?? [], mark));
	}
}

class InlineReader {
	private readonly pieces: Piece[] = [];
	private readonly brackets: Bracket[] = [];
	/** Number of brackets that enclose a link; they cannot become links, as links do not nest. */
	private aroundLink = 0;
	/** Delimiters that may still begin or end a mark. */
	private readonly delimiters: Delimiter[] = [];
	private readonly source: Scanner;
	/** Positions of backtick runs by their length, last position first. */
	private readonly ticks = new Map<number, number[]>();

	constructor(
		source: string,
		private readonly references: References,
		private readonly dialect: Dialect,
	) {
		this.source = new Scanner(source);
		for (const { 0: run, index } of [...source.matchAll(/`+/g)].reverse()) {
			const places = this.ticks.get(run.length);
			if (places) places.push(index);
			else this.ticks.set(run.length, [index]);
		}
	}

	read(): Piece[] {
		while (!this.source.isAtEnd) this.step();
		pair(this.delimiters);
		return this.pieces;
	}

	private step(): void {
		const { source } = this;
		switch (source.text.charAt(source.at)) {
			case '\\':
				this.add(source.take(ESCAPE)?.[1] ?? source.next());
				return;
			case '&':
				this.add(decodeEntities(source.take(ENTITY)?.[0] ?? source.next()));
				return;
			case '`':
				return this.code();
			case '<':
				return this.autolink();
			case '*':
			case '_':
			case '~':
			case '+':
			case '^':
				return this.delimiter();
			case '[':
				return this.bracket('[');
			case ']':
				return this.link();
			default:
				if (source.text.startsWith('![', source.at)) return this.bracket('![');
				this.add((source.take(PLAIN) ?? source.take(ADDRESS))?.[0] ?? source.next());
		}
	}

	private add(text: string, ends = 0, begins?: Mark[]): Piece {
		const piece: Piece = { text, ends, begins };
		this.pieces.push(piece);
		return piece;
	}

	private addMarked(text: string, mark: Mark): void {
		this.add('', 0, [mark]);
		this.add(text);
		this.add('', 1);
	}

	private code(): void {
		const { source } = this;
		const ticks = source.take(TICKS)?.[0] ?? '';
		const places = this.ticks.get(ticks.length) ?? [];
		while ((places.at(-1) ?? Infinity) < source.at) places.pop();
		const end = places.at(-1);
		if (end === undefined) {
			this.add(ticks);
			return;
		}
		const content = source.text.slice(source.at, end).replace(/\n/g, ' ');
		const isPadded = /^ .* $/.test(content) && content.trim() !== '';
		this.addMarked(isPadded ? content.slice(1, -1) : content, MARKS.code);
		source.at = end + ticks.length;
	}

	private autolink(): void {
		const address = this.source.take(AUTOLINK)?.[1];
		if (address === undefined) {
			this.add(this.source.take(BREAK) ? '\n' : this.source.next());
		} else {
			const href = address.includes(':') ? address : `mailto:${address}`;
			this.addMarked(address, { tag: 'a', href });
		}
	}

	private delimiter(): void {
		const { source, dialect } = this;
		const from = source.at;
		const piece = this.add(source.take(RUN)?.[0] ?? source.next());
		if (dialect === 'common' && /^[+^]/.test(piece.text)) return;
		const delimiter = delimiterOf(piece, source.text, from, source.at);
		if (delimiter) this.delimiters.push(delimiter);
	}

	private bracket(text: '[' | '!['): void {
		const from = (this.source.at += text.length);
		const outer = this.delimiters.length;
		this.brackets.push({ piece: this.add(text), from, isImage: text === '![', outer });
	}

	/** At a `]`: ends a link or an image, if there is an open bracket and a target or a known label follows. */
	private link(): void {
		const end = this.source.at++;
		const bracket = this.brackets.pop();
		const isInner = this.brackets.length < this.aroundLink;
		this.aroundLink = Math.min(this.aroundLink, this.brackets.length);
		const canLink = bracket && (bracket.isImage || !isInner);
		const address = canLink ? this.target(bracket, end) : undefined;
		if (!bracket || address === undefined) {
			this.add(']');
			return;
		}
		const { piece, isImage, from, outer } = bracket;
		const isNamed = end > from;
		const isLink = address !== '' && address.length <= LONGEST_ADDRESS;
		piece.text = '';
		if (isLink) piece.begins = [{ tag: 'a', href: address }];
		pair(this.delimiters.splice(outer));
		// Show the address for an image without a description, and for an address that cannot be linked.
		if (isImage && !isNamed) this.add(address);
		else if (!isLink && address !== '') this.add(` (${address})`);
		this.add('', isLink ? 1 : 0);
		if (!isImage) this.aroundLink = this.brackets.length;
	}

	private target({ from }: Bracket, end: number): string | undefined {
		const { source, references } = this;
		const isTarget = source.text.charAt(source.at) === '(';
		const target = isTarget ? source.takeWithin(TARGET, LONGEST_TARGET) : null;
		if (target) return unescapeMarkdown(target[1] ?? target[2] ?? '');
		if (references.isEmpty || end - from > 999) return undefined;
		const begin = source.at;
		const label = source.take(LABEL)?.[1];
		const address = references.addressOf(label || source.text.slice(from, end));
		if (address === undefined) source.at = begin;
		return address;
	}
}
