import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cached } from './cache';
import { npmEnvironment, run, type Say } from '../../support/command';

/** A Node.js for programs that do not run on the one that runs us. */
export interface NodeRuntime {
	/** The executable. */
	node: string;
	/** The folder that contains `include/node`, node-gyp's nodedir. Absent if there are no headers. */
	headers: string | undefined;
	version: string;
}

const platformName = () => (process.platform === 'win32' ? 'win' : process.platform);

/** `PATH` with the folder of this Node first, so that npm and node-gyp use it as well. */
export const pathWith = ({ node }: NodeRuntime) =>
	[dirname(node), process.env.PATH].join(process.platform === 'win32' ? ';' : ':');

/** The Node that runs us if it has the wanted major version; otherwise exactly this version from npm, cached. */
export async function nodeRuntime(version: string, say: Say): Promise<NodeRuntime> {
	const [major] = version.split('.');
	if (process.versions.node.split('.')[0] === major) return own();
	const name = `node-${platformName()}-${process.arch}`;
	const folder = await cached(
		`${name}-${version}`,
		async (draft) => {
			say(`Getting Node ${version} from npm (this machine has ${process.versions.node}) …`);
			await run(
				'npm',
				[
					'install',
					'--no-save',
					'--no-audit',
					'--no-fund',
					'--ignore-scripts',
					`${name}@${version}`,
				],
				{ cwd: draft, env: npmEnvironment(), what: `Getting Node ${version}`, say },
			);
		},
		say,
	);
	const root = join(folder, 'node_modules', name);
	const node =
		process.platform === 'win32' ? join(root, 'bin', 'node.exe') : join(root, 'bin', 'node');
	return { node, headers: root, version };
}

function own(): NodeRuntime {
	const root = join(dirname(process.execPath), '..');
	const headers = existsSync(join(root, 'include', 'node', 'node.h')) ? root : undefined;
	return { node: process.execPath, headers, version: process.versions.node };
}
