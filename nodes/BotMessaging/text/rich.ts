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

/** What is not marked. */
export const NO_MARKS: readonly Mark[] = [];

/**
 * Marks and one more within them. A mark within another of the same effect adds nothing, so that what is open at one
 * place stays small however deep a text nests.
 */
export const within = (marks: readonly Mark[], mark: Mark): readonly Mark[] =>
	marks.some((other) => effectOf(other) === effectOf(mark)) ? marks : [...marks, mark];

/** A text with marks, to which more is added at its end. */
export class RichText {
	readonly runs: Run[] = [];

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
		else this.runs.push({ text, marks });
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
