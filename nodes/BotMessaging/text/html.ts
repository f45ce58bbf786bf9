import { atom, type Span } from './spans';

const TAG = /<(\/?)([a-z][a-z0-9]*)\b[^<>]*>/gi;
const ENTITY = /&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});/gi;
const VOID = new Set(['br', 'hr', 'img', 'input', 'wbr']);
const BLOCKS = new Set(['pre', 'blockquote']);

interface OpenTag {
	name: string;
	from: number;
	innerFrom: number;
	text: string;
}

/** The markup of a text in HTML: elements with their content, tags without an end, entities. */
export function htmlSpans(text: string): Span[] {
	const spans: Span[] = [];
	const open: OpenTag[] = [];
	for (const { 0: tag, 1: slash, 2: written = '', index } of text.matchAll(TAG)) {
		const name = written.toLowerCase();
		const end = index + tag.length;
		if (VOID.has(name)) {
			spans.push(atom(index, end));
		} else if (!slash) {
			open.push({ name, from: index, innerFrom: end, text: tag });
		} else {
			const position = open.findLastIndex((candidate) => candidate.name === name);
			const [opening, ...unclosed] = position < 0 ? [] : open.splice(position);
			spans.push(opening ? elementOf(opening, index, end) : atom(index, end));
			spans.push(...unclosed.map((inner) => elementOf(inner, index, index)));
		}
	}
	spans.push(...open.map((left) => elementOf(left, text.length, text.length)));
	for (const { 0: entity, index } of text.matchAll(ENTITY)) {
		spans.push(atom(index, index + entity.length));
	}
	return spans;
}

const elementOf = (
	{ name, from, innerFrom, text }: OpenTag,
	innerTo: number,
	to: number,
): Span => ({
	from,
	innerFrom,
	innerTo,
	to,
	reopen: text,
	close: `</${name}>`,
	isBlock: BLOCKS.has(name),
});
