/** Lines that are read one after the other. */
export class Lines {
	/** Index of the next line. */
	private at = 0;

	/** @param column where in the source these lines begin, which decides how wide their tabs are */
	constructor(
		private readonly lines: readonly string[],
		readonly column = 0,
	) {}

	get isAtEnd(): boolean {
		return this.at >= this.lines.length;
	}

	/** The next line, which is not taken yet; empty at the end. */
	get ahead(): string {
		return this.lines[this.at] ?? '';
	}

	/** Takes the next line. */
	next(): string {
		return this.lines[this.at++] ?? '';
	}

	/**
	 * Takes lines up to the first that does not belong.
	 *
	 * @param read the line as it is within the block; `undefined` if it does not belong
	 * @param taken the lines before
	 */
	take(
		read: (line: string, taken: string[]) => string | undefined,
		taken: string[] = [],
	): string[] {
		for (; !this.isAtEnd; this.at++) {
			const inner = read(this.ahead, taken);
			if (inner === undefined) break;
			taken.push(inner);
		}
		return taken;
	}

	isIndented(line: string, columns: number): boolean {
		return this.indentOf(line, columns).width >= columns;
	}

	/** A line with its indent reduced by so many columns. */
	withoutIndent(line: string, columns: number): string {
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
