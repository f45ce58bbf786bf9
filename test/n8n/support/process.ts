import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Say } from '../../support/command';
import { lifeline } from './lifeline';
import { waitFor } from '../../support/wait';
import type { N8nInstallation } from './install';

/** The role of a process: all of n8n or its main part, or one that works beside it in queue mode. */
export type N8nCommand = 'start' | 'worker' | 'webhook';

interface ProcessOptions {
	installation: N8nInstallation;
	command: N8nCommand;
	cwd: string;
	env: NodeJS.ProcessEnv;
	/** Receives every line of stdout and stderr. */
	onLine: Say;
}

const STOP_MS = 30_000;

/** One process of an n8n, with its task runner. */
export class N8nProcess {
	readonly child: ChildProcess;
	private readonly release: () => void;

	constructor({ installation, command, cwd, env, onLine }: ProcessOptions) {
		this.child = spawn(installation.runtime.node, [installation.script, command], {
			cwd,
			env,
			stdio: ['ignore', 'pipe', 'pipe'],
			// A process group of its own, so that its task runner can be ended with it.
			detached: true,
		});
		const { pid, stdout, stderr } = this.child;
		this.release = pid === undefined ? () => {} : lifeline(pid);
		for (const stream of [stdout, stderr]) {
			if (stream) createInterface(stream).on('line', onLine);
		}
	}

	/** Whether the process has ended, by itself or by a signal. */
	get isGone(): boolean {
		return this.child.exitCode !== null || this.child.signalCode !== null;
	}

	/** Resolves when the process and its task runner are gone. */
	async end(signal: 'SIGTERM' | 'SIGKILL') {
		const { pid } = this.child;
		if (pid === undefined) return;
		if (!this.isGone) {
			if (signal === 'SIGTERM') this.child.kill('SIGTERM');
			else killGroup(pid);
			const gone = () => this.isGone;
			await waitFor(gone, { timeout: STOP_MS, interval: 50, what: 'n8n to end' }).catch(() =>
				killGroup(pid),
			);
			await waitFor(gone, { interval: 50, what: 'a killed n8n to end' });
		}
		// Its task runner would notice by itself, but only some seconds later.
		killGroup(pid);
		this.release();
	}
}

function killGroup(pid: number) {
	try {
		process.kill(-pid, 'SIGKILL');
	} catch {
		// No process is left to kill.
	}
}
