import { readInline, type Dialect } from './inline';
import type { References } from './references';
import { RichText, type Mark } from './rich';

type Side = 'left' | 'right' | 'center';

/** A table as written: the cells of each line, the first line being the head. */
export interface Table {
	rows: string[][];
	sides: Side[];
}

const DELIMITERS = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/;

/**
 * The table that begins at a line (GitHub Flavored Markdown, 4.10), and the line after it; `undefined` if there is none.
 * Its rows end where `isEnd` says so.
 */
export function tableAt(
	lines: readonly string[],
	at: number,
	isEnd: (line: string) => boolean,
): { table: Table; to: number } | undefined {
	const [head = '', delimiters = ''] = lines.slice(at, at + 2);
	if (!delimiters.includes('-') || !(head + delimiters).includes('|')) return undefined;
	if (!DELIMITERS.test(delimiters)) return undefined;
	const sides = cellsOf(delimiters).map((cell): Side => {
		if (!cell.endsWith(':')) return 'left';
		return cell.startsWith(':') ? 'center' : 'right';
	});
	const rows = [cellsOf(head)];
	if (rows[0]?.length !== sides.length) return undefined;
	let to = at + 2;
	for (; to < lines.length && !isEnd(lines[to] ?? ''); to++) rows.push(cellsOf(lines[to] ?? ''));
	return { table: { rows, sides }, to };
}

/** The cells of a line, split at unescaped bars. */
function cellsOf(line: string): string[] {
	const inner = line.trim().replace(/^\|/, '');
	const cells = [''];
	for (const piece of inner.match(/\\\||\||[^|\\]+|\\/g) ?? []) {
		if (piece === '|') cells.push('');
		else cells[cells.length - 1] += piece === '\\|' ? '|' : piece;
	}
	if (inner.endsWith('|') && !inner.endsWith('\\|')) cells.pop();
	return cells.map((cell) => cell.trim());
}

const CHARACTERS = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
/** Emoji, but no symbols such as ★ and ©, and the letters of East Asia. */
const WIDE =
	/\p{Emoji_Presentation}|\ufe0f|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f300}-\u{1faff}]/u;

/** Width of a text in columns of a monospaced font. */
function widthOf(text: string): number {
	if (/^[\x20-\x7e]*$/.test(text)) return text.length;
	let width = 0;
	for (const { segment } of CHARACTERS.segment(text)) width += WIDE.test(segment) ? 2 : 1;
	return width;
}

/**
 * Appends a table as lines of aligned monospaced text, with a line below its head.
 *
 * @param spare how many characters of padding are allowed; a table that needs more is not aligned
 * @returns how many were used
 */
export function addTable(
	rich: RichText,
	table: Table,
	references: References,
	{ spare, marks, dialect }: { spare: number; marks: readonly Mark[]; dialect: Dialect },
): number {
	// Short rows are not filled up: many of them under a long head would grow far beyond what was written.
	const rows = table.rows.map((row) =>
		row.slice(0, table.sides.length).map((cell) => {
			const text = new RichText();
			readInline(cell, references, text, marks, dialect);
			return { runs: text.runs, width: widthOf(text.text) };
		}),
	);
	const widths = table.sides.map(() => 1);
	for (const row of rows) {
		row.forEach(({ width }, column) => (widths[column] = Math.max(widths[column] ?? 1, width)));
	}
	const total = widths.reduce((sum, width) => sum + width, 0);
	const written = rows.flat().reduce((sum, { width }) => sum + width, 0);
	const needed = total * (rows.length + 1) - written;
	const isAligned = needed <= spare;
	const add = (text: string) => rich.add(text, marks);
	rows.forEach((row, index) => {
		if (index > 0) add('\n');
		row.forEach(({ runs, width }, column) => {
			if (column > 0) add(' │ ');
			const room = isAligned ? (widths[column] ?? 0) - width : 0;
			const left = leftOf(table.sides[column], room);
			add(' '.repeat(left));
			// A line break in a cell would tear its row apart.
			for (const run of runs) rich.add(run.text.replace(/\n/g, ' '), run.marks);
			if (column < row.length - 1) add(' '.repeat(room - left));
		});
		if (index === 0) {
			add(`\n${widths.map((width) => '─'.repeat(isAligned ? width : 1)).join('─┼─')}`);
		}
	});
	return isAligned ? needed : 0;
}

const leftOf = (side: Side | undefined, room: number): number =>
	side === 'right' ? room : side === 'center' ? Math.floor(room / 2) : 0;
