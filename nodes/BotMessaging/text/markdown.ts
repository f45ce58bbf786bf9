import { BlockReader, type Block } from './blocks';
import { readInline, type Context, type Dialect } from './inline';
import { References } from './references';
import { NO_MARKS, RichText, withMark, type Marks } from './rich';
import { Lines } from './scanner';
import { tableText, type Table } from './table';

const TASK = /^\[([ xX])\][ \t]([^]*)$/;

const BULLETS = ['•', '◦', '▪'];
const RULE_SHOWN = '———';

/**
 * Reads Markdown as people and language models write it: CommonMark 0.31 plus GitHub's tables, tasks and strikethrough.
 * What the service cannot format is written with characters: bullets, checkboxes, rules, tables as aligned text. HTML
 * in it is text, except for the line break `<br>`. The dialect of the service also underlines and highlights. Takes
 * linear time in the length of the text.
 */
export function readMarkdown(source: string, dialect: Dialect = 'common'): RichText {
	const references = new References(source.length);
	const lines = source.replace(/\r\n?/g, '\n').split('\n');
	const blocks = new BlockReader(new Lines(lines), references).read();
	const writer = new Writer({ references, dialect }, 200 + source.length / 10);
	writer.write(blocks);
	return writer.rich;
}

class Writer {
	readonly rich = new RichText();
	private depth = 0;

	/** @param spare how many characters of padding tables may take */
	constructor(
		private readonly context: Context,
		private spare: number,
	) {}

	write(blocks: readonly Block[], marks = NO_MARKS, between = '\n\n'): void {
		blocks.forEach((block, index) => {
			if (index > 0) this.rich.add(between, marks);
			this.block(block, marks);
		});
	}

	private block(block: Block, marks: Marks): void {
		const { rich } = this;
		switch (block.type) {
			case 'paragraph':
				return rich.append(this.inline(block.text, marks));
			case 'heading':
				return rich.append(this.inline(block.text, withMark(marks, { tag: 'h1' })));
			case 'code':
				return rich.add(block.text, withMark(marks, { tag: 'pre' }));
			case 'quote':
				return this.write(block.blocks, withMark(marks, { tag: 'blockquote' }));
			case 'rule':
				return rich.add(RULE_SHOWN, marks);
			case 'table':
				return this.table(block, withMark(marks, { tag: 'pre' }));
			case 'list':
				return this.list(block, marks);
		}
	}

	private inline(text: string, marks: Marks): RichText {
		return readInline(text, marks, this.context);
	}

	private table({ rows, sides }: Table, marks: Marks): void {
		const cells = rows.map((row) => row.map((cell) => this.inline(cell, marks)));
		const { text, used } = tableText(cells, sides, marks, this.spare);
		this.rich.append(text);
		this.spare -= used;
	}

	private list({ first, isLoose, items }: Extract<Block, { type: 'list' }>, marks: Marks): void {
		const bullet = BULLETS[Math.min(this.depth, BULLETS.length - 1)];
		const indent = '  '.repeat(this.depth);
		this.depth++;
		items.forEach((blocks, index) => {
			if (index > 0) this.rich.add(isLoose ? '\n\n' : '\n', marks);
			const [head, ...rest] = blocks;
			const task = head?.type === 'paragraph' ? TASK.exec(head.text) : null;
			const [, tick, text = ''] = task ?? [];
			const box = tick === ' ' ? '☐' : '☑';
			const sign = first === undefined ? bullet : `${Number(first) + index}.`;
			this.rich.add(`${indent}${task ? box : sign} `, marks);
			const own = task ? [{ type: 'paragraph', text: text.trim() } as const, ...rest] : blocks;
			this.write(own, marks, isLoose ? '\n\n' : '\n');
		});
		this.depth--;
	}
}
