import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { installN8n, wantedVersion } from '../n8n/support/install';
import { run } from '../support/command';
import { percentile } from './measure';
import { BUILD } from './package';
import type { Measure, Row } from './report';

const ROUNDS = 15;

/** n8n's own integrations that have a node with many operations, a trigger and a credential. */
const BUILT_IN: Record<string, string[]> = {
	Notion: [
		'nodes/Notion/Notion.node.js',
		'nodes/Notion/NotionTrigger.node.js',
		'credentials/NotionApi.credentials.js',
	],
	Trello: [
		'nodes/Trello/Trello.node.js',
		'nodes/Trello/TrelloTrigger.node.js',
		'credentials/TrelloApi.credentials.js',
	],
};

/** The one whose code has about as many files, one per operation. */
const COMPARABLE = 'Notion';

const OURS = [
	'nodes/BotMessaging/BotMessaging.node.js',
	'nodes/BotMessaging/BotMessagingTrigger.node.js',
	'credentials/BotMessagingApi.credentials.js',
];

/** Loads files into a process that has loaded n8n-workflow, as n8n has, and instantiates what they export. */
const SCRIPT = `
	require('n8n-workflow');
	const heap = () => { gc(); gc(); return process.memoryUsage().heapUsed; };
	const before = heap();
	const startedAt = performance.now();
	const made = process.argv.slice(1).map((file) => Object.values(require(file)).map((made) => new made()));
	const ms = performance.now() - startedAt;
	console.log(JSON.stringify({ ms, mb: (heap() - before) / 1048576, made: made.length }));
`;

interface Loaded {
	ms: number;
	mb: number;
}

/** Time and memory to load the package, compared with n8n's own integrations. */
export const measureLoad: Measure = async function* ({ say }) {
	const { script, runtime } = await installN8n(wantedVersion(), say);
	const modules = join(dirname(script), '..', '..');
	const folder = await mkdtemp(join(tmpdir(), 'bench-load-'));
	try {
		// Outside the repository, so that n8n-workflow is resolved where n8n has it.
		await cp(BUILD, folder, { recursive: true });
		await symlink(modules, join(folder, 'node_modules'));
		const load = async (root: string, files: string[]): Promise<Loaded> => {
			const paths = files.map((file) => join(root, file));
			const output = await run(runtime.node, ['--expose-gc', '-e', SCRIPT, ...paths], {
				cwd: folder,
				what: 'Loading',
			});
			return JSON.parse(output);
		};
		const ours: Loaded[] = [];
		const theirs = Object.entries(BUILT_IN).map(([name, files]) => {
			const loaded: Loaded[] = [];
			return { name, files, loaded };
		});
		for (let round = 0; round < ROUNDS; round++) {
			ours.push(await load(folder, OURS));
			for (const { files, loaded } of theirs) {
				loaded.push(await load(join(modules, 'n8n-nodes-base', 'dist'), files));
			}
		}
		for (const { name, loaded } of theirs) {
			yield row('time to load both nodes and the credential', 'ms', ours, { name, loaded });
			yield row('memory that they keep', 'mb', ours, { name, loaded });
		}
	} finally {
		await rm(folder, { recursive: true });
	}
};

interface BuiltIn {
	name: string;
	loaded: Loaded[];
}

function row(what: string, key: keyof Loaded, ours: Loaded[], { name, loaded }: BuiltIn): Row {
	const [own = NaN, other = NaN] = [ours, loaded].map((all) =>
		percentile(
			all.map((each) => each[key]),
			0.5,
		),
	);
	const unit = key === 'ms' ? 'ms' : 'MB';
	return {
		what,
		value: own / other,
		unit: `× ${name} of n8n`,
		target: name === COMPARABLE ? '≤ 1' : undefined,
		detail: `${own.toFixed(2)} ${unit} / ${other.toFixed(2)} ${unit}, medians of ${ROUNDS}`,
	};
}
