import type { References } from './references';
import { Lines } from './scanner';
import { cellsOf, alignmentsOf, type Table } from './table';

/** How the lines that begin blocks look (CommonMark, chapters 4 and 5). */
const BLANK = /^[ \t]*$/;
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+([^]*))?$/;
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/;
const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,99}|(?:-[ \t]*){3,99}|(?:_[ \t]*){3,99})$/;
const FENCE = /^( {0,3})(`{3,99}(?=[^`]*$)|~{3,99})/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^( {0,3})([-+*]|(\d{1,9})[.)])(?=[ \t]|$)( {1,4}(?! )|[ \t])?/;

/** A block of Markdown (CommonMark, chapters 4 and 5); its text is still in source form. */
export type Block =
	| { type: 'paragraph' | 'heading' | 'code'; text: string }
	| { type: 'quote'; blocks: Block[] }
	| { type: 'list'; first?: string; isLoose: boolean; items: Block[][] }
	| ({ type: 'table' } & Table)
	| { type: 'rule' };

/** Maximum nesting of quotes and lists; anything deeper is text. */
const DEEPEST = 12;

/** Reads lines into blocks (CommonMark, chapters 4 and 5). */
export class BlockReader {
	/** @param depth how many quotes and lists these lines are in */
	constructor(
		private readonly lines: Lines,
		private readonly references: References,
		private readonly depth = 0,
	) {}

	read(): Block[] {
		const blocks: Block[] = [];
		let paragraph: string[] = [];
		const endParagraph = (type: 'paragraph' | 'heading' = 'paragraph'): boolean => {
			const text = this.references.takeDefinitions(paragraph.join('\n'));
			paragraph = [];
			if (text !== '') blocks.push({ type, text });
			return text !== '';
		};
		while (!this.lines.isAtEnd) {
			const line = this.lines.next();
			const isHeading = UNDERLINE.test(line) && endParagraph('heading');
			const isEnd = isHeading || BLANK.test(line);
			const block = isEnd ? undefined : this.block(line, paragraph.length > 0);
			if (isEnd || block) endParagraph();
			else paragraph.push(trimLine(line));
			if (block) blocks.push(block);
		}
		endParagraph();
		return blocks;
	}

	/** The block that a line begins, read to its end; `undefined` if the line belongs to a paragraph. */
	private block(line: string, inParagraph: boolean): Block | undefined {
		if (this.lines.isIndented(line, 4)) return inParagraph ? undefined : this.indentedCode(line);
		const heading = HEADING.exec(line);
		if (heading) {
			const text = (heading[2] ?? '').trim().replace(/(?:^|[ \t])#+$/, '');
			return { type: 'heading', text: text.trim() };
		}
		if (FENCE.test(line)) return this.fencedCode(line);
		if (RULE.test(line)) return { type: 'rule' };
		if (this.depth < DEEPEST) {
			if (QUOTE.test(line)) return this.quote(line);
			if (startsItem(line, inParagraph)) return this.list(line);
		}
		return this.table(line);
	}

	private quote(first: string): Block {
		const inner = this.lines.take(
			(line, taken) => (QUOTE.test(line) ? line.replace(QUOTE, '') : continuation(line, taken)),
			[first.replace(QUOTE, '')],
		);
		return { type: 'quote', blocks: this.readInner(inner, this.lines.column + '> '.length) };
	}

	private list(first: string): Block {
		const [, , marker = '', number] = ITEM.exec(first) ?? [];
		const items = [this.item(first, marker)];
		while (isSibling(this.lines.ahead, marker)) items.push(this.item(this.lines.next(), marker));
		return {
			type: 'list',
			first: number,
			isLoose: isLoose(items.map(({ inner }) => inner)),
			items: items.map(({ inner, column }) => this.readInner(inner, column)),
		};
	}

	/** The lines of a list item that a line begins, and the column where they begin. */
	private item(first: string, marker: string): { inner: string[]; column: number } {
		const [whole = '', before = '', written = '', , gap = ' '] = ITEM.exec(first) ?? [];
		const width = before.length + written.length + gap.length;
		const { lines } = this;
		const inner = lines.take(
			(line, taken) => {
				if (BLANK.test(line)) return '';
				// An item begins with at most one blank line.
				const isOver = taken[0] === '' && taken[1] === '';
				if (!isOver && lines.isIndented(line, width)) return lines.withoutIndent(line, width);
				return isSibling(line, marker) ? undefined : continuation(line, taken);
			},
			[first.slice(whole.length)],
		);
		return { inner, column: lines.column + width };
	}

	private indentedCode(first: string): Block {
		const { lines } = this;
		const code = lines.take(
			(line) =>
				lines.isIndented(line, 4) || BLANK.test(line) ? lines.withoutIndent(line, 4) : undefined,
			[lines.withoutIndent(first, 4)],
		);
		while (BLANK.test(code.at(-1) ?? '')) code.pop();
		return { type: 'code', text: code.join('\n') };
	}

	private fencedCode(first: string): Block {
		const [, indent = '', fence = ''] = FENCE.exec(first) ?? [];
		const end = new RegExp(`^ {0,3}${fence.charAt(0)}{${fence.length},}[ \\t]*$`);
		const code = this.lines.take((line) =>
			end.test(line) ? undefined : this.lines.withoutIndent(line, indent.length),
		);
		this.lines.next();
		return { type: 'code', text: code.join('\n') };
	}

	private table(head: string): Block | undefined {
		const sides = alignmentsOf(head, this.lines.ahead);
		if (!sides) return undefined;
		this.lines.next();
		const lines = this.lines.take(
			(line) => (BLANK.test(line) || startsBlock(line) ? undefined : line),
			[head],
		);
		// Short rows are not filled up: many of them under a long head would grow far beyond what was written.
		const rows = lines.map((line) => cellsOf(line).slice(0, sides.length));
		return { type: 'table', rows, sides };
	}

	private readInner(lines: readonly string[], column: number): Block[] {
		return new BlockReader(new Lines(lines, column), this.references, this.depth + 1).read();
	}
}

/** Whether a line ends the block before, of which it has no mark, because another one begins. */
const startsBlock = (line: string): boolean =>
	[HEADING, FENCE, RULE, QUOTE, ITEM].some((mark) => mark.test(line));

/** The marker of the list item that a line begins, if it does. */
const itemOf = (line: string): RegExpExecArray | null => (RULE.test(line) ? null : ITEM.exec(line));

/** Whether a line begins a list item; within a paragraph it must have text, and a number must be 1. */
function startsItem(line: string, inParagraph: boolean): boolean {
	const item = itemOf(line);
	if (!item || !inParagraph) return item !== null;
	const isEmpty = BLANK.test(line.slice(item[0].length));
	return !isEmpty && (item[3] === undefined || Number(item[3]) === 1);
}

/** Whether a line begins an item of the list with this marker. */
const isSibling = (line: string, marker: string): boolean =>
	itemOf(line)?.[2]?.slice(-1) === marker.slice(-1);

/** Whether a blank line is between items, or between blocks of an item; `items` are the lines of each. */
function isLoose(items: string[][]): boolean {
	const lines = items.flatMap(([, ...others]) => ['item', ...others]);
	return lines.some((line, index) => lines[index - 1] === '' && /^[^ \t]/.test(line));
}

/** A line without their mark that continues the last paragraph of a quote or an item ("lazy continuation"). */
function continuation(line: string, inner: readonly string[]): string | undefined {
	const last = inner.at(-1) ?? '';
	const isParagraph = ![BLANK, HEADING, RULE, FENCE].some((mark) => mark.test(last));
	if (!isParagraph || BLANK.test(line) || startsBlock(line)) return undefined;
	// Only within the quote or the item, such a line would make a heading of the one before.
	if (UNDERLINE.test(line)) return `\\${line.trim()}`;
	// Other white space, such as a no-break space, ends the paragraph, but does not make a list loose.
	return trimLine(line) || ' ';
}

/** A trimmed line of a paragraph. A blank after a final backslash stays, as without it there would be a line break. */
const trimLine = (line: string): string => line.trim() + (/\\\s+$/.test(line) ? ' ' : '');
