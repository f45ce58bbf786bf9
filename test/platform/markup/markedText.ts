/** One effect on a range of a text (wire 3.5). `from` and `length` count UTF-16 code units. */
export interface MarkupElement {
	type: string;
	from: number;
	length: number;
	url?: string;
	user_id?: bigint;
}

export interface RenderedText {
	text: string;
	markup: MarkupElement[];
}

/** An effect whose range is not known yet. */
export type Effect = Omit<MarkupElement, 'from' | 'length'>;

/** A link target that names a user, not a page: `user/<id>` after a scheme other than the web's. */
const MENTION = /^(?!https?:)[a-z][a-z0-9+.-]*:\/\/user\/(\d{1,19})$/i;

/** The effect of a link to this target; undefined if no such link can exist (wire 3.5: 1–2048 characters). */
export function linkEffect(url = ''): Effect | undefined {
	const user = MENTION.exec(url)?.[1];
	if (user !== undefined) return { type: 'user_mention', user_id: BigInt(user) };
	return url.length >= 1 && url.length <= 2048 ? { type: 'link', url } : undefined;
}

/** A text under construction, with the effects that begin and end in it, properly nested. */
export class MarkedText {
	private text = '';

	private readonly markup: MarkupElement[] = [];

	/** What has begun and not ended; undefined stands for something without an effect. */
	private readonly open: Array<MarkupElement | undefined> = [];

	add(text: string): void {
		this.text += text;
	}

	/** Begins an effect. One within another of its type adds nothing. */
	begin(effect?: Effect): void {
		const isNew = effect && !this.open.some((outer) => outer?.type === effect.type);
		const element = isNew ? { ...effect, from: this.text.length, length: 0 } : undefined;
		if (element) this.markup.push(element);
		this.open.push(element);
	}

	/** Ends what began last. */
	end(): void {
		const element = this.open.pop();
		if (element) element.length = this.text.length - element.from;
	}

	/** The text and its effects, the outer ones first. */
	result(): RenderedText {
		return { text: this.text, markup: this.markup.filter(({ length }) => length > 0) };
	}
}
