/**
 * Builds the package from scratch and packs it as `npm publish` would: `node test/support/pack.mjs [folder]`.
 * The output is the path of the tarball.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const npm = (args) => {
	const { status, stdout, stderr, error } = spawnSync('npm', args, {
		cwd: root,
		encoding: 'utf8',
		shell: process.platform === 'win32',
	});
	if (status === 0) return;
	throw new Error(`npm ${args.join(' ')} failed\n${error?.message ?? ''}${stdout}${stderr}`);
};

/** Resolves to the path of the tarball, in `folder`. */
export function pack(folder = join(root, 'test-output', 'package')) {
	const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
	// Files of earlier builds must not be packed.
	rmSync(join(root, 'dist'), { recursive: true, force: true });
	// Not the script `build`: it checks all types first, which lint does as well and which takes most of its time.
	npm(['exec', 'gulp']);
	mkdirSync(folder, { recursive: true });
	npm(['pack', '--ignore-scripts', '--pack-destination', folder]);
	return join(folder, `${name}-${version}.tgz`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	try {
		console.log(pack(process.argv[2] && resolve(process.argv[2])));
	} catch (error) {
		console.error(error.message);
		process.exitCode = 1;
	}
}
