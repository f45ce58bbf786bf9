import { ENTITY, decodeEntities } from './entities';
import {
	LONGEST_ADDRESS,
	NO_MARKS,
	RichText,
	TAGS,
	withMark,
	type Mark,
	type MarkTag,
} from './rich';
import { Scanner } from './scanner';

/** The service's tags, and their synonyms (wire 3.5). */
const KNOWN: ReadonlyMap<string, MarkTag> = new Map<string, MarkTag>([
	...TAGS.map((tag): [string, MarkTag] => [tag, tag]),
	['strong', 'b'],
	['em', 'i'],
	['del', 's'],
	['ins', 'u'],
]);

const PLAIN = /[^<&]+/y;
const TAG = /<(\/?)([a-z][a-z0-9-]*)(?![a-z0-9-])((?:[^<>"']|"[^"]*"|'[^']*')*)>/iy;
const HREF = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))/i;

/** Longest tag, so that an unclosed quote does not cause a scan to the end of the text again and again. */
const LONGEST_TAG = 4096;

const ESCAPES: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

/** Makes text safe inside HTML, in content and in attributes. */
export const escapeHtml = (text: string): string =>
	text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);

/** Reads the service's HTML. Drops comments and tags without an effect; what only looks like a tag is text. */
export function readHtml(html: string): RichText {
	const rich = new RichText();
	const tags = new OpenTags();
	const source = new Scanner(html);
	const lastComment = html.lastIndexOf('-->');
	while (!source.isAtEnd) {
		const plain = source.take(PLAIN)?.[0];
		if (plain !== undefined) {
			rich.add(plain, tags.marks);
		} else if (html.startsWith('<!--', source.at) && lastComment >= source.at + 4) {
			source.at = html.indexOf('-->', source.at + 4) + 3;
		} else if (html.charAt(source.at) === '&') {
			rich.add(decodeEntities(source.take(ENTITY)?.[0] ?? source.next()), tags.marks);
		} else {
			const tag = source.takeWithin(TAG, LONGEST_TAG);
			if (tag) tags.apply(tag);
			else rich.add(source.next(), tags.marks);
		}
	}
	return rich;
}

/** The open tags at a place in the text. Each step takes amortized constant time. */
class OpenTags {
	marks = NO_MARKS;
	private readonly open: Array<{ name: string; outer: typeof NO_MARKS }> = [];
	private readonly counts = new Map<string, number>();

	apply([, slash, written = '', attributes = '']: RegExpExecArray): void {
		const name = written.toLowerCase();
		const tag = KNOWN.get(name);
		if (!tag) return;
		if (slash) return this.end(name);
		this.open.push({ name, outer: this.marks });
		this.count(name, 1);
		const mark = tag === 'a' ? anchorOf(attributes) : { tag };
		if (mark) this.marks = withMark(this.marks, mark);
	}

	/** Closes the innermost tag of this name and everything within it; does nothing if there is none. */
	private end(name: string): void {
		if (!this.counts.get(name)) return;
		for (let last = this.open.pop(); last; last = this.open.pop()) {
			this.marks = last.outer;
			this.count(last.name, -1);
			if (last.name === name) return;
		}
	}

	private count(name: string, more: 1 | -1): void {
		this.counts.set(name, (this.counts.get(name) ?? 0) + more);
	}
}

function anchorOf(attributes: string): Mark | undefined {
	const match = HREF.exec(attributes);
	const href = decodeEntities(match?.[1] ?? match?.[2] ?? match?.[3] ?? '').trim();
	return href !== '' && href.length <= LONGEST_ADDRESS ? { tag: 'a', href } : undefined;
}
