import { spawn } from 'node:child_process';

/** Receives progress, one line per call. */
export type Say = (line: string) => void;

interface CommandOptions {
	cwd?: string;
	env?: NodeJS.ProcessEnv;
	/** What the command does, for the heartbeat and the error text. */
	what: string;
	say?: Say;
}

const HEARTBEAT_MS = 15_000;
/** How many lines of a failed command's output are shown. */
const SHOWN_OF_OUTPUT = 40;

/**
 * The environment for an npm that works in another folder. A surrounding `npm run` exports facts about its own package,
 * which would point the inner npm at the wrong folder.
 */
export function npmEnvironment(extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
	const outer = /^npm_(package|lifecycle|command|config_(local_prefix|prefix|ignore_scripts))/i;
	const kept = Object.entries(process.env).filter(
		([name]) => !outer.test(name) && name !== 'NODE_ENV',
	);
	return { ...Object.fromEntries(kept), ...extra };
}

/**
 * Runs a command to its end, without input, and returns its standard output. Reports every 15 seconds that it is still
 * running. Throws with the end of the output if the command fails or does not exist.
 */
export async function run(command: string, args: string[], options: CommandOptions) {
	const { cwd, env, what, say } = options;
	const started = Date.now();
	const seconds = () => Math.round((Date.now() - started) / 1000);
	const child = spawn(command, args, {
		cwd,
		env: env ?? process.env,
		stdio: ['ignore', 'pipe', 'pipe'],
		shell: process.platform === 'win32',
	});
	const out: string[] = [];
	const all: string[] = [];
	child.stdout.setEncoding('utf8').on('data', (text: string) => {
		out.push(text);
		all.push(text);
	});
	child.stderr.setEncoding('utf8').on('data', (text: string) => all.push(text));
	const heartbeat = setInterval(() => say?.(`  … ${what}, ${seconds()} s`), HEARTBEAT_MS);
	try {
		const code = await new Promise<number | null>((resolve, reject) => {
			child.once('error', reject).once('close', resolve);
		});
		if (code === 0) return out.join('');
		const end = all.join('').trimEnd().split('\n').slice(-SHOWN_OF_OUTPUT).join('\n');
		throw new Error(`${what} failed: \`${command} ${args.join(' ')}\` ended with ${code}\n${end}`);
	} finally {
		clearInterval(heartbeat);
	}
}
