/** The formatting that the service knows, as tags of its HTML (wire 3.5). */
export const TAGS = ['b', 'i', 's', 'u', 'code', 'pre', 'mark', 'blockquote', 'h1', 'a'] as const;

export type MarkTag = (typeof TAGS)[number];

/** A mark on a piece of text. Marks are compared by identity: two with the same tag are two marks. */
export interface Mark {
	tag: MarkTag;
	href?: string;
}

/** The marks of a piece of text, outermost first, at most one of each effect. */
export type Marks = readonly Mark[];

/** The longest address that a link can have (wire 3.5). */
export const LONGEST_ADDRESS = 2048;

/** `pre` and `code` have the same effect: monospaced letters. */
const effectOf = ({ tag }: Mark): MarkTag => (tag === 'pre' ? 'code' : tag);

export const NO_MARKS: Marks = [];

/** Adds a mark within others. One of the same effect adds nothing, so that the list stays short. */
export const withMark = (marks: Marks, mark: Mark): Marks =>
	marks.some((other) => effectOf(other) === effectOf(mark)) ? marks : [...marks, mark];

/** A text as the service takes it; without a format it is shown as is (wire 3.5). */
export interface TextPart {
	text: string;
	format?: 'html' | 'markdown';
}

/** A text with marks, built by appending. Positions count the UTF-16 code units that people see. */
export class RichText {
	readonly runs: Array<{ text: string; marks: Marks; start: number }> = [];
	private length = 0;

	/** A text without marks. */
	static of(text: string): RichText {
		const rich = new RichText();
		rich.add(text);
		return rich;
	}

	/** Adds text under marks. */
	add(text: string, marks = NO_MARKS): void {
		if (text === '') return;
		const last = this.runs.at(-1);
		if (last?.marks === marks) last.text += text;
		else this.runs.push({ text, marks, start: this.length });
		this.length += text.length;
	}

	append(other: RichText): void {
		for (const { text, marks } of other.runs) this.add(text, marks);
	}

	/** The same text without marks of these tags. */
	without(tags: readonly MarkTag[]): RichText {
		const other = new RichText();
		for (const { text, marks } of this.runs) {
			const kept = marks.filter(({ tag }) => !tags.includes(tag));
			other.add(text, kept);
		}
		return other;
	}

	/** The text between two positions, with its marks. */
	slice(from: number, to: number): RichText {
		const part = new RichText();
		for (let index = this.indexAt(from); ; index++) {
			const run = this.runs[index];
			if (!run || run.start >= to) return part;
			part.add(run.text.slice(Math.max(0, from - run.start), to - run.start), run.marks);
		}
	}

	/** The marks of the character at a position. */
	marksAt(at: number): Marks {
		return this.runs[this.indexAt(at)]?.marks ?? NO_MARKS;
	}

	get hasMarks(): boolean {
		return this.runs.some(({ marks }) => marks.length > 0);
	}

	/** The text without its marks, as people see it. */
	get text(): string {
		return this.runs.map(({ text }) => text).join('');
	}

	/** The text as the service takes it: as HTML if it has marks. */
	get part(): TextPart {
		return this.hasMarks ? { text: this.html, format: 'html' } : { text: this.text };
	}

	/** The text as the service's HTML. */
	get html(): string {
		let html = '';
		let open = NO_MARKS;
		for (const { text, marks } of [...this.runs, { text: '', marks: NO_MARKS }]) {
			html += tagsBetween(open, marks) + escapeText(text);
			open = marks;
		}
		return html;
	}

	/** The end of the longest text from a position on whose HTML has at most `limit` code units. */
	reach(from: number, limit: number): number {
		let length = 0;
		let open = NO_MARKS;
		for (const { text, marks, start } of this.slice(from, from + limit).runs) {
			length += tagsBetween(open, marks).length;
			open = marks;
			const room = limit - tagsBetween(marks, NO_MARKS).length;
			for (let at = 0; at < text.length; at++) {
				length += escapeText(text.charAt(at)).length;
				if (length > room) return from + start + at;
			}
		}
		return from + limit;
	}

	private indexAt(at: number): number {
		let first = 0;
		let last = this.runs.length - 1;
		while (first < last) {
			const middle = Math.ceil((first + last) / 2);
			if ((this.runs[middle]?.start ?? 0) <= at) first = middle;
			else last = middle - 1;
		}
		return first;
	}
}

/** Escapes no more than is needed, since HTML counts towards the length of a message. */
const escapeText = (text: string): string =>
	/[&<]/.test(text) ? text.replace(/&/g, '&amp;').replace(/</g, '&lt;') : text;

const opening = ({ tag, href }: Mark): string =>
	href === undefined ? `<${tag}>` : `<${tag} href="${escapeText(href).replace(/"/g, '&quot;')}">`;

const closing = ({ tag }: Mark): string => `</${tag}>`;

/** The tags between two pieces of text: closes the marks that end, opens those that begin. */
function tagsBetween(before: Marks, after: Marks): string {
	let kept = 0;
	while (kept < before.length && before[kept] === after[kept]) kept++;
	const closed = before.slice(kept).map(closing).reverse();
	return closed.concat(after.slice(kept).map(opening)).join('');
}
