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

interface Mark {
	key: string;
	/** The mark as written. It is shown if the mark is never closed. */
	literal: string;
	effect?: Effect;
	ended: boolean;
}

type Piece = string | { begins: Mark } | { ends: Mark };

/** A link target that names a user, not a page: `user/<id>` after a scheme other than the web's. */
const MENTION = /^(?!https?:)[a-z][a-z0-9+.-]*:\/\/user\/(\d{1,19})$/i;

/** The effect of a link to this target; undefined if no such link can exist (wire 3.5: 1–2048 characters). */
export function linkEffect(url: string): Effect | undefined {
	const user = MENTION.exec(url)?.[1];
	if (user !== undefined) return { type: 'user_mention', user_id: BigInt(user) };
	return url.length >= 1 && url.length <= 2048 ? { type: 'link', url } : undefined;
}

/**
 * A text under construction: plain pieces, and marks that begin and end between them. Whether a mark has an effect is
 * decided when it ends, so that a scanner needs a single pass.
 */
export class Pieces {
	private readonly pieces: Piece[] = [];
	private readonly stack: Mark[] = [];

	add(text: string): void {
		this.pieces.push(text);
	}

	begin(key: string, literal: string, effect?: Effect): void {
		const mark: Mark = { key, literal, ended: false, ...(effect && { effect }) };
		this.stack.push(mark);
		this.pieces.push({ begins: mark });
	}

	/** Position of the innermost open mark of this key (larger means further inside); -1 if there is none. */
	depth(key: string): number {
		return this.stack.findLastIndex((mark) => mark.key === key);
	}

	/** Turns open marks of this key into plain text: all of them, or the innermost. */
	forget(key: string, which: 'all' | 'innermost'): void {
		const marks = this.stack.filter((mark) => mark.key === key);
		for (const mark of which === 'all' ? marks : marks.slice(-1)) mark.key = '';
	}

	/**
	 * Ends the innermost open mark of this key, which must exist. Marks still open inside it become plain text, or end
	 * here as well.
	 */
	end(key: string, effect?: Effect, inner: 'plain' | 'end' = 'plain'): void {
		const depth = this.depth(key);
		while (this.stack.length > depth + 1) this.pop(inner === 'end');
		const mark = this.stack.at(-1);
		if (mark && effect) mark.effect = effect;
		this.pop(true);
	}

	/** Turns open marks into plain text, from the innermost to the first whose key is in `kept`. */
	endParagraph(kept: ReadonlySet<string>): void {
		for (let top = this.stack.at(-1); top && !kept.has(top.key); top = this.stack.at(-1)) {
			this.pop(false);
		}
	}

	/** Ends every open mark here. */
	endAll(): void {
		while (this.stack.length > 0) this.pop(true);
	}

	/** The text and its effects, without effects inside others of the same type, which add nothing. */
	result(): RenderedText {
		const parts: string[] = [];
		const elements = new Map<Mark, MarkupElement>();
		const active = new Set<string>();
		let length = 0;
		const append = (text: string) => {
			parts.push(text);
			length += text.length;
		};
		for (const piece of this.pieces) {
			if (typeof piece === 'string') {
				append(piece);
			} else if ('begins' in piece) {
				const { ended, effect, literal } = piece.begins;
				if (!ended) append(literal);
				else if (effect && !active.has(effect.type)) {
					elements.set(piece.begins, { ...effect, from: length, length: 0 });
					active.add(effect.type);
				}
			} else {
				const element = elements.get(piece.ends);
				if (!element) continue;
				element.length = length - element.from;
				active.delete(element.type);
			}
		}
		const markup = [...elements.values()].filter((element) => element.length > 0);
		return { text: parts.join(''), markup };
	}

	private pop(ended: boolean): void {
		const mark = this.stack.pop();
		if (!mark) return;
		mark.ended = ended;
		if (ended) this.pieces.push({ ends: mark });
	}
}
