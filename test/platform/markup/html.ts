import { type Effect, linkEffect, MarkedText, type RenderedText } from './markedText';

const EFFECTS: Readonly<Record<string, string>> = {
	b: 'strong',
	strong: 'strong',
	i: 'emphasized',
	em: 'emphasized',
	s: 'strikethrough',
	del: 'strikethrough',
	u: 'underline',
	ins: 'underline',
	code: 'monospaced',
	pre: 'monospaced',
	mark: 'highlighted',
	blockquote: 'quote',
	h1: 'heading',
};

const ENTITIES: Readonly<Record<string, string>> = {
	amp: '&',
	lt: '<',
	gt: '>',
	quot: '"',
	apos: "'",
	nbsp: '\u00a0',
	copy: '©',
	reg: '®',
	trade: '™',
	laquo: '«',
	raquo: '»',
	ndash: '–',
	mdash: '—',
	hellip: '…',
	bull: '•',
	euro: '€',
};

const PLAIN = /[^<&]+/y;
const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/iy;
const TAG = /<(\/?)([a-z][a-z0-9-]*)((?:[^<>"']|"[^"]*"|'[^']*')*)>/iy;
const HREF = /(?:^|\s)href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))/i;
/** Longest tag. The bound keeps the time linear if quotes stay open. */
const LONGEST_TAG = 4_096;

/** The match of a sticky expression at exactly this position. */
function matchAt(expression: RegExp, text: string, at: number): RegExpExecArray | null {
	expression.lastIndex = at;
	return expression.exec(text);
}

/** The character of an entity, or the entity itself if it is unknown. */
function decodeEntity([whole, decimal, hexadecimal, name]: RegExpExecArray): string {
	if (name !== undefined) return ENTITIES[name] ?? whole;
	const point = decimal === undefined ? parseInt(hexadecimal ?? '', 16) : parseInt(decimal, 10);
	const isCharacter = point > 0 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
	return isCharacter ? String.fromCodePoint(point) : whole;
}

function decode(text: string): string {
	return text.replace(/&[^&;]{1,9};/g, (entity) => {
		const match = matchAt(ENTITY, entity, 0);
		return match ? decodeEntity(match) : entity;
	});
}

function effectOf(name: string, attributes: string): Effect | undefined {
	if (name === 'a') {
		const href = HREF.exec(attributes);
		const url = href?.[1] ?? href?.[2] ?? href?.[3];
		return url === undefined ? undefined : linkEffect(decode(url.trim()));
	}
	const type = EFFECTS[name];
	return type === undefined ? undefined : { type };
}

/** Applies one tag. An end tag also ends what is still open inside; without a start tag, it does nothing. */
function applyTag(
	marked: MarkedText,
	open: string[],
	[, slash, tag, attributes]: RegExpExecArray,
): void {
	const name = (tag ?? '').toLowerCase();
	if (!Object.hasOwn(EFFECTS, name) && name !== 'a') return;
	if (!slash) {
		open.push(name);
		marked.begin(effectOf(name, attributes ?? ''));
	} else if (open.includes(name)) {
		do marked.end();
		while (open.pop() !== name);
	}
}

/** Renders HTML as the service does: known tags have an effect, all tags and comments disappear. */
export function renderHtml(source: string): RenderedText {
	const marked = new MarkedText();
	const open: string[] = [];
	const lastCommentEnd = source.lastIndexOf('-->');
	for (let at = 0; at < source.length;) {
		const plain = matchAt(PLAIN, source, at);
		if (plain) {
			marked.add(plain[0]);
			at += plain[0].length;
			continue;
		}
		if (source.startsWith('<!--', at) && lastCommentEnd >= at + 4) {
			at = source.indexOf('-->', at + 4) + 3;
			continue;
		}
		const entity = matchAt(ENTITY, source, at);
		const tag = entity ? null : matchAt(TAG, source.slice(at, at + LONGEST_TAG), 0);
		if (tag) applyTag(marked, open, tag);
		else marked.add(entity ? decodeEntity(entity) : source.charAt(at));
		at += (entity ?? tag)?.[0].length ?? 1;
	}
	open.forEach(() => marked.end());
	return marked.result();
}
