import MarkdownIt from 'markdown-it';

type Parser = InstanceType<typeof MarkdownIt>;

/** Adds a mark of exactly two of a character, on both sides of what it marks, as strikethrough has it. */
export function pairs({ inline }: Parser, character: string, tag: string): void {
	inline.ruler.before('emphasis', tag, (state, silent) => {
		if (silent || state.src[state.pos] !== character) return false;
		const { length, can_open: open, can_close: close } = state.scanDelims(state.pos, true);
		const token = state.push('text', '', 0);
		token.content = character.repeat(length);
		state.pos += length;
		const marker = character.charCodeAt(0);
		const delimiter = { marker, length: 0, token: state.tokens.length - 1, end: -1, open, close };
		if (length === 2) state.delimiters.push(delimiter);
		return true;
	});
	inline.ruler2.before('emphasis', tag, ({ delimiters, tokens, tokens_meta }) => {
		for (const list of [delimiters, ...tokens_meta.map((meta) => meta?.delimiters ?? [])]) {
			for (const { marker, token, end } of list) {
				const closing = list[end];
				if (marker !== character.charCodeAt(0) || !closing) continue;
				Object.assign(tokens[token] ?? {}, { type: `${tag}_open`, tag, nesting: 1 });
				Object.assign(tokens[closing.token] ?? {}, { type: `${tag}_close`, tag, nesting: -1 });
			}
		}
		return true;
	});
}
