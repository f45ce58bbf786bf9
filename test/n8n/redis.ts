import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { lifeline } from '../support/lifeline';
import { freePort } from '../support/ports';
import { programPath } from '../support/program';
import { waitFor } from '../support/wait';

const REDIS = {
	name: 'Redis',
	places: [
		'/usr/bin/redis-server',
		'/usr/local/bin/redis-server',
		'/opt/homebrew/bin/redis-server',
	],
	variable: 'REDIS_SERVER',
	debianPackage: 'redis-server',
};

export interface Redis {
	port: number;
	stop(): void;
}

/** A Redis that keeps nothing on disk. Resolves when it takes connections. */
export async function startRedis(): Promise<Redis> {
	const path = await programPath(REDIS, console.error);
	const port = await freePort();
	const options = [
		'--port',
		String(port),
		'--bind',
		'127.0.0.1',
		'--save',
		'',
		'--appendonly',
		'no',
	];
	const child = spawn(path, options, { stdio: 'ignore', detached: true });
	const release = child.pid === undefined ? () => {} : lifeline(child.pid);
	const answers = async () =>
		await new Promise<boolean>((resolve) => {
			const socket = connect(port, '127.0.0.1', () => {
				socket.destroy();
				resolve(true);
			}).on('error', () => resolve(false));
		});
	await waitFor(answers, { what: 'Redis to take connections' });
	return {
		port,
		stop: () => {
			child.kill('SIGKILL');
			release();
		},
	};
}
