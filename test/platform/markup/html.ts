import { Parser } from 'htmlparser2';
import { linkEffect, MarkedText, type RenderedText } from './markedText';

const EFFECTS = new Map([
	['b', 'strong'],
	['strong', 'strong'],
	['i', 'emphasized'],
	['em', 'emphasized'],
	['s', 'strikethrough'],
	['del', 'strikethrough'],
	['u', 'underline'],
	['ins', 'underline'],
	['code', 'monospaced'],
	['pre', 'monospaced'],
	['mark', 'highlighted'],
	['blockquote', 'quote'],
	['h1', 'heading'],
]);

/** Renders HTML as the service does: known tags have an effect, all tags and comments disappear. */
export function renderHtml(source: string): RenderedText {
	const marked = new MarkedText();
	const parser = new Parser({
		ontext: (text) => marked.add(text),
		onopentag: (name, { href }) => {
			const type = EFFECTS.get(name);
			const effect = type === undefined ? undefined : { type };
			marked.begin(name === 'a' ? linkEffect(href?.trim()) : effect);
		},
		onclosetag: () => marked.end(),
	});
	parser.end(source);
	return marked.result();
}
