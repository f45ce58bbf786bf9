/** The node of this name as an expression reads it: `$("…")`. Braces in the name are escaped: two would end the expression. */
export const nodeInExpression = (name: string): string =>
	`$(${JSON.stringify(name).replace(/[{}]/g, escaped)})`;

const escaped = (brace: string): string => `\\u00${brace.charCodeAt(0).toString(16)}`;
