import { spawn, type ChildProcess } from 'node:child_process';
import { Agent, fetch } from 'undici';
import type { Say } from '../support/command';
import { lifeline } from '../support/lifeline';
import { freePort } from '../support/ports';
import { waitFor } from '../support/wait';
import { environmentOf } from './environment';
import type { N8nInstallation } from './install';

export interface InstanceOptions {
	installation: N8nInstallation;
	/** n8n's user folder: database, keys and packages live in `<folder>/.n8n`. A second start finds them again. */
	folder: string;
	/** Default: any free port. */
	port?: number;
	/** Serve https with this key and certificate chain (PEM); plain http without. */
	tls?: { key: string; cert: string };
	/**
	 * The public address under which webhooks reach this instance, test webhooks too. Default: its own address.
	 * (N8N_EDITOR_BASE_URL stays unset: n8n would take it for the address of test webhooks.)
	 */
	webhookUrl?: string;
	/** Authorities (PEM) that this n8n trusts besides the usual ones, and that clients of it need. */
	ca?: string;
	/** The package that this n8n finds when it asks npm for it, see package.ts. */
	tarball?: string;
	env?: Record<string, string>;
	/** Hears every line of the log. */
	onLog?: Say;
}

const READY_MS = 120_000;
const STOP_MS = 30_000;

/** A real n8n in a process of its own. */
export class N8nInstance {
	readonly url: string;
	/** Everything that the processes of this instance wrote, line by line, over all restarts. */
	readonly log: string[] = [];
	private child: ChildProcess | undefined;
	private release: (() => void) | undefined;

	private constructor(
		readonly options: InstanceOptions,
		readonly port: number,
		readonly brokerPort: number,
	) {
		this.url = `${options.tls ? 'https' : 'http'}://localhost:${port}`;
	}

	/** Resolves when the instance serves requests. */
	static async start(options: InstanceOptions): Promise<N8nInstance> {
		const instance = new N8nInstance(options, await freePort(options.port), await freePort());
		await instance.boot();
		return instance;
	}

	/** What a client has to trust to speak to this instance. */
	get ca() {
		return this.options.ca;
	}

	/** The process id of the running n8n; undefined when it is stopped. */
	get pid() {
		return this.child?.pid;
	}

	/** Stops as a service manager does, and resolves when the process is gone. */
	async stop() {
		await this.end('SIGTERM');
	}

	/** `kill -9`: no farewell, no clean-up. Resolves when the process is gone. */
	async kill() {
		await this.end('SIGKILL');
	}

	/** Starts again what was stopped or killed (or stops it first): same folder, same port, changed environment. */
	async restart(env: Record<string, string> = {}) {
		await this.stop();
		await this.boot(env);
	}

	/** Resolves to the first log line that matches, from line number `since` on. */
	async waitForLog(pattern: RegExp, { since = 0, timeout = 20_000 } = {}): Promise<string> {
		return await waitFor(() => this.log.slice(since).find((line) => pattern.test(line)), {
			timeout,
			what: () => `a log line like ${pattern}\n${this.log.slice(-20).join('\n')}`,
		});
	}

	private async boot(env: Record<string, string> = {}) {
		const { installation, folder, onLog } = this.options;
		const child = spawn(installation.runtime.node, [installation.script, 'start'], {
			cwd: folder,
			env: { ...environmentOf(this), ...this.options.env, ...env },
			stdio: ['ignore', 'pipe', 'pipe'],
			// A process group of its own, so that its task runner can be ended with it.
			detached: true,
		});
		this.child = child;
		if (child.pid !== undefined) this.release = lifeline(child.pid);
		for (const stream of [child.stdout, child.stderr]) {
			let rest = '';
			stream.setEncoding('utf8').on('data', (text: string) => {
				const lines = (rest + text).split('\n');
				rest = lines.pop() ?? '';
				this.log.push(...lines);
				for (const line of lines) onLog?.(line);
			});
		}
		await this.untilReady(child);
	}

	private async untilReady(child: ChildProcess) {
		const { ca } = this.options;
		const dispatcher = new Agent({ connect: ca ? { ca } : {} });
		// Older versions call themselves ready a moment before they serve anything else.
		const answers = (path: string) =>
			fetch(`${this.url}${path}`, { dispatcher }).then(
				({ status }) => status === 200,
				() => false,
			);
		const failure = new Promise<never>((_, reject) => child.once('error', reject));
		const ready = waitFor(
			async () => {
				if (child.exitCode !== null) throw new Error(`n8n ended while starting:\n${this.end20()}`);
				return (await answers('/healthz/readiness')) && (await answers('/rest/settings'));
			},
			{ timeout: READY_MS, interval: 200, what: () => `n8n to get ready\n${this.end20()}` },
		);
		try {
			await Promise.race([ready, failure]);
		} catch (error) {
			await this.kill();
			throw error;
		} finally {
			await dispatcher.destroy();
		}
	}

	private end20() {
		return this.log.slice(-20).join('\n');
	}

	private async end(signal: 'SIGTERM' | 'SIGKILL') {
		const { child } = this;
		if (child?.pid === undefined) return;
		const { pid } = child;
		const gone = () => child.exitCode !== null || child.signalCode !== null;
		if (!gone()) {
			if (signal === 'SIGTERM') child.kill('SIGTERM');
			else killGroup(pid);
			await waitFor(gone, { timeout: STOP_MS, interval: 50, what: 'n8n to end' }).catch(() =>
				killGroup(pid),
			);
			await waitFor(gone, { interval: 50, what: 'a killed n8n to end' });
		}
		// Its task runner would notice by itself, but only some seconds later.
		killGroup(pid);
		this.release?.();
		this.release = undefined;
		this.child = undefined;
	}
}

function killGroup(pid: number) {
	try {
		process.kill(-pid, 'SIGKILL');
	} catch {
		// Nobody left to kill.
	}
}
