import { decodeEntities, ENTITY, unescapeMarkdown } from './entities';
import { delimiterOf, pair, type Delimiter, type Piece } from './emphasis';
import type { References } from './references';
import { LONGEST_ADDRESS, RichText, withMark, type Mark, type Marks } from './rich';
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

const PLAIN = /(?:(?!https?:\/\/)[^\\`[\]!<&*_~+^])+/iy;
/** A bare web address. As on GitHub, `_` within it is no mark, and punctuation at its end does not belong to it. */
const ADDRESS = /https?:\/\/(?:(?!&[#\w]{1,32};)[^\s<>[\]\\`*])*[^\s<>[\]\\`*_~+^&.,:;!?'")]/iy;
const ESCAPE = /\\([!-/:-@[-`{-~\n])/y;
const AUTOLINK = /<([a-z][a-z\d+.-]{1,31}:[^\s<>]*|[\w.+-]+@[a-z\d-]+(?:\.[a-z\d-]+)+)>/iy;
const BREAK = /<br *\/?>/iy;
const TICKS = /`+/y;
const RUN = /\*+|_+|~+|\++|\^+/y;
const TARGET =
	/\(\s{0,9}(?:<((?:\\.|[^<>\\\n])*)>|((?!<)(?:\\(?:\S|(?=\s))|[^\s()\\]|\((?:\\\S|[^\s()\\]|\((?:\\\S|[^\s()\\])*\))*\))*))(?:\s{1,9}(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\((?:\\.|[^()\\])*\)))?\s{0,9}\)/sy;
const LABEL = /\[((?:\\.|[^\\[\]]){0,999})\]/sy;
/** How far ahead to look for a target, in UTF-16 code units. */
const LONGEST_TARGET = 2 * LONGEST_ADDRESS;

/** Whose inline marks are read: those of CommonMark and GitHub, or also the service's `++` and `^^` (wire 3.5). */
export type Dialect = 'common' | 'service';

/** What decides how inline content is read, besides itself. */
export interface Context {
	references: References;
	dialect: Dialect;
}

/** Reads the inline content of a paragraph (CommonMark 0.31, chapter 6), as a text within marks. */
export function readInline(source: string, marks: Marks, context: Context): RichText {
	const rich = new RichText();
	const open = [marks];
	for (const { text, ends, begins } of new InlineReader(source, context).read()) {
		open.length -= ends;
		rich.add(text, open.at(-1));
		for (const mark of begins.reverse()) open.push(withMark(open.at(-1) ?? [], mark));
	}
	return rich;
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

	/** What can stand at a place, in the order in which it is tried, and how it is read. */
	private readonly syntax: ReadonlyArray<[RegExp, (match: RegExpExecArray) => void]> = [
		[PLAIN, ([text]) => this.add(text)],
		[ADDRESS, ([text]) => this.add(text)],
		[ESCAPE, ([, character]) => this.add(character)],
		[ENTITY, ([entity]) => this.add(decodeEntities(entity))],
		[TICKS, ([ticks]) => this.code(ticks)],
		[AUTOLINK, ([, address]) => this.autolink(address)],
		[BREAK, () => this.add('\n')],
		[RUN, ([run]) => this.delimiter(run)],
		[/!?\[/y, ([text]) => this.bracket(text)],
		[/\]/y, () => this.link()],
		[/[^]/y, ([character]) => this.add(character)],
	];

	constructor(
		source: string,
		private readonly context: Context,
	) {
		this.source = new Scanner(source);
		for (const { 0: run, index } of [...source.matchAll(/`+/g)].reverse()) {
			const places = this.ticks.get(run.length);
			if (places) places.push(index);
			else this.ticks.set(run.length, [index]);
		}
	}

	read(): Piece[] {
		while (!this.source.isAtEnd) {
			for (const [pattern, read] of this.syntax) {
				const match = this.source.take(pattern);
				if (match) {
					read(match);
					break;
				}
			}
		}
		pair(this.delimiters);
		return this.pieces;
	}

	private add(text = '', ends = 0, ...begins: Mark[]): Piece {
		const piece: Piece = { text, ends, begins };
		this.pieces.push(piece);
		return piece;
	}

	private addMarked(text: string, mark: Mark): void {
		this.add('', 0, mark);
		this.add(text);
		this.add('', 1);
	}

	private code(ticks: string): void {
		const { source } = this;
		const places = this.ticks.get(ticks.length) ?? [];
		while ((places.at(-1) ?? Infinity) < source.at) places.pop();
		const end = places.at(-1);
		if (end === undefined) {
			this.add(ticks);
			return;
		}
		const content = source.text.slice(source.at, end).replace(/\n/g, ' ');
		const isPadded = /^ .* $/.test(content) && content.trim() !== '';
		this.addMarked(isPadded ? content.slice(1, -1) : content, { tag: 'code' });
		source.at = end + ticks.length;
	}

	private autolink(address = ''): void {
		const href = address.includes(':') ? address : `mailto:${address}`;
		this.addMarked(address, { tag: 'a', href });
	}

	private delimiter(run: string): void {
		const piece = this.add(run);
		if (this.context.dialect === 'common' && /^[+^]/.test(run)) return;
		const delimiter = delimiterOf(piece, this.source);
		if (delimiter) this.delimiters.push(delimiter);
	}

	private bracket(text: string): void {
		this.brackets.push({
			piece: this.add(text),
			from: this.source.at,
			isImage: text === '![',
			outer: this.delimiters.length,
		});
	}

	/** At a `]`: ends a link or an image, if there is an open bracket and a target or a known label follows. */
	private link(): void {
		const end = this.source.at - 1;
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
		if (isLink) piece.begins.push({ tag: 'a', href: address });
		pair(this.delimiters.splice(outer));
		// Show the address for an image without a description, and for an address that cannot be linked.
		if (isImage && !isNamed) this.add(address);
		else if (!isLink && address !== '') this.add(` (${address})`);
		this.add('', isLink ? 1 : 0);
		if (!isImage) this.aroundLink = this.brackets.length;
	}

	private target({ from }: Bracket, end: number): string | undefined {
		const { source, context } = this;
		const { references } = context;
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
