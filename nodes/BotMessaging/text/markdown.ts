import { BlockReader, type Block } from './blocks';
import { readInline } from './inline';
import { References } from './references';
import { RichText } from './rich';
import { addTable } from './table';

/** A box, and the text behind it. */
const TASK = /^\[([ xX])\][ \t]([^]*)$/;

const BULLETS = ['•', '◦', '▪'];
const RULE_SHOWN = '———';

/**
 * Reads Markdown as people and language models write it: CommonMark 0.31 with the tables, tasks and strikethrough of
 * GitHub. What the service has no effect for is written in characters: bullets, boxes of tasks, lines between, tables
 * as aligned text. HTML in it is text, but for line breaks in `<br>`. The time is linear in the length of the text.
 */
export function readMarkdown(source: string): RichText {
	const references = new References(source.length);
	const lines = source.replace(/\r\n?/g, '\n').split('\n');
	const blocks = new BlockReader(references).read(lines, 0);
	const writer = new Writer(references, 200 + source.length / 10);
	writer.write(blocks);
	return writer.rich;
}

/** Writes blocks as text with marks. */
class Writer {
	readonly rich = new RichText();
	private depth = 0;

	/** @param spare how many characters the alignment of tables may take */
	constructor(
		private readonly references: References,
		private spare: number,
	) {}

	write(blocks: readonly Block[], between = '\n\n'): void {
		blocks.forEach((block, index) => {
			if (index > 0) this.rich.add(between);
			this.block(block);
		});
	}

	private block(block: Block): void {
		const { rich, references } = this;
		switch (block.type) {
			case 'paragraph':
				return readInline(block.text, rich, references);
			case 'heading':
				return this.within('h1', () => readInline(block.text, rich, references));
			case 'code':
				return this.within('pre', () => rich.add(block.text));
			case 'quote':
				return this.within('blockquote', () => this.write(block.blocks));
			case 'rule':
				return rich.add(RULE_SHOWN);
			case 'table':
				this.spare -= addTable(rich, block.table, references, this.spare);
				return;
			case 'list':
				return this.list(block);
		}
	}

	private within(tag: 'h1' | 'pre' | 'blockquote', write: () => void): void {
		this.rich.begin(tag, { tag });
		write();
		this.rich.end(tag);
	}

	private list({ first, isLoose, items }: Extract<Block, { type: 'list' }>): void {
		const bullet = BULLETS[Math.min(this.depth, BULLETS.length - 1)];
		const indent = '  '.repeat(this.depth);
		this.depth++;
		items.forEach((blocks, index) => {
			if (index > 0) this.rich.add(isLoose ? '\n\n' : '\n');
			const [head, ...rest] = blocks;
			const task = head?.type === 'paragraph' ? TASK.exec(head.text) : null;
			const [, tick, text = ''] = task ?? [];
			const box = tick === ' ' ? '☐' : '☑';
			const sign = first === undefined ? bullet : `${first + index}.`;
			this.rich.add(`${indent}${task ? box : sign} `);
			const own = task ? [{ type: 'paragraph', text: text.trim() } as const, ...rest] : blocks;
			this.write(own, isLoose ? '\n\n' : '\n');
		});
		this.depth--;
	}
}
