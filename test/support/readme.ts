import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue } from '../../nodes/BotMessaging/actions/catalogue';
import { EVENTS } from '../../nodes/BotMessaging/events/events';
import type { FactName } from '../../nodes/BotMessaging/events/facts';
import { NEWER_OPERATIONS } from './endpoints';

const README = join(__dirname, '../../README.md');

/** What the fields of simplified events hold. */
const FACTS_TOLD: Readonly<Record<FactName, string>> = {
	event: 'Type of the event',
	timestamp: 'When it happened, Unix time in milliseconds',
	chat_id: 'Chat it happened in: positive for dialogs, negative for groups and channels',
	chat_type: '`dialog`, `chat` (group) or `channel`, where the event tells it',
	post_id: 'Channel post that the comment belongs to',
	user_id:
		'Who caused it, which the service may not tell for _Bot Added to Chat_; for _User Added_ and _User Removed_, who was added or removed',
	user_name: 'Their first and last name',
	username: 'Their public user name, if they have one',
	user_locale: 'Their language, such as `en`; in dialogs',
	is_bot: 'Whether they are a bot',
	inviter_id: 'Who added the person; missing when they joined by a link',
	admin_id: 'Who removed the person; missing when they left',
	message_id: 'Message or comment it is about',
	text: 'Text of that message',
	attachments: 'Attachments of the message, as the service delivers them, without its keyboard',
	markup: 'Marks in that text, such as bold: `type`, and `from` and `length` in UTF-16 code units',
	keyboard: 'Buttons below the message, row by row, as _Keyboard JSON_ takes them',
	url: 'Public link of a channel post',
	views: 'How often a channel post was seen',
	reply_to:
		'Message that this one answers: `message_id`, `chat_id`, `sender_id`, `sender_name`, `is_own` (whether the bot wrote it), `text`, `attachments`',
	forwarded: 'Message that this one forwards, with the same fields except `is_own`',
	callback_id: 'What _Callback → Answer_ needs after the press of a button',
	payload: 'Payload of the pressed button, or of the link that started the bot',
	title: 'New title of the chat',
	muted_until: 'When notifications come on again, Unix time in milliseconds',
	is_admin: 'Whether the bot is an administrator now',
	permissions: 'Rights of the bot now',
};

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
		...Object.entries(FACTS_TOLD).map(([name, description]) => [
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
