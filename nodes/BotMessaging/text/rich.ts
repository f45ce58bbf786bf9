/** The formatting that the service knows, as tags of its HTML (wire 3.5). */
export const TAGS = ['b', 'i', 's', 'u', 'code', 'pre', 'mark', 'blockquote', 'h1', 'a'] as const;

export type MarkTag = (typeof TAGS)[number];

/** A mark on a piece of text. Marks are compared by identity: two with the same tag are two marks. */
export interface Mark {
	tag: MarkTag;
	href?: string;
}

/** A piece of text and its marks, outermost first, at most one of each effect. */
export interface Run {
	text: string;
	marks: readonly Mark[];
}

/** The longest address that a link can have (wire 3.5). */
export const LONGEST_ADDRESS = 2048;

/** `pre` and `code` have the same effect: monospaced letters. */
const effectOf = ({ tag }: Mark): MarkTag => (tag === 'pre' ? 'code' : tag);

export const NO_MARKS: readonly Mark[] = [];

/**
 * Adds a mark within others. A mark within another of the same effect adds nothing, so that the list stays short
 * however deeply a text nests.
 */
export const within = (marks: readonly Mark[], mark: Mark): readonly Mark[] =>
	marks.some((other) => effectOf(other) === effectOf(mark)) ? marks : [...marks, mark];

/** A text with marks, built by appending. */
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

	/** The same text without marks of these tags. */
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

	/** The text without its marks, as people see it. */
	get text(): string {
		let all = '';
		for (const { text } of this.runs) all += text;
		return all;
	}
}

/** Length of a character in HTML, in UTF-16 code units. */
export const escapedLength = (character: string): number =>
	character === '&' ? 5 : character === '<' ? 4 : 1;

const escapeText = (text: string): string =>
	/[&<]/.test(text) ? text.replace(/&/g, '&amp;').replace(/</g, '&lt;') : text;

const opening = ({ tag, href }: Mark): string =>
	href === undefined ? `<${tag}>` : `<${tag} href="${escapeText(href).replace(/"/g, '&quot;')}">`;

export const closing = ({ tag }: Mark): string => `</${tag}>`;

/** The tags between two pieces of text: closes the marks that end, opens those that begin. */
export function tagsBetween(before: readonly Mark[], after: readonly Mark[]): string {
	let kept = 0;
	while (kept < before.length && before[kept] === after[kept]) kept++;
	const closed = before.slice(kept).reduceRight((tags, mark) => tags + closing(mark), '');
	return after.slice(kept).reduce((tags, mark) => tags + opening(mark), closed);
}

/** Runs as the service's HTML. Closes all open tags at the end. */
export function htmlOf(runs: Iterable<Run>): string {
	let html = '';
	let open: readonly Mark[] = [];
	for (const { text, marks } of runs) {
		html += tagsBetween(open, marks) + escapeText(text);
		open = marks;
	}
	return html + tagsBetween(open, []);
}
