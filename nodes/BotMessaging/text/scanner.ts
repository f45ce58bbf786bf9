/** A text that is read from its front. */
export class Scanner {
	/** Where reading goes on. */
	at = 0;

	constructor(readonly text: string) {}

	get isAtEnd(): boolean {
		return this.at >= this.text.length;
	}

	/** Whether a sticky pattern fits here. */
	sees(pattern: RegExp): boolean {
		pattern.lastIndex = this.at;
		return pattern.test(this.text);
	}

	/** Reads what a sticky pattern fits here; `null` when it does not. */
	take(pattern: RegExp): RegExpExecArray | null {
		pattern.lastIndex = this.at;
		const match = pattern.exec(this.text);
		this.at += match?.[0].length ?? 0;
		return match;
	}

	/** The same, with no look at what lies further than so many characters: a pattern may look for an end in vain. */
	takeWithin(pattern: RegExp, length: number): RegExpExecArray | null {
		const here = new Scanner(this.text.slice(this.at, this.at + length));
		const match = here.take(pattern);
		this.at += here.at;
		return match;
	}

	/** Reads one character. */
	next(): string {
		return this.text.charAt(this.at++);
	}
}
