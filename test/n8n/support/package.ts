import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { run, type Say } from '../../support/command';

/** Builds and packs the package, unless `BOT_MESSAGING_TARBALL` names one. Resolves to the path of the tarball. */
export async function packTarball(say: Say): Promise<string> {
	const given = process.env.BOT_MESSAGING_TARBALL;
	if (given) return given;
	say('Building and packing the package …');
	const script = join(__dirname, '..', '..', 'support', 'pack.mjs');
	const output = await run(process.execPath, [script], { what: 'Packing the package', say });
	return output.trim();
}

/**
 * "Publishes" the tarball for one n8n: n8n's own installer runs the program `npm` to fetch a package by name, so this
 * n8n gets a program of that name which answers for our package and passes everything else on to the real npm.
 * Stripping, unpacking, loading and recording the package is left to n8n.
 *
 * `path` is the value of `PATH` to extend; returns the extended one.
 */
export function publish(tarball: string, folder: string, path: string): string {
	const bin = join(folder, 'bin');
	const match = /^(.+)-(\d+\.\d+\.\d+.*)\.tgz$/.exec(basename(tarball));
	if (!match) throw new Error(`${tarball} is not the tarball of a package`);
	const [, name, version] = match;
	mkdirSync(bin, { recursive: true });
	writeFileSync(
		join(bin, 'npm'),
		`#!/usr/bin/env node
const { spawnSync } = require('node:child_process');
const [command, ...rest] = process.argv.slice(2);
const answers = { view: ${JSON.stringify(JSON.stringify(version))}, outdated: '{}' };
if (answers[command]) console.log(answers[command]);
else {
	const ours = (word) => (word.startsWith('${name}@') ? ${JSON.stringify(tarball)} : word);
	const env = { ...process.env, PATH: ${JSON.stringify(path)} };
	const { status } = spawnSync('npm', [command, ...rest.map(ours)], { env, stdio: 'inherit' });
	process.exitCode = status ?? 1;
}
`,
		{ mode: 0o755 },
	);
	return `${bin}:${path}`;
}
