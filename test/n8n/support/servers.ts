import { execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lifeline } from './lifeline';
import { freePort } from './ports';
import { programPath, type Program } from './program';
import { waitFor } from '../../support/wait';

const REDIS: Program = {
	name: 'Redis',
	places: [
		'/usr/bin/redis-server',
		'/usr/local/bin/redis-server',
		'/opt/homebrew/bin/redis-server',
	],
	variable: 'REDIS_SERVER',
	debianPackage: 'redis-server',
};

/** Where Debian and others install a PostgreSQL server, newest version first. */
const POSTGRES: Program = {
	name: 'PostgreSQL',
	places: [
		...[18, 17, 16, 15, 14, 13].map((version) => `/usr/lib/postgresql/${version}/bin/postgres`),
		'/usr/local/bin/postgres',
		'/opt/homebrew/bin/postgres',
	],
	variable: 'POSTGRES',
	debianPackage: 'postgresql',
};

/** A server beside n8n, on a free port of the loopback address. */
export interface Server {
	port: number;
	pid: number | undefined;
	stop(): void;
}

interface Launch {
	command: string;
	args: string[];
	port: number;
	/** The user to run as, for servers that must not run as root. */
	user?: { uid: number; gid: number };
}

/** Resolves once the server accepts connections. */
async function launch({ command, args, port, user }: Launch): Promise<Server> {
	const child = spawn(command, args, { stdio: 'ignore', detached: true, ...user });
	const release = child.pid === undefined ? () => {} : lifeline(child.pid);
	const answers = async () =>
		await new Promise<boolean>((resolve) => {
			const socket = connect(port, '127.0.0.1', () => {
				socket.destroy();
				resolve(true);
			}).on('error', () => resolve(false));
		});
	await waitFor(answers, { what: `${command} to take connections` });
	return {
		port,
		pid: child.pid,
		stop: () => {
			child.kill('SIGKILL');
			release();
		},
	};
}

/** A Redis without persistence. */
export async function startRedis(): Promise<Server> {
	const port = await freePort();
	const options = { port: String(port), bind: '127.0.0.1', save: '', appendonly: 'no' };
	const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
	return await launch({ command: await programPath(REDIS, console.error), args, port });
}

/** The environment that points n8n to the database. */
export const postgresEnvironment = ({ port }: Server): Record<string, string> => ({
	DB_TYPE: 'postgresdb',
	DB_POSTGRESDB_HOST: '127.0.0.1',
	DB_POSTGRESDB_PORT: String(port),
	DB_POSTGRESDB_DATABASE: 'postgres',
	DB_POSTGRESDB_USER: 'n8n',
});

/** A new, empty PostgreSQL; its data is in a temporary folder that is removed with it. It refuses to run as root. */
export async function startPostgres(): Promise<Server> {
	const command = await programPath(POSTGRES, console.error);
	const port = await freePort();
	const folder = mkdtempSync(join(tmpdir(), 'n8n-postgres-'));
	const user = process.getuid?.() === 0 ? userNamed('postgres') : undefined;
	if (user) chownSync(folder, user.uid, user.gid);
	const data = join(folder, 'data');
	execFileSync(
		join(command, '..', 'initdb'),
		['-D', data, '-U', 'n8n', '-A', 'trust', '--no-sync'],
		{ cwd: folder, stdio: 'ignore', ...user },
	);
	// The server is never killed while it is needed, so it need not wait for the disk.
	const settings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];
	const server = await launch({
		command,
		args: [
			'-D',
			data,
			'-h',
			'127.0.0.1',
			'-p',
			String(port),
			'-k',
			folder,
			...settings.flatMap((setting) => ['-c', setting]),
		],
		port,
		...(user && { user }),
	});
	return {
		...server,
		stop: () => {
			server.stop();
			rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
		},
	};
}

/** Suspends a process and those that it started for `ms`, then lets them continue. */
export async function hang(pid: number | undefined, ms: number): Promise<void> {
	const own = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
		.split('\n')
		.map((line) => line.trim().split(/\s+/).map(Number))
		.flatMap(([child, parent]) => (child === pid || parent === pid ? (child ?? []) : []));
	for (const each of own) process.kill(each, 'SIGSTOP');
	await sleep(ms);
	for (const each of own) process.kill(each, 'SIGCONT');
}

/** A user created by the server's package. */
function userNamed(name: string) {
	const id = (which: string) => Number(execFileSync('id', [which, name], { encoding: 'utf8' }));
	return { uid: id('-u'), gid: id('-g') };
}
