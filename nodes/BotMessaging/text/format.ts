import { readHtml } from './html';
import { readMarkdown } from './markdown';
import { RichText, type MarkTag, type TextPart } from './rich';
import { splitText, SURE_FILL } from './split';

/** `markdown` is what people and language models write; the others are the service's own formats (wire 3.5). */
export type TextFormat = 'markdown' | 'html' | 'service_markdown';

const READERS: Readonly<Record<TextFormat, (source: string) => RichText>> = {
	markdown: (source) => readMarkdown(source),
	html: readHtml,
	service_markdown: (source) => readMarkdown(source, 'service'),
};

/** Marks of Markdown to drop, step by step, if a text fits into one message but its HTML does not. */
const LOSSES: readonly MarkTag[][] = [
	['code'],
	['i', 's'],
	['b'],
	['h1', 'blockquote', 'pre'],
	['a'],
];

/** A text and its format, as filled in. */
export class FormattedText {
	private readonly rich: RichText;

	constructor(
		private readonly source: string,
		private readonly format?: TextFormat,
	) {
		this.rich = format ? READERS[format](source) : RichText.of(source);
	}

	/** The text without its marks, as people see it. */
	get visible(): string {
		return this.rich.text;
	}

	/** Whether nothing of it is visible: only marks and white space. */
	get isBlank(): boolean {
		return this.visible.trim() === '';
	}

	/** The text in one message: Markdown becomes HTML, with fewer marks if all would exceed `limit` code units. */
	whole(limit: number): TextPart {
		const { source, format } = this;
		if (format !== 'markdown') {
			return { text: source, format: format === 'service_markdown' ? 'markdown' : format };
		}
		let rich = this.rich;
		for (const tags of LOSSES) {
			if (rich.part.text.length <= limit) break;
			rich = rich.without(tags);
		}
		return rich.part;
	}

	/**
	 * The text as the service takes it, in messages of at most `limit` UTF-16 code units each, counted with and without
	 * markup. There are at most ⌈length × 4 ÷ 3 ÷ limit⌉ + 1 messages. Markdown that would get much longer by rendering,
	 * such as tens of thousands of empty items to be numbered, is sent as written.
	 */
	parts(limit: number): TextPart[] {
		const { source, format, rich } = this;
		const sent = format === 'markdown' ? rich.html : source;
		if (sent.length <= limit) return [this.whole(limit)];
		const most = Math.ceil(source.length / (limit * 0.75)) + 1;
		const fits = rich.text.length <= (most - 1) * limit * SURE_FILL;
		return splitText(fits ? rich : RichText.of(source), limit, most);
	}
}

/** A text of the service as people see it, without its marks. */
export const visibleOf = ({ text, format }: TextPart): string =>
	new FormattedText(text, format === 'markdown' ? 'service_markdown' : format).visible;
