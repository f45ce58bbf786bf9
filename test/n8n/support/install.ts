import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cached } from './cache';
import { npmEnvironment, run, type Say } from '../../support/command';
import { nodeRuntime, pathWith, type NodeRuntime } from './node24';

/**
 * Versions with a lock file in `host/`, and the Node version that each runs on. The first is the main one; its Node, the
 * newest that n8n supports, also runs every version that is not listed.
 */
export const PINNED: Readonly<Record<string, string>> = { '2.41.1': '24.21.0', '2.8.4': '20.20.2' };

const [[MAIN_VERSION, MAIN_NODE] = ['', '']] = Object.entries(PINNED);

/** The version of n8n to use: the main one, unless `BOT_MESSAGING_N8N` names another, such as `2.40.7`. */
export function wantedVersion(): string {
	const version = process.env.BOT_MESSAGING_N8N ?? MAIN_VERSION;
	if (/^\d+\.\d+\.\d+$/.test(version)) return version;
	throw new Error(`"${version}" is not a version of n8n, such as ${MAIN_VERSION}`);
}

export interface N8nInstallation {
	version: string;
	runtime: NodeRuntime;
	/** The script to run: `<node> <script> start`. */
	script: string;
}

/**
 * Installs a real n8n into the cache folder, unless it is already there: exactly as in its lock file or, for a version
 * without one, as npm resolves it today. Takes about two and a half minutes and 2.2 GB the first time.
 */
export async function installN8n(version: string, say: Say): Promise<N8nInstallation> {
	const runtime = await nodeRuntime(PINNED[version] ?? MAIN_NODE, say);
	const files = recipeOf(version);
	const hash = createHash('sha256').update(runtime.version);
	for (const content of Object.values(files)) hash.update(content);
	const folder = await cached(
		`n8n-${version}-${process.platform}-${process.arch}-${hash.digest('hex').slice(0, 12)}`,
		async (draft) => {
			for (const [name, content] of Object.entries(files))
				writeFileSync(join(draft, name), content);
			await download(draft, version, runtime, say);
		},
		say,
	);
	return { version, runtime, script: join(folder, 'node_modules', 'n8n', 'bin', 'n8n') };
}

const FILES = ['package.json', '.npmrc'];
const LOCK = 'package-lock.json';

/** The files for npm, by name. A version without a lock file is resolved with the main version's overrides. */
function recipeOf(version: string): Record<string, string> {
	const isPinned = version in PINNED;
	const base = isPinned ? version : MAIN_VERSION;
	const read = (name: string) =>
		readFileSync(join(__dirname, '..', 'host', `n8n-${base}`, name), 'utf8').replace(
			`"n8n": "${base}"`,
			`"n8n": "${version}"`,
		);
	return Object.fromEntries(
		[...FILES, ...(isPinned ? [LOCK] : [])].map((name) => [name, read(name)]),
	);
}

async function download(cwd: string, version: string, runtime: NodeRuntime, say: Say) {
	const env = npmEnvironment({
		PATH: pathWith(runtime),
		...(runtime.headers ? { npm_config_nodedir: runtime.headers } : {}),
	});
	say(`Installing n8n ${version} (about 2,000 packages, 2 GB, once) …`);
	await run('npm', [version in PINNED ? 'ci' : 'install', '--no-audit', '--no-fund'], {
		cwd,
		env,
		what: `Installing n8n ${version}`,
		say,
	});
	// The only native add-on that n8n cannot start without and that comes without a binary.
	say('Building the database driver (about a minute) …');
	await run('npm', ['rebuild', 'sqlite3', '--ignore-scripts=false'], {
		cwd,
		env,
		what: 'Building sqlite3 (needs python3, make and a C++ compiler)',
		say,
	});
}
