import type { Say } from '../support/command';

/** One measured number, with what it is compared to. */
export interface Row {
	/** What was measured. */
	what: string;
	/** The number, usually a ratio. */
	value: number;
	/** How to read the number, such as `× the minimum`. */
	unit: string;
	/** The target, such as `≤ 1.03`. */
	target?: string;
	/** The raw numbers behind it. */
	detail: string;
}

export interface Report {
	title: string;
	rows: Row[];
}

/** Gives its rows one by one; `say` receives what it reports while it prepares. */
export type Measure = (given: { say: Say; processes?: number }) => AsyncIterable<Row>;

const OPERATORS: Record<string, (value: number, bound: number) => boolean> = {
	'≤': (value, bound) => value <= bound,
	'≥': (value, bound) => value >= bound,
	'=': (value, bound) => value === bound,
};

/** Whether a row meets its target, if it has one. */
export function isMet({ value, target }: Row): boolean {
	const [operator = '', bound = ''] = target?.split(' ') ?? [];
	return OPERATORS[operator]?.(value, Number(bound)) ?? true;
}

/** The report as a Markdown table. */
export function toMarkdown({ title, rows }: Report): string {
	const lines = rows.map((row) => {
		const verdict = row.target === undefined ? '' : `${row.target}${isMet(row) ? '' : ' missed'}`;
		return `| ${row.what} | ${format(row.value)} ${row.unit} | ${verdict} | ${row.detail} |`;
	});
	return [
		`### ${title}`,
		'',
		'| measured | result | target | numbers |',
		'| --- | --- | --- | --- |',
		...lines,
		'',
	].join('\n');
}

/** The row as a line of text. */
export const toLine = ({ what, value, unit, detail }: Row): string =>
	`${what}: ${format(value)} ${unit} (${detail})`;

const format = (value: number): string =>
	Number.isInteger(value) ? String(value) : value.toFixed(Math.abs(value) < 10 ? 3 : 1);

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;
