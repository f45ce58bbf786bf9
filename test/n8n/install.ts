import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cached } from '../support/cache';
import { npmEnvironment, run, type Say } from '../support/command';
import { nodeRuntime, pathWith, type NodeRuntime } from '../support/node24';

/** The real n8n versions that the tests drive, each with the Node version that it runs on. */
const NODE_OF = { '2.41.1': '24.21.0', '2.8.4': '20.20.2' } as const;

export type N8nVersion = keyof typeof NODE_OF;

/** The version that is driven unless a test says otherwise; `BOT_MESSAGING_N8N` chooses another one. */
export const MAIN_VERSION = chosen(process.env.BOT_MESSAGING_N8N || '2.41.1');

function chosen(version: string): N8nVersion {
	const known = Object.keys(NODE_OF).filter((each): each is N8nVersion => each === version);
	if (known[0]) return known[0];
	throw new Error(`BOT_MESSAGING_N8N is ${version}; known are ${Object.keys(NODE_OF).join(', ')}`);
}

export interface N8nInstallation {
	version: N8nVersion;
	runtime: NodeRuntime;
	/** The script to run: `<node> <script> start`. */
	script: string;
}

const FILES = ['package.json', 'package-lock.json', '.npmrc'];

/**
 * Installs a real n8n into the cache folder, exactly as its lock file says, unless it is there already. Takes
 * about two and a half minutes and 2.2 GB the first time.
 */
export async function installN8n(version: N8nVersion, say: Say): Promise<N8nInstallation> {
	const runtime = await nodeRuntime(NODE_OF[version], say);
	const recipe = join(__dirname, 'host', `n8n-${version}`);
	const hash = createHash('sha256').update(runtime.version);
	for (const file of FILES) hash.update(readFileSync(join(recipe, file)));
	const folder = await cached(
		`n8n-${version}-${process.platform}-${process.arch}-${hash.digest('hex').slice(0, 12)}`,
		async (draft) => {
			for (const file of FILES) copyFileSync(join(recipe, file), join(draft, file));
			await download(draft, version, runtime, say);
		},
		say,
	);
	return { version, runtime, script: join(folder, 'node_modules', 'n8n', 'bin', 'n8n') };
}

async function download(cwd: string, version: N8nVersion, runtime: NodeRuntime, say: Say) {
	const env = npmEnvironment({
		PATH: pathWith(runtime),
		...(runtime.headers ? { npm_config_nodedir: runtime.headers } : {}),
	});
	say(`Installing n8n ${version} (about 2,000 packages, 2 GB, once) …`);
	await run('npm', ['ci', '--no-audit', '--no-fund'], {
		cwd,
		env,
		what: `Installing n8n ${version}`,
		say,
	});
	// The one native add-on that n8n cannot start without and that brings no binary of its own.
	say('Building the database driver (about a minute) …');
	await run('npm', ['rebuild', 'sqlite3', '--ignore-scripts=false'], {
		cwd,
		env,
		what: 'Building sqlite3 (needs python3, make and a C++ compiler)',
		say,
	});
}
