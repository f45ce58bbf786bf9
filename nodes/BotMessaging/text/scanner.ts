/** A text that is read by patterns, piece by piece. */
export class Scanner {
	at = 0;

	constructor(readonly text: string) {}

	get isAtEnd(): boolean {
		return this.at >= this.text.length;
	}

	/** Whether a sticky pattern matches here. */
	sees(pattern: RegExp): boolean {
		pattern.lastIndex = this.at;
		return pattern.test(this.text);
	}

	/** Consumes what a sticky pattern matches here; `null` if it does not match. */
	take(pattern: RegExp): RegExpExecArray | null {
		pattern.lastIndex = this.at;
		const match = pattern.exec(this.text);
		this.at += match?.[0].length ?? 0;
		return match;
	}

	/** Like `take`, but looks at most `length` code units ahead, for patterns that may search in vain for an end. */
	takeWithin(pattern: RegExp, length: number): RegExpExecArray | null {
		const here = new Scanner(this.text.slice(this.at, this.at + length));
		const match = here.take(pattern);
		this.at += here.at;
		return match;
	}

	/** Consumes one UTF-16 code unit. */
	next(): string {
		return this.text.charAt(this.at++);
	}
}

/** Lines that are read one after the other. */
export class Lines {
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

	next(): string {
		return this.lines[this.at++] ?? '';
	}

	/** Takes lines up to the first that does not belong, for which `read` gives `undefined`; adds them to `taken`. */
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
