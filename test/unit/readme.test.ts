import { BotMessagingApi } from '../../credentials/BotMessagingApi.credentials';
import action from '../../nodes/BotMessaging/BotMessaging.node.json';
import trigger from '../../nodes/BotMessaging/BotMessagingTrigger.node.json';
import {
	LONGEST_ROW,
	LONGEST_WIDE_ROW,
	MOST_ROWS,
	TEXT_LIMIT,
} from '../../nodes/BotMessaging/service/limits';
import { devDependencies } from '../../package.json';
import { PINNED } from '../n8n/support/install';
import { readReadme, withTables } from '../support/readme';

/** The addresses of a node's documentation. */
const linksIn = ({ resources }: Pick<typeof action, 'resources'>): string[] =>
	[...resources.credentialDocumentation, ...resources.primaryDocumentation].map(({ url }) => url);

test('The tables of the README match the code (otherwise: npx tsx test/support/readme.ts)', () => {
	const readme = readReadme();
	expect(withTables(readme)).toBe(readme);
});

test('The versions of n8n in the README are those that the tests install, and the engine in tests is of the first', () => {
	const rows = [...readReadme().matchAll(/^\| (\d+\.\d+\.\d+) +\| (\d+) /gm)];
	const installed = Object.entries(PINNED).map(([version, node]) => [version, node.split('.')[0]]);
	expect(rows.map(([, version, node]) => [version, node])).toEqual(installed);
	expect(devDependencies['n8n-core']).toBe(Object.keys(PINNED)[0]);
});

test('The limits of messages in the README are those of the forms', () => {
	const readme = readReadme();
	expect(readme).toMatch(new RegExp(`^\\| Text +\\| ${TEXT_LIMIT} characters `, 'm'));
	expect(readme).toContain(
		`${MOST_ROWS} rows, ${LONGEST_ROW} buttons per row (${LONGEST_WIDE_ROW} if one is a link`,
	);
});

test('The links to the README lead to existing headings', () => {
	const headings = [...readReadme().matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
		title.toLowerCase().replaceAll(' ', '-'),
	);
	const links = [new BotMessagingApi().documentationUrl, ...linksIn(action), ...linksIn(trigger)];
	const ends = links.map((link) => link.split('#').at(-1));
	expect(ends).toHaveLength(5);
	expect(ends.filter((end) => end !== 'readme' && !headings.includes(String(end)))).toEqual([]);
});

test('The first two commands of the README start everything and run the tests, with nothing else needed', () => {
	const [, commands = ''] = /```sh\n([^`]*)```/.exec(readReadme()) ?? [];
	const lines = commands.trim().split('\n');
	expect(lines.map((line) => line.split('#').at(0)?.trim())).toEqual(['npm start', 'npm test']);
});
