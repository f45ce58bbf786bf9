import { linkEffect, Pieces, type RenderedText } from './pieces';

const EFFECTS: Readonly<Record<string, string>> = {
	'**': 'strong',
	__: 'strong',
	'*': 'emphasized',
	_: 'emphasized',
	'~~': 'strikethrough',
	'++': 'underline',
	'^^': 'highlighted',
};

const PLAIN = /[^\n\\`[\]*_~+^]+/y;
const ESCAPE = /\\([!-/:-@[-`{-~])/y;
const TARGET = /\]\(((?:[^\s()]|\([^\s()]*\)){1,2048})\)/y;
const QUOTE = /> ?/y;
const HEADING = /# +(?=\S)/y;
const BLANK_LINE = /[ \t]*(?:\n|$)/y;
const LANGUAGE_LINE = /^[\w+#.-]*\n/;
const WORD = /[\p{L}\p{N}]/u;
const BLOCKS: ReadonlySet<string> = new Set(['quote', 'heading']);

const isSpace = (character: string) => character === '' || /\s/.test(character);
const isWord = (character: string) => WORD.test(character);

/** A run of backticks, and the position of the next run of the same length. */
interface Backticks {
	length: number;
	next?: number;
}

/** All runs of backticks by position. */
function backtickRuns(source: string): Map<number, Backticks> {
	const runs = new Map<number, Backticks>();
	const last = new Map<number, Backticks>();
	for (const { 0: run, index } of source.matchAll(/`+/g)) {
		const entry: Backticks = { length: run.length };
		const before = last.get(run.length);
		if (before) before.next = index;
		last.set(run.length, entry);
		runs.set(index, entry);
	}
	return runs;
}

/** One pass over a text. Blocks extend to the end of their lines, markers to the end of their paragraph. */
class MarkdownScanner {
	private readonly pieces = new Pieces();
	private readonly runs: Map<number, Backticks>;
	private at = 0;

	/** The action for each character that is not plain. */
	private readonly steps: Readonly<Record<string, () => void>> = {
		'\n': () => this.newLine(),
		'\\': () => this.add(this.take(ESCAPE)?.[1] ?? this.next(1)),
		'`': () => this.code(),
		'[': () => this.pieces.begin('[', this.next(1)),
		']': () => this.link(),
		'*': () => this.emphasis('*'),
		_: () => this.emphasis('_'),
		'~': () => this.pair('~~'),
		'+': () => this.pair('++'),
		'^': () => this.pair('^^'),
	};

	constructor(private readonly source: string) {
		this.runs = backtickRuns(source);
	}

	scan(): RenderedText {
		this.startLine();
		while (this.at < this.source.length) {
			const step = this.steps[this.source.charAt(this.at)];
			if (step) step();
			else this.add(this.take(PLAIN)?.[0] ?? this.next(1));
		}
		this.endBlock('heading');
		this.endBlock('quote');
		return this.pieces.result();
	}

	private add(text: string): void {
		this.pieces.add(text);
	}

	private next(count: number): string {
		this.at += count;
		return this.source.slice(this.at - count, this.at);
	}

	private take(expression: RegExp): RegExpExecArray | null {
		expression.lastIndex = this.at;
		const match = expression.exec(this.source);
		if (match) this.at += match[0].length;
		return match;
	}

	private looksAt(expression: RegExp): boolean {
		expression.lastIndex = this.at;
		return expression.test(this.source);
	}

	private endBlock(key: string): void {
		if (this.pieces.depth(key) >= 0) this.pieces.end(key);
	}

	private startBlock(type: string): void {
		this.pieces.endParagraph(BLOCKS);
		this.pieces.begin(type, '', { type });
	}

	private startLine(): void {
		if (this.take(QUOTE) && this.pieces.depth('quote') < 0) this.startBlock('quote');
		if (this.take(HEADING)) this.startBlock('heading');
	}

	private newLine(): void {
		this.endBlock('heading');
		this.at += 1;
		if (!this.looksAt(QUOTE)) this.endBlock('quote');
		if (this.looksAt(BLANK_LINE)) this.pieces.endParagraph(BLOCKS);
		this.add('\n');
		this.startLine();
	}

	/** Code in one or three backticks is literal. Three may span paragraphs and begin with a language's name. */
	private code(): void {
		const { length = 1, next } = this.runs.get(this.at) ?? {};
		const content = next === undefined ? '' : this.source.slice(this.at + length, next);
		const isCode = length === 3 || (length === 1 && !/\n[ \t]*\n/.test(content));
		if (next === undefined || !isCode) {
			this.add(this.next(length));
			return;
		}
		this.pieces.begin('code', '', { type: 'monospaced' });
		this.add(length === 3 ? content.replace(LANGUAGE_LINE, '').replace(/\n$/, '') : content);
		this.pieces.end('code');
		this.at = next + length;
	}

	/** A closing bracket: ends the text of a link if there is an open bracket before it and a target after it. */
	private link(): void {
		const isOpen = this.pieces.depth('[') >= 0;
		const target = isOpen ? this.take(TARGET)?.[1] : undefined;
		const effect = target === undefined ? undefined : linkEffect(target);
		if (effect) {
			this.pieces.end('[', effect);
			// Links do not nest.
			this.pieces.forget('[', 'all');
		} else {
			this.pieces.forget('[', 'innermost');
			this.add(target === undefined ? this.next(1) : `](${target})`);
		}
	}

	/** Whether the run between these positions may begin and may end an effect. */
	private sides(from: number, to: number): { begins: boolean; ends: boolean } {
		const before = this.source.charAt(from - 1);
		const after = this.source.charAt(to);
		// An underscore inside a word is part of the word.
		const isUnderscore = this.source.charAt(from) === '_';
		return {
			begins: !isSpace(after) && !(isUnderscore && isWord(before)),
			ends: !isSpace(before) && !(isUnderscore && isWord(after)),
		};
	}

	private runLength(character: string): number {
		let end = this.at;
		while (this.source.charAt(end) === character) end += 1;
		return end - this.at;
	}

	private pair(marker: string): void {
		const length = this.runLength(marker.charAt(0));
		const { begins, ends } = this.sides(this.at, this.at + length);
		const literal = this.next(length);
		if (length === 2 && ends && this.pieces.depth(marker) >= 0) this.endEffect(marker);
		else if (length === 2 && begins) this.pieces.begin(marker, literal);
		else this.add(literal);
	}

	/** Stars or underscores: one is emphasis, two are strong, three are both, more are just characters. */
	private emphasis(character: string): void {
		const length = this.runLength(character);
		const { begins, ends } = this.sides(this.at, this.at + length);
		this.at += length;
		let left = length > 3 ? 0 : length;
		if (left === 0) this.add(character.repeat(length));
		while (left > 0) {
			const ended = ends ? this.endingSize(character, left, begins) : 0;
			const size = ended > 0 ? ended : begins ? (left === 2 ? 2 : 1) : left;
			const marker = character.repeat(size);
			if (ended > 0) this.endEffect(marker);
			else if (begins) this.pieces.begin(marker, marker);
			else this.add(marker);
			left -= size;
		}
	}

	/** How many of the remaining characters end an open effect: one of the same size if any, otherwise the innermost. */
	private endingSize(character: string, left: number, begins: boolean): number {
		const single = this.pieces.depth(character);
		const double = left > 1 ? this.pieces.depth(character.repeat(2)) : -1;
		if (left === 2) return double >= 0 ? 2 : single >= 0 && !begins ? 1 : 0;
		if (single < 0 && double < 0) return 0;
		return double > single ? 2 : 1;
	}

	private endEffect(marker: string): void {
		const type = EFFECTS[marker];
		if (type !== undefined) this.pieces.end(marker, { type });
	}
}

/** Renders Markdown as the service does (the table of wire 3.5). */
export function scanMarkdown(source: string): RenderedText {
	return new MarkdownScanner(source).scan();
}
