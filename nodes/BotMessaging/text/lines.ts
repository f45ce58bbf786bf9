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
