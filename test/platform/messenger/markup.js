import { h } from 'preact';
import { store } from './store.js';

/** Only these links are active, since a message can contain anything. */
const SAFE_URL = /^(https?:|mailto:|tel:)/i;

const TAGS = {
	strong: 'strong',
	emphasized: 'em',
	strikethrough: 's',
	underline: 'u',
	monospaced: 'code',
	highlighted: 'mark',
	quote: 'blockquote',
	blockquote: 'blockquote',
	heading: 'h4',
};

/** An address that this browser can reach. */
function reachable(url) {
	const [start, instead] =
		Object.entries(store.openAs).find(([known]) => url.startsWith(known)) ?? [];
	return start === undefined ? url : instead + url.slice(start.length);
}

/** A link that opens in a new tab, or plain text if the address is not safe to follow. */
export function Link({ url, children, ...props }) {
	if (!SAFE_URL.test(url)) return h('span', props, children);
	const href = reachable(url);
	return h('a', { ...props, href, target: '_blank', rel: 'noopener noreferrer' }, children);
}

function wrap({ type, url, user_id, user_link }, children) {
	if (type === 'link') return h(Link, { url, title: url }, children);
	if (type === 'user_mention') {
		return h('span', { class: 'mention', title: user_link ?? `User ${user_id}` }, children);
	}
	return h(TAGS[type] ?? 'span', {}, children);
}

/** The nodes for the text between two positions. An element that extends beyond the end of another is split there. */
function build(text, from, to, elements) {
	const nodes = [];
	let at = from;
	let rest = elements;
	while (rest.length > 0) {
		const [element, ...others] = rest;
		const start = Math.max(element.from, at);
		const end = Math.min(element.to, to);
		rest = others;
		if (end <= start) continue;
		if (start > at) nodes.push(text.slice(at, start));
		const inner = others.filter((other) => other.from < end);
		nodes.push(wrap(element, withoutBreaks(build(text, start, end, inner))));
		rest = others.filter((other) => other.to > end);
		at = end;
	}
	if (at < to) nodes.push(text.slice(at, to));
	return nodes;
}

const isBlock = (node) => ['blockquote', 'h4'].includes(node?.type);

/** Quotes and headings have their own lines, so the line breaks next to them are not shown. */
function withoutBreaks(nodes) {
	return nodes.map((node, index) => {
		if (typeof node !== 'string') return node;
		const start = isBlock(nodes[index - 1]) ? node.replace(/^\n/, '') : node;
		return isBlock(nodes[index + 1]) ? start.replace(/\n$/, '') : start;
	});
}

/** A text with its markup ranges (UTF-16 offsets) as nodes. */
export function markedText(text, markup = []) {
	const inOrder = markup
		.map((element) => ({ ...element, to: element.from + element.length }))
		.sort((one, other) => one.from - other.from || other.to - one.to);
	return withoutBreaks(build(text, 0, text.length, inOrder));
}
