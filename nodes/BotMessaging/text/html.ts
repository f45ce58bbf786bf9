import { ENTITY, decodeEntities } from './entities';
import { LONGEST_ADDRESS, RichText, TAGS, type Mark, type MarkTag } from './rich';
import { Scanner } from './scanner';

/** The tags that the service knows, and others that it takes for the same (wire 3.5). */
const KNOWN: ReadonlyMap<string, MarkTag> = new Map<string, MarkTag>([
	...TAGS.map((tag): [string, MarkTag] => [tag, tag]),
	['strong', 'b'],
	['em', 'i'],
	['del', 's'],
	['ins', 'u'],
]);

const PLAIN = /[^<&]+/y;
const TAG = /<(\/?)([a-z][a-z0-9-]*)((?:[^<>"']|"[^"]*"|'[^']*')*)>/iy;
const HREF = /(?:^|\s)href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))/i;

/** A tag is not longer, so that a quote that nobody ends is not looked for to the end of the text again and again. */
const LONGEST_TAG = 4096;

/** Reads the service's HTML. Tags without an effect and comments disappear; what only looks like a tag is text. */
export function readHtml(html: string): RichText {
	const rich = new RichText();
	const source = new Scanner(html);
	const lastComment = html.lastIndexOf('-->');
	while (!source.isAtEnd) {
		const plain = source.take(PLAIN)?.[0];
		if (plain !== undefined) {
			rich.add(plain);
		} else if (html.startsWith('<!--', source.at) && lastComment >= source.at + 4) {
			source.at = html.indexOf('-->', source.at + 4) + 3;
		} else if (html.charAt(source.at) === '&') {
			rich.add(decodeEntities(source.take(ENTITY)?.[0] ?? source.next()));
		} else {
			const tag = source.takeWithin(TAG, LONGEST_TAG);
			if (tag) applyTag(rich, tag);
			else rich.add(source.next());
		}
	}
	return rich;
}

function applyTag(rich: RichText, [, slash, written = '', attributes = '']: RegExpExecArray): void {
	const name = written.toLowerCase();
	const tag = KNOWN.get(name);
	if (!tag) return;
	if (slash) rich.end(name);
	else rich.begin(name, tag === 'a' ? linkOf(attributes) : { tag });
}

function linkOf(attributes: string): Mark | undefined {
	const match = HREF.exec(attributes);
	const href = decodeEntities(match?.[1] ?? match?.[2] ?? match?.[3] ?? '').trim();
	return href !== '' && href.length <= LONGEST_ADDRESS ? { tag: 'a', href } : undefined;
}
