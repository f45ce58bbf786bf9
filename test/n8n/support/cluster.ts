import { freePort } from './ports';
import { waitFor } from '../../support/wait';
import { startOwnN8n, type OwnN8n } from './own';
import type { N8nProcess } from './process';
import { postgresEnvironment, startPostgres, startRedis, type Server } from './servers';
import type { SharedN8n } from './shared';

/** Lets a worker soon take over what another one left behind. Workers also run what is started in the editor, as from n8n 3 on. */
const QUEUE = {
	EXECUTIONS_MODE: 'queue',
	OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
	QUEUE_BULL_REDIS_HOST: '127.0.0.1',
	QUEUE_WORKER_LOCK_DURATION: '10000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '3000',
	QUEUE_WORKER_STALLED_INTERVAL: '5000',
	QUEUE_HEALTH_CHECK_ACTIVE: 'true',
};

const READY: Record<'worker' | 'webhook', RegExp> = {
	worker: /worker is now ready/,
	webhook: /[Ww]ebhook listener|now ready/,
};

/** An n8n in queue mode on PostgreSQL and Redis: main process, workers, and webhook processes if a test wants them. */
export class Cluster {
	readonly workers: N8nProcess[] = [];

	private constructor(
		readonly own: OwnN8n,
		readonly redis: Server,
		readonly postgres: Server,
	) {}

	/** Starts the servers, the main process and so many workers. */
	static async start(workers: number, env: Record<string, string> = {}): Promise<Cluster> {
		const redis = await startRedis();
		const postgres = await startPostgres();
		try {
			const own = await startOwnN8n({
				...QUEUE,
				...postgresEnvironment(postgres),
				QUEUE_BULL_REDIS_PORT: String(redis.port),
				...env,
			});
			const cluster = new Cluster(own, redis, postgres);
			await cluster.startWorkers(workers);
			return cluster;
		} catch (error) {
			redis.stop();
			postgres.stop();
			throw error;
		}
	}

	/** Starts another worker. */
	async startWorker(): Promise<N8nProcess> {
		const worker = await this.startProcess('worker', {
			QUEUE_HEALTH_CHECK_PORT: String(await freePort()),
		});
		this.workers.push(worker);
		return worker;
	}

	/** Kills all workers, and starts as many new ones. */
	async replaceWorkers(): Promise<void> {
		const old = this.workers.splice(0);
		await Promise.all(old.map(async (worker) => await worker.end('SIGKILL')));
		await this.startWorkers(old.length);
	}

	/** Kills the oldest worker, and starts a new one. */
	async replaceWorker(): Promise<void> {
		await this.workers.shift()?.end('SIGKILL');
		await this.startWorker();
	}

	/** Starts a webhook process; resolves to it and the place of a stage whose webhooks go there. */
	async startWebhookProcess(
		preferredPort?: number,
	): Promise<{ process: N8nProcess; place: SharedN8n }> {
		const port = await freePort(preferredPort);
		const process = await this.startProcess('webhook', { N8N_PORT: String(port) });
		return { process, place: { ...this.own.place, port } };
	}

	async stop(): Promise<void> {
		await Promise.all(this.workers.map(async (worker) => await worker.end('SIGKILL')));
		await this.own.close();
		this.redis.stop();
		this.postgres.stop();
	}

	private async startWorkers(count: number): Promise<void> {
		await Promise.all(Array.from({ length: count }, async () => await this.startWorker()));
	}

	private async startProcess(
		command: 'worker' | 'webhook',
		env: Record<string, string>,
	): Promise<N8nProcess> {
		const { instance } = this.own;
		const ports = { N8N_RUNNERS_BROKER_PORT: String(await freePort()) };
		let isReady = false;
		const started = instance.startBeside(command, { ...ports, ...env }, (line) => {
			isReady ||= READY[command].test(line);
		});
		const what = () => `the ${command} to get ready\n${instance.log.slice(-20).join('\n')}`;
		await waitFor(() => isReady, { timeout: 90_000, what });
		return started;
	}
}
