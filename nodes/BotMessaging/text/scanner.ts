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
