import MarkdownIt from 'markdown-it';
import { linkEffect, MarkedText, type RenderedText } from './markedText';
import { pairs } from './pairs';

/** The effects of tags. */
const EFFECTS = new Map([
	['strong', 'strong'],
	['em', 'emphasized'],
	['s', 'strikethrough'],
	['u', 'underline'],
	['mark', 'highlighted'],
	['blockquote', 'quote'],
	['h1', 'heading'],
]);

/** CommonMark, as far as the service knows it, and the service's own marks. */
const parser = new MarkdownIt('zero')
	.enable(['fence', 'blockquote', 'heading', 'backticks', 'emphasis', 'escape', 'link'])
	.enable('strikethrough')
	.use(pairs, '+', 'u')
	.use(pairs, '^', 'mark');
parser.normalizeLink = (url) => url;
parser.validateLink = (url) => linkEffect(url) !== undefined;

type Token = ReturnType<typeof parser.parse>[number];

/** Renders Markdown as the service does (the table of wire 3.5). */
export function renderMarkdown(source: string): RenderedText {
	const marked = new MarkedText();
	/** The line of the source that the text has come to. */
	let line = 0;
	const add = (token: Token): void => {
		const [from, to] = token.map ?? [line, line + 1];
		if (token.nesting >= 0) {
			marked.add('\n'.repeat(Math.max(0, from - line)));
			line = Math.max(line, from);
		}
		if (token.nesting === 1) marked.begin(effectOf(token));
		else if (token.nesting === -1) marked.end();
		else if (token.type === 'inline') token.children?.forEach(addInline);
		else addCode(token.content.replace(/\n$/, ''));
		if (token.nesting === 0) line = to - 1;
	};
	const addInline = (token: Token): void => {
		if (token.nesting === 1) marked.begin(effectOf(token));
		else if (token.nesting === -1) marked.end();
		else if (token.type === 'code_inline') addCode(token.content);
		else marked.add(token.type === 'hardbreak' ? '\n' : token.content);
	};
	const addCode = (code: string): void => {
		marked.begin({ type: 'monospaced' });
		marked.add(code);
		marked.end();
	};
	parser.parse(source, {}).forEach(add);
	return marked.result();
}

function effectOf(token: Token) {
	if (token.tag === 'a') return linkEffect(String(token.attrGet('href') ?? ''));
	const type = EFFECTS.get(token.tag);
	return type === undefined ? undefined : { type };
}
