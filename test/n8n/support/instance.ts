import { Agent, fetch } from 'undici';
import type { Say } from '../../support/command';
import { freePort } from './ports';
import { waitFor } from '../../support/wait';
import { environmentOf } from './environment';
import type { N8nInstallation } from './install';
import { N8nProcess, type N8nCommand } from './process';
import type { CommandLine } from './shared';

export interface InstanceOptions {
	installation: N8nInstallation;
	/** n8n's user folder: database, keys and packages are in `<folder>/.n8n`. A second start finds them again. */
	folder: string;
	/** A free port by default. */
	port?: number;
	/** Key and certificate chain (PEM) for HTTPS; plain HTTP without. */
	tls?: { key: string; cert: string };
	/**
	 * The public address for webhooks of this instance, including test webhooks. Default: its own address.
	 * (N8N_EDITOR_BASE_URL stays unset: n8n before 2.30 would use it as the address of test webhooks.)
	 */
	webhookUrl?: string;
	/** Authorities (PEM) that this n8n trusts besides the usual ones, and that its clients need. */
	ca?: string;
	/** The package that this n8n gets when it asks npm for it, see package.ts. */
	tarball?: string;
	env?: Record<string, string>;
	/** Receives every line of the log. */
	onLog?: Say;
}

const READY_MS = 240_000;

/** A real n8n in a process of its own. */
export class N8nInstance {
	readonly url: string;
	/** Everything that the processes of this instance wrote, line by line, across all restarts. */
	readonly log: string[] = [];
	private process: N8nProcess | undefined;

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

	/** The authority that a client of this instance has to trust. */
	get ca() {
		return this.options.ca;
	}

	/** The process ID of the running n8n; undefined if it is stopped. */
	get pid() {
		return this.process?.child.pid;
	}

	/** What it takes to run n8n's command line beside it. */
	get commandLine(): CommandLine {
		const { installation, folder: cwd, env } = this.options;
		const { runtime, script } = installation;
		return { node: runtime.node, script, cwd, env: { ...environmentOf(this), ...env } };
	}

	/** Stops n8n as a service manager does; resolves when the process is gone. */
	async stop() {
		await this.end('SIGTERM');
	}

	/** `kill -9`: no shutdown, no cleanup. Resolves when the process is gone. */
	async kill() {
		await this.end('SIGKILL');
	}

	/** Starts again (stopping first if it runs): same folder, same port, changed environment. */
	async restart(env: Record<string, string> = {}) {
		await this.stop();
		await this.boot(env);
	}

	/** Starts another process of this instance in queue mode. `onLine` receives its output. */
	startBeside(command: 'worker' | 'webhook', env: Record<string, string>, onLine: Say): N8nProcess {
		return this.spawn(command, env, onLine);
	}

	private async boot(env: Record<string, string> = {}) {
		this.process = this.spawn('start', env);
		await this.untilReady(this.process);
	}

	private spawn(
		command: N8nCommand,
		env: Record<string, string>,
		onOwnLine: Say = () => {},
	): N8nProcess {
		const { installation, folder, onLog } = this.options;
		return new N8nProcess({
			installation,
			command,
			cwd: folder,
			env: { ...environmentOf(this), ...this.options.env, ...env },
			onLine: (line) => {
				this.log.push(line);
				onLog?.(line);
				onOwnLine(line);
			},
		});
	}

	private async untilReady(process: N8nProcess) {
		const { ca } = this.options;
		const dispatcher = new Agent({ connect: ca ? { ca } : {} });
		// Older versions report ready a moment before they serve anything else.
		const answers = (path: string, wanted: number) =>
			fetch(`${this.url}${path}`, { dispatcher }).then(
				({ status }) => status === wanted,
				() => false,
			);
		const failure = new Promise<never>((_, reject) => process.child.once('error', reject));
		const ready = waitFor(
			async () => {
				if (process.isGone) throw new Error(`n8n ended while starting:\n${this.end20()}`);
				return (await answers('/healthz/readiness', 200)) && (await answers('/rest/login', 401));
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
		await this.process?.end(signal);
		this.process = undefined;
	}
}
