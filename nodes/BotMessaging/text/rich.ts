/** What the service can do to a text, by the tag of its HTML that says so (wire 3.5). */
export const TAGS = ['b', 'i', 's', 'u', 'code', 'pre', 'mark', 'blockquote', 'h1', 'a'] as const;

export type MarkTag = (typeof TAGS)[number];

/** One mark around a piece of text; two marks of the same tag are the same one only by identity. */
export interface Mark {
	tag: MarkTag;
	/** Of a link: where it leads. */
	href?: string;
}

/** A piece of text and the marks on it, the outer first, at most one of each effect. */
export interface Run {
	text: string;
	marks: readonly Mark[];
}

/** The longest address that a link can have (wire 3.5). */
export const LONGEST_ADDRESS = 2048;

/** Two tags make letters of one width. */
const effectOf = ({ tag }: Mark): MarkTag => (tag === 'pre' ? 'code' : tag);

const NO_MARKS: readonly Mark[] = [];

/**
 * A text with marks under construction. A mark within another of the same effect adds nothing, so that what is open at
 * one place stays small however deep a text nests. Every step takes constant time.
 */
export class RichText {
	readonly runs: Run[] = [];
	private marks = NO_MARKS;
	private lastBegun?: Record<'outer' | 'marks', readonly Mark[]>;
	// Each cell of a table is a text, and most of them never have a mark.
	private open?: Array<{ key: string; before: readonly Mark[] }>;
	private depths?: Map<string, number>;

	/** A text without marks. */
	static of(text: string): RichText {
		const rich = new RichText();
		rich.add(text);
		return rich;
	}

	/** Adds text under the marks that are open. */
	add(text: string): void {
		if (text === '') return;
		const last = this.runs.at(-1);
		if (last?.marks === this.marks) last.text += text;
		else this.runs.push({ text, marks: this.marks });
	}

	/** Begins something that `end` can name by its key, with a mark or without any effect. */
	begin(key: string, mark?: Mark): void {
		this.open ??= [];
		this.depths ??= new Map();
		this.open.push({ key, before: this.marks });
		this.depths.set(key, (this.depths.get(key) ?? 0) + 1);
		const isNew = mark && !this.marks.some((other) => effectOf(other) === effectOf(mark));
		if (isNew) this.marks = this.with(mark);
	}

	/** The open marks and one more. The same ones again are the same list: a long text has very many of them. */
	private with(mark: Mark): readonly Mark[] {
		const last = this.lastBegun;
		if (last?.outer === this.marks && last.marks.at(-1) === mark) return last.marks;
		const marks = [...this.marks, mark];
		this.lastBegun = { outer: this.marks, marks };
		return marks;
	}

	/** Ends the innermost of what began with this key, and everything within it; nothing when there is none. */
	end(key: string): void {
		while ((this.depths?.get(key) ?? 0) > 0) {
			const last = this.open?.pop();
			if (!last) return;
			this.marks = last.before;
			this.depths?.set(last.key, (this.depths.get(last.key) ?? 1) - 1);
			if (last.key === key) return;
		}
	}

	/** Adds all of another text within the marks that are open here. */
	append(other: RichText): void {
		for (const { text, marks } of other.runs) {
			marks.forEach((mark, depth) => this.begin(`appended ${depth}`, mark));
			this.add(text);
			this.end('appended 0');
		}
	}

	/** The same text without its marks of these tags. */
	without(tags: readonly MarkTag[]): RichText {
		const other = new RichText();
		for (const { text, marks } of this.runs) {
			other.runs.push({ text, marks: marks.filter(({ tag }) => !tags.includes(tag)) });
		}
		return other;
	}

	get hasMarks(): boolean {
		return this.runs.some(({ marks }) => marks.length > 0);
	}

	/** The text without its marks: what people see. */
	get text(): string {
		let all = '';
		for (const { text } of this.runs) all += text;
		return all;
	}
}

/** How long a text is in HTML, character by character. */
export const escapedLength = (character: string): number =>
	character === '&' ? 5 : character === '<' ? 4 : 1;

const escapeText = (text: string): string =>
	/[&<]/.test(text) ? text.replace(/&/g, '&amp;').replace(/</g, '&lt;') : text;

const opening = ({ tag, href }: Mark): string =>
	href === undefined ? `<${tag}>` : `<${tag} href="${escapeText(href).replace(/"/g, '&quot;')}">`;

export const closing = ({ tag }: Mark): string => `</${tag}>`;

/** The tags that lead from one piece of text to the next: what ends is closed, what begins is opened. */
export function tagsBetween(before: readonly Mark[], after: readonly Mark[]): string {
	if (before === after) return '';
	let kept = 0;
	while (kept < before.length && before[kept] === after[kept]) kept++;
	const closed = before.slice(kept).reduceRight((tags, mark) => tags + closing(mark), '');
	return after.slice(kept).reduce((tags, mark) => tags + opening(mark), closed);
}

/** Runs as the service's HTML. All that is open is closed at the end. */
export function htmlOf(runs: Iterable<Run>): string {
	let html = '';
	let open: readonly Mark[] = [];
	for (const { text, marks } of runs) {
		html += tagsBetween(open, marks) + escapeText(text);
		open = marks;
	}
	return html + tagsBetween(open, []);
}
