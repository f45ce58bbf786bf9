import { ENTITY, entityOf, unescapeMarkdown } from './entities';
import { Delimiters, kindAt, kindBefore, MARKS, type Piece, type Place } from './emphasis';
import { LONGEST_ADDRESS, type Mark, type RichText } from './rich';

/** Where the links go that are written as `[text][label]`. */
export class References {
	private readonly addresses = new Map<string, string>();

	/** @param budget how many characters all addresses that are filled in may have: a label is short, an address long */
	constructor(private budget: number) {}

	define(label: string, address: string): void {
		const key = keyOf(label);
		if (!this.addresses.has(key)) this.addresses.set(key, address);
	}

	get isEmpty(): boolean {
		return this.addresses.size === 0;
	}

	addressOf(label: string): string | undefined {
		const address = this.addresses.get(keyOf(label));
		if (address !== undefined) this.budget -= address.length;
		return this.budget < 0 ? undefined : address;
	}
}

const keyOf = (label: string): string => label.trim().replace(/\s+/g, ' ').toLowerCase();

/** A `[` or `![` that may still begin a link. */
interface Bracket {
	piece: Piece;
	/** Where its text begins in the source. */
	from: number;
	isImage: boolean;
	place: Place;
}

const MARKED = /[\\`[\]!<&*_~]/;
const PLAIN = /[^\\`[\]!<&*_~]+/y;
const ESCAPE = /\\([!-/:-@[-`{-~\n])/y;
const AUTOLINK = /<([a-z][a-z\d+.-]{1,31}:[^\s<>]*|[\w.+-]+@[a-z\d-]+(?:\.[a-z\d-]+)+)>/iy;
const BREAK = /<br *\/?>/iy;
const TICKS = /`+/y;
const RUN = /\*+|_+|~+/y;
const TARGET =
	/\(\s{0,9}(?:<((?:\\.|[^<>\\\n])*)>|((?:\\(?:[^\s]|(?=\s))|[^\s()\\]|\((?:\\(?:[^\s]|(?=\s))|[^\s()\\]|\((?:\\[^\s]|[^\s()\\])*\))*\))*))(?:\s{1,9}(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\((?:\\.|[^()\\])*\)))?\s{0,9}\)/sy;
const LABEL = /\[((?:\\.|[^\\[\]]){0,999})\]/sy;
/** A target is not looked for any further. */
const LONGEST_TARGET = 2 * LONGEST_ADDRESS;

/** Reads the inside of a paragraph (CommonMark 0.31, chapter 6) and adds it to a text. */
export function readInline(source: string, rich: RichText, references: References): void {
	if (MARKED.test(source)) new InlineReader(source, references).read(rich);
	else rich.add(source);
}

class InlineReader {
	private pieces: Piece[] = [];
	private readonly brackets: Bracket[] = [];
	/** So many brackets lie around a link, which cannot lie in another one. */
	private aroundLink = 0;
	private readonly delimiters = new Delimiters();
	private at = 0;
	/** Where runs of backticks begin, by their length, the last first. */
	private readonly ticks = new Map<number, number[]>();

	constructor(
		private readonly source: string,
		private readonly references: References,
	) {
		for (const { 0: run, index } of [...source.matchAll(/`+/g)].reverse()) {
			const places = this.ticks.get(run.length);
			if (places) places.push(index);
			else this.ticks.set(run.length, [index]);
		}
	}

	read(rich: RichText): void {
		while (this.at < this.source.length) {
			this.step();
			if (this.brackets.length > 0) continue;
			this.delimiters.pair();
			if (this.delimiters.isEmpty) this.write(rich);
		}
		this.delimiters.pair();
		this.write(rich);
	}

	/** Adds the pieces so far to a text: nothing that comes changes them. */
	private write(rich: RichText): void {
		for (const { text, ends, begins } of this.pieces) {
			for (let i = 0; i < ends; i++) rich.end('inline');
			rich.add(text);
			for (const mark of begins?.reverse() ?? []) rich.begin('inline', mark);
		}
		this.pieces = [];
	}

	private step(): void {
		switch (this.source.charAt(this.at)) {
			case '\\':
				this.add(this.take(ESCAPE)?.[1] ?? this.next());
				return;
			case '&':
				return this.entity();
			case '`':
				return this.code();
			case '<':
				return this.autolink();
			case '*':
			case '_':
			case '~':
				return this.delimiter();
			case '[':
				return this.bracket('[');
			case ']':
				return this.link();
			default:
				if (this.source.startsWith('![', this.at)) return this.bracket('![');
				this.add(this.take(PLAIN)?.[0] ?? this.next());
		}
	}

	private take(pattern: RegExp): RegExpExecArray | null {
		pattern.lastIndex = this.at;
		const match = pattern.exec(this.source);
		if (match) this.at += match[0].length;
		return match;
	}

	private next(): string {
		return this.source.charAt(this.at++);
	}

	private add(text: string, ends = 0, begins?: Mark[]): Piece {
		const piece: Piece = { text, ends, begins };
		this.pieces.push(piece);
		return piece;
	}

	private entity(): void {
		const entity = this.take(ENTITY);
		this.add(entity ? entityOf(entity) : this.next());
	}

	private code(): void {
		const ticks = this.take(TICKS)?.[0] ?? '';
		const places = this.ticks.get(ticks.length) ?? [];
		while ((places.at(-1) ?? Infinity) < this.at) places.pop();
		const next = places.at(-1);
		if (next === undefined) {
			this.add(ticks);
			return;
		}
		const content = this.source.slice(this.at, next).replace(/\n/g, ' ');
		const isPadded = /^ .* $/.test(content) && content.trim() !== '';
		this.add('', 0, [MARKS.code]);
		this.add(isPadded ? content.slice(1, -1) : content);
		this.add('', 1);
		this.at = next + ticks.length;
	}

	private autolink(): void {
		const address = this.take(AUTOLINK)?.[1];
		if (address !== undefined) {
			const href = address.includes(':') ? address : `mailto:${address}`;
			this.add('', 0, [{ tag: 'a', href }]);
			this.add(address);
			this.add('', 1);
		} else {
			this.add(this.take(BREAK) ? '\n' : this.next());
		}
	}

	private delimiter(): void {
		const from = this.at;
		const text = this.take(RUN)?.[0] ?? this.next();
		this.delimiters.add(
			this.add(text),
			kindBefore(this.source, from),
			kindAt(this.source, this.at),
		);
	}

	private bracket(text: string): void {
		this.at += text.length;
		const isImage = text === '![';
		const piece = this.add(text);
		this.brackets.push({ piece, from: this.at, isImage, place: this.delimiters.place });
	}

	/** At a `]`: the end of a link, when a bracket was begun and a target or a known label follows. */
	private link(): void {
		const end = this.at++;
		const bracket = this.brackets.pop();
		const isInner = this.brackets.length < this.aroundLink;
		this.aroundLink = Math.min(this.aroundLink, this.brackets.length);
		const canLink = bracket && (bracket.isImage || !isInner);
		const address = canLink ? this.target(bracket, end) : undefined;
		if (!bracket || address === undefined) {
			this.add(']');
			return;
		}
		const { piece, isImage, from, place } = bracket;
		const isNamed = end > from;
		const isLink = address !== '' && address.length <= LONGEST_ADDRESS;
		piece.text = '';
		if (isLink) piece.begins = [{ tag: 'a', href: address }];
		this.delimiters.pairWithin(place);
		// An image without a description, and an address that no link can have, are shown as the address.
		if (isImage && !isNamed) this.add(address);
		else if (!isLink && address !== '') this.add(` (${address})`);
		this.add('', isLink ? 1 : 0);
		if (!isImage) this.aroundLink = this.brackets.length;
	}

	private target({ from }: Bracket, end: number): string | undefined {
		if (this.source.charAt(this.at) === '(') {
			TARGET.lastIndex = 0;
			const match = TARGET.exec(this.source.slice(this.at, this.at + LONGEST_TARGET));
			if (match) {
				this.at += match[0].length;
				return unescapeMarkdown(match[1] ?? match[2] ?? '');
			}
		}
		if (this.references.isEmpty || end - from > 999) return undefined;
		const begin = this.at;
		const label = this.take(LABEL)?.[1];
		const address = this.references.addressOf(label || this.source.slice(from, end));
		if (address === undefined) this.at = begin;
		return address;
	}
}
