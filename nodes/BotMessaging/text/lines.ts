/** What lines begin blocks with (CommonMark, chapters 4 and 5). */
export const BLANK = /^[ \t]*$/;
export const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/;
export const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/;
export const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,99}|(?:-[ \t]*){3,99}|(?:_[ \t]*){3,99})$/;
export const FENCE = /^( {0,3})(`{3,99}(?=[^`]*$)|~{3,99})/;
export const QUOTE = /^ {0,3}> ?/;
export const ITEM = /^( {0,3})([-+*]|(\d{1,9})[.)])(?=[ \t]|$)( {1,4}(?! )| (?= {4})|\t)?/;
export const INDENT = /^(?: {4}| {0,3}\t)/;

/** A line of a paragraph without the blanks around it, but for one that makes a backslash before it no line break. */
export const trimLine = (line: string): string => line.trim() + (/\\[ \t]+$/.test(line) ? ' ' : '');

/** Columns of white space that a line begins with. */
export const indentOf = (line: string): number => {
	let columns = 0;
	for (let at = 0; ; at++) {
		const character = line.charAt(at);
		if (character === '\t') columns += 4 - (columns % 4);
		else if (character === ' ') columns++;
		else return columns;
	}
};

/** A line without so many columns of its indent. */
export const withoutIndent = (line: string, columns: number): string => {
	const indent = indentOf(line);
	if (!line.includes('\t')) return line.slice(Math.min(columns, indent));
	return ' '.repeat(Math.max(0, indent - columns)) + line.replace(/^[ \t]+/, '');
};

/** Whether a line ends a paragraph, since another block begins. */
export const startsBlock = (line: string): boolean =>
	[HEADING, FENCE, RULE, QUOTE].some((mark) => mark.test(line)) || startsItem(line, true);

/** Whether a line begins an item of a list; within a paragraph only one with a text, numbers only from 1. */
export function startsItem(line: string, inParagraph: boolean): boolean {
	const item = ITEM.exec(line);
	if (!item || RULE.test(line)) return false;
	const isEmpty = BLANK.test(line.slice(item[0].length));
	return !inParagraph || (!isEmpty && (item[3] === undefined || Number(item[3]) === 1));
}

/** Whether a line begins an item of the list whose items have this marker. */
export function isSibling(line: string, marker: string): boolean {
	const other = ITEM.exec(line)?.[2];
	return other !== undefined && other.slice(-1) === marker.slice(-1) && !RULE.test(line);
}

/** Whether a line goes on with the paragraph that stands last in a quote or an item, without their mark. */
export function isLazy(line: string, inner: readonly string[]): boolean {
	const last = inner.at(-1) ?? '';
	return (
		![BLANK, HEADING, RULE, FENCE].some((mark) => mark.test(last)) &&
		!BLANK.test(line) &&
		!startsBlock(line)
	);
}
