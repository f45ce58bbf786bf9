import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue } from '../../nodes/BotMessaging/actions/catalogue';
import { EVENTS } from '../../nodes/BotMessaging/events/events';
import { FACTS } from '../../nodes/BotMessaging/events/facts';
import { NEWER_OPERATIONS } from './endpoints';

const README = join(__dirname, '../../README.md');

/** The README's generated tables, by the names in their markers. */
const TABLES: Readonly<Record<string, () => string[][]>> = {
	operations: () => [
		['Resource', 'Operation', 'What it does', 'Offered by'],
		...catalogue.flatMap(({ name: resource, value, operations }) =>
			operations.map((operation) => [
				resource,
				operation.name,
				operation.description,
				NEWER_OPERATIONS.includes(`${value} ${operation.value}`) ? 'newer services' : 'all',
			]),
		),
	],
	events: () => [
		['Event', 'Value', 'When it happens'],
		...Object.entries(EVENTS).map(([value, { name, description }]) => [
			name,
			`\`${value}\``,
			description,
		]),
	],
	fields: () => [
		['Field', 'What it holds', 'Simplified events'],
		...Object.entries(FACTS).map(([name, { description }]) => [
			`\`${name}\``,
			description,
			eventsWith(name),
		]),
	],
};

/** The events whose simplified form has a field. */
function eventsWith(field: string): string {
	const events = Object.values(EVENTS);
	const having = events.filter(({ shape }) => shape.facts.some((fact) => fact === field));
	if (having.length === 0) return 'none, to be chosen';
	const lacking = events.filter((event) => !having.includes(event));
	const names = (list: typeof events) => list.map(({ name }) => name).join(', ');
	if (lacking.length >= having.length) return names(having);
	return lacking.length === 0 ? 'all' : `all but ${names(lacking)}`;
}

/**
 * The README with its generated tables updated. Each is between two markers, `<!-- operations:start -->` and
 * `<!-- operations:end -->`.
 *
 * @throws Error if a marker is missing
 */
export function withTables(readme: string): string {
	return Object.entries(TABLES).reduce((text, [name, rows]) => {
		const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`];
		const [from, to] = [text.indexOf(start), text.indexOf(end)];
		if (from < 0 || to < from) throw new Error(`README.md lacks ${start} … ${end}`);
		const table = asTable(rows());
		return `${text.slice(0, from)}${start}\n\n${table}\n\n${text.slice(to)}`;
	}, readme);
}

/** The README as it is. */
export const readReadme = (): string => readFileSync(README, 'utf8');

/** A Markdown table with aligned columns. */
function asTable([header = [], ...rows]: string[][]): string {
	const cells = [header, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
	const widths = header.map((_, column) =>
		Math.max(3, ...cells.map((row) => (row[column] ?? '').length)),
	);
	const line = (row: string[]) =>
		`| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
	const [head = [], ...body] = cells;
	return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
}

/** `npx tsx test/support/readme.ts` writes the tables into the README. */
if (process.argv[1]?.endsWith('readme.ts')) writeFileSync(README, withTables(readReadme()));
