import { RichText, type Marks } from './rich';

type Side = 'left' | 'right' | 'center';

/** A table as written: the cells of each line, the first line being the head. No line has more cells than the head. */
export interface Table {
	rows: string[][];
	sides: Side[];
}

const DELIMITERS = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/;

/** The sides of a table's columns, if these lines are its head and the line below (GitHub Flavored Markdown, 4.10). */
export function alignmentsOf(head: string, delimiters: string): Side[] | undefined {
	if (!(head + delimiters).includes('|') || !DELIMITERS.test(delimiters)) return undefined;
	const sides = cellsOf(delimiters).map((cell): Side => {
		if (!cell.endsWith(':')) return 'left';
		return cell.startsWith(':') ? 'center' : 'right';
	});
	return cellsOf(head).length === sides.length ? sides : undefined;
}

/** The cells of a line, split at unescaped bars. */
export function cellsOf(line: string): string[] {
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
 * A table as lines of aligned monospaced text within marks, with a line below its head.
 *
 * @param cells its cells by row, as they are shown
 * @param spare how many characters of padding are allowed; a table that needs more is not aligned
 * @returns the text, and how many of these characters were used
 */
export function tableText(
	cells: RichText[][],
	sides: readonly Side[],
	marks: Marks,
	spare: number,
): { text: RichText; used: number } {
	const rows = cells.map((row) => row.map(({ runs, text }) => ({ runs, width: widthOf(text) })));
	const widths = sides.map(() => 1);
	// Row by row: a wide head over many short rows would have far more places than cells.
	for (const row of rows) {
		for (const [column, { width }] of row.entries()) {
			widths[column] = Math.max(widths[column] ?? 1, width);
		}
	}
	const total = widths.reduce((sum, width) => sum + width, 0);
	const written = rows.flat().reduce((sum, { width }) => sum + width, 0);
	const needed = total * (rows.length + 1) - written;
	const isAligned = needed <= spare;
	const line = widths.map((width) => '─'.repeat(isAligned ? width : 1)).join('─┼─');
	const text = new RichText();
	rows.forEach((row, index) => {
		text.add(index > 0 ? '\n' : '', marks);
		row.forEach(({ runs, width }, column) => {
			const room = isAligned ? (widths[column] ?? 0) - width : 0;
			const left = leftOf(sides[column], room);
			text.add((column > 0 ? ' │ ' : '') + ' '.repeat(left), marks);
			// A line break in a cell would tear its row apart.
			for (const run of runs) text.add(run.text.replace(/\n/g, ' '), run.marks);
			text.add(' '.repeat(column < row.length - 1 ? room - left : 0), marks);
		});
		text.add(index === 0 ? `\n${line}` : '', marks);
	});
	return { text, used: isAligned ? needed : 0 };
}

const leftOf = (side: Side | undefined, room: number): number =>
	side === 'right' ? room : side === 'center' ? Math.floor(room / 2) : 0;
