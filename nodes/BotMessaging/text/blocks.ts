import type { References } from './references';
import { tableAt, type Table } from './table';

/** How the lines that begin blocks look (CommonMark, chapters 4 and 5). */
const BLANK = /^[ \t]*$/;
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+([^]*))?$/;
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/;
const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,99}|(?:-[ \t]*){3,99}|(?:_[ \t]*){3,99})$/;
const FENCE = /^( {0,3})(`{3,99}(?=[^`]*$)|~{3,99})/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^( {0,3})([-+*]|(\d{1,9})[.)])(?=[ \t]|$)( {1,4}(?! )| (?= {4})|\t)?/;

/** A block of Markdown (CommonMark, chapters 4 and 5); its text is still in source form. */
export type Block =
	| { type: 'paragraph' | 'heading' | 'code'; text: string }
	| { type: 'quote'; blocks: Block[] }
	| { type: 'list'; first?: number; isLoose: boolean; items: Block[][] }
	| { type: 'table'; table: Table }
	| { type: 'rule' };

/** Maximum nesting of quotes and lists; anything deeper is text. */
const DEEPEST = 12;

/** Reads lines into blocks (CommonMark, chapters 4 and 5). */
export class BlockReader {
	/**
	 * @param depth how many quotes and lists these lines are in
	 * @param column where in the source these lines begin, which decides how wide their tabs are
	 */
	constructor(
		private readonly references: References,
		private readonly depth = 0,
		private readonly column = 0,
	) {}

	read(lines: readonly string[]): Block[] {
		const blocks: Block[] = [];
		let paragraph: string[] = [];
		const endParagraph = (type: 'paragraph' | 'heading' = 'paragraph'): boolean => {
			const text = this.references.takeDefinitions(paragraph.join('\n'));
			paragraph = [];
			if (text !== '') blocks.push({ type, text });
			return text !== '';
		};
		for (let at = 0; at < lines.length;) {
			const line = lines[at] ?? '';
			const isHeading = paragraph.length > 0 && UNDERLINE.test(line) && endParagraph('heading');
			const isEnd = isHeading || BLANK.test(line);
			const found = isEnd ? undefined : this.block(lines, at, paragraph.length > 0);
			if (isEnd || found) endParagraph();
			else paragraph.push(trimLine(line));
			if (found) blocks.push(found.block);
			at = found?.to ?? at + 1;
		}
		endParagraph();
		return blocks;
	}

	/** The block that begins at a line, and the line after it; `undefined` if the line belongs to a paragraph. */
	private block(
		lines: readonly string[],
		at: number,
		inParagraph: boolean,
	): { block: Block; to: number } | undefined {
		const line = lines[at] ?? '';
		if (this.isIndented(line)) return inParagraph ? undefined : this.indentedCode(lines, at);
		const heading = HEADING.exec(line);
		if (heading) {
			const text = (heading[2] ?? '')
				.trim()
				.replace(/(?:^|[ \t])#+$/, '')
				.trim();
			return { block: { type: 'heading', text }, to: at + 1 };
		}
		if (FENCE.test(line)) return this.fencedCode(lines, at);
		if (RULE.test(line)) return { block: { type: 'rule' }, to: at + 1 };
		if (this.depth < DEEPEST) {
			if (QUOTE.test(line)) return this.quote(lines, at);
			if (startsItem(line, inParagraph)) return this.list(lines, at);
		}
		const end = (next: string): boolean => BLANK.test(next) || startsBlock(next);
		const found = tableAt(lines, at, end);
		return found && { block: { type: 'table', table: found.table }, to: found.to };
	}

	private quote(lines: readonly string[], at: number) {
		const inner: string[] = [];
		let to = at;
		for (; to < lines.length; to++) {
			const line = lines[to] ?? '';
			if (QUOTE.test(line)) inner.push(line.replace(QUOTE, ''));
			else if (isLazy(line, inner)) inner.push(trimLine(line));
			else break;
		}
		const blocks = this.readInner(inner, this.column + '> '.length);
		return { block: { type: 'quote', blocks } as const, to };
	}

	private list(lines: readonly string[], at: number) {
		const [, , marker = '', first] = ITEM.exec(lines[at] ?? '') ?? [];
		const items: Array<{ column: number; inner: string[] }> = [];
		let width = 0;
		let isLoose = false;
		let wasBlank = false;
		let to = at;
		for (; to < lines.length; to++) {
			const line = lines[to] ?? '';
			const item = items.at(-1)?.inner;
			if (BLANK.test(line)) {
				// An item begins with at most one blank line, so this one has ended.
				if (item?.length === 1 && item[0] === '') width = Infinity;
				wasBlank = true;
				item?.push('');
				continue;
			}
			const indent = this.indentOf(line, Infinity).width;
			if (item && indent >= width) {
				isLoose ||= wasBlank && indent === width;
				item.push(this.withoutIndent(line, width));
			} else if (isSibling(line, marker)) {
				isLoose ||= wasBlank && items.length > 0;
				const [whole = '', before = '', written = '', , gap = ' '] = ITEM.exec(line) ?? [];
				width = before.length + written.length + gap.replace('\t', ' ').length;
				items.push({ column: this.column + width, inner: [line.slice(whole.length)] });
			} else if (item && !wasBlank && isLazy(line, item)) {
				item.push(trimLine(line));
			} else break;
			wasBlank = false;
		}
		while (to > at && BLANK.test(lines[to - 1] ?? '')) to--;
		const blocks = items.map(({ column, inner }) => this.readInner(inner, column));
		const number = first === undefined ? undefined : Number(first);
		return { block: { type: 'list', first: number, isLoose, items: blocks } as const, to };
	}

	private indentedCode(lines: readonly string[], at: number) {
		let to = at;
		while (to < lines.length && (this.isIndented(lines[to] ?? '') || BLANK.test(lines[to] ?? '')))
			to++;
		while (BLANK.test(lines[to - 1] ?? '')) to--;
		const code = lines.slice(at, to).map((line) => this.withoutIndent(line, 4));
		return { block: { type: 'code', text: code.join('\n') } as const, to };
	}

	private fencedCode(lines: readonly string[], at: number) {
		const [, indent = '', fence = ''] = FENCE.exec(lines[at] ?? '') ?? [];
		const end = new RegExp(`^ {0,3}${fence.charAt(0)}{${fence.length},}[ \\t]*$`);
		let to = at + 1;
		const code: string[] = [];
		for (; to < lines.length && !end.test(lines[to] ?? ''); to++) {
			code.push(this.withoutIndent(lines[to] ?? '', indent.length));
		}
		return { block: { type: 'code', text: code.join('\n') } as const, to: to + 1 };
	}

	private readInner(lines: readonly string[], column: number): Block[] {
		return new BlockReader(this.references, this.depth + 1, column).read(lines);
	}

	private isIndented(line: string): boolean {
		return this.indentOf(line, 4).width >= 4;
	}

	/** A line with its indent reduced by so many columns. */
	private withoutIndent(line: string, columns: number): string {
		const { length, width } = this.indentOf(line, columns);
		return ' '.repeat(Math.max(0, width - columns)) + line.slice(length);
	}

	/** How many blanks a line begins with, and how wide they are in columns; only as many as fill `enough` columns. */
	private indentOf(line: string, enough: number): Record<'length' | 'width', number> {
		let length = 0;
		let width = 0;
		for (; width < enough && /[ \t]/.test(line.charAt(length)); length++) {
			width += line.charAt(length) === '\t' ? 4 - ((this.column + width) % 4) : 1;
		}
		return { length, width };
	}
}

/** Whether a line ends a paragraph because another block begins. */
const startsBlock = (line: string): boolean =>
	[HEADING, FENCE, RULE, QUOTE].some((mark) => mark.test(line)) || startsItem(line, true);

/** Whether a line begins a list item; within a paragraph it must have text, and a number must be 1. */
function startsItem(line: string, inParagraph: boolean): boolean {
	const item = ITEM.exec(line);
	if (!item || RULE.test(line)) return false;
	const isEmpty = BLANK.test(line.slice(item[0].length));
	return !inParagraph || (!isEmpty && (item[3] === undefined || Number(item[3]) === 1));
}

/** Whether a line begins an item of the list with this marker. */
function isSibling(line: string, marker: string): boolean {
	const other = ITEM.exec(line)?.[2];
	return other !== undefined && other.slice(-1) === marker.slice(-1) && !RULE.test(line);
}

/** Whether a line without their mark continues the last paragraph of a quote or an item ("lazy continuation"). */
function isLazy(line: string, inner: readonly string[]): boolean {
	const last = inner.at(-1) ?? '';
	return (
		![BLANK, HEADING, RULE, FENCE].some((mark) => mark.test(last)) &&
		!BLANK.test(line) &&
		!startsBlock(line)
	);
}

/** A trimmed line of a paragraph. A blank after a final backslash stays, as without it there would be a line break. */
const trimLine = (line: string): string => line.trim() + (/\\[ \t]+$/.test(line) ? ' ' : '');
