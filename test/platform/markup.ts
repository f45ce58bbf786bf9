import { renderHtml } from './markup/html';
import { renderMarkdown } from './markup/markdown';
import type { RenderedText } from './markup/markedText';

export type { MarkupElement, RenderedText } from './markup/markedText';

/**
 * Renders the text of a message as the service does (wire 3.5): the plain text, and the ranges with an effect, counted
 * in UTF-16 code units, outer ranges before inner ones. Without a format the text is literal.
 *
 * Never throws. An unclosed marker stays in the text; an HTML tag without an effect disappears.
 */
export function renderText(text: string, format?: 'markdown' | 'html'): RenderedText {
	if (format === 'markdown') return renderMarkdown(text);
	if (format === 'html') return renderHtml(text);
	return { text, markup: [] };
}
