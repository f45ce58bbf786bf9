import { spawn, type ChildProcess } from 'node:child_process';

/** Kills a process group as soon as its standard input ends. */
const WATCHER = `process.stdin.resume().on('end', () => {
	try { process.kill(-Number(process.argv[1]), 'SIGKILL') } catch {}
})`;

/**
 * Ties a process group's life to ours: when this process ends, for whatever reason, the group is killed. Returns a
 * function that unties it.
 */
export function lifeline(groupId: number): () => void {
	const watcher: ChildProcess = spawn(process.execPath, ['-e', WATCHER, String(groupId)], {
		stdio: ['pipe', 'ignore', 'ignore'],
		detached: true,
		env: {},
	});
	watcher.unref();
	return () => {
		watcher.kill('SIGKILL');
	};
}
