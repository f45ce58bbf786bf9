import { Agent, request } from 'node:https';
import { checkServerIdentity } from 'node:tls';
import type { Clock } from '../clock';
import type { Settings } from '../options';

/** How long an endpoint may take to answer. */
const ANSWER_WITHIN_MS = 30_000;

/** Connections to one endpoint at the same time. */
const CONNECTIONS = 64;

/** How long an idle connection is kept: shorter than endpoints do, so that none closes in the middle of a delivery. */
const IDLE_MS = 2_000;

/** One HTTPS request to a webhook. */
interface WebhookRequest {
	url: string;
	body: string;
	headers: Record<string, string>;
	/** Requests of a lane leave in order; none waits for the answer to the one before. */
	lane: string;
}

/** Sends webhooks as the service does: TLS is validated, and the port is 443 without being in the URL. */
export class WebhookSender {
	private agent = newAgent();

	/** When the last request of each lane has left. */
	private readonly lanes = new Map<string, Promise<void>>();

	constructor(
		private readonly clock: Clock,
		private readonly settings: Settings,
	) {}

	/**
	 * Posts the body and resolves to the status of the answer.
	 * @throws Error with the reason if there is no answer (TLS, connection, 30 seconds exceeded)
	 */
	async send({ url, body, headers, lane }: WebhookRequest): Promise<number> {
		if (hasPort(url)) throw new Error('the url has a port: nothing is delivered');
		const before = this.lanes.get(lane);
		let leave = () => {};
		const left = new Promise<void>((resolve) => (leave = resolve));
		this.lanes.set(lane, left);
		void left.then(() => this.lanes.get(lane) === left && this.lanes.delete(lane));
		await before;
		const { hostname, pathname, search } = new URL(url);
		const host = hostname.replace(/^\[|\]$/g, '');
		const address = this.addressOf(host);
		return new Promise((resolve, reject) => {
			const outgoing = request({
				...address,
				agent: this.agent,
				method: 'POST',
				path: `${pathname}${search}`,
				headers: { host: hostname, 'content-length': Buffer.byteLength(body), ...headers },
				ca: this.settings.trustedCa,
				servername: isAddress(host) ? '' : host,
				checkServerIdentity: (_name, certificate) => checkServerIdentity(host, certificate),
			});
			outgoing.once('socket', () => {
				const limit = this.clock.after(ANSWER_WITHIN_MS, () =>
					outgoing.destroy(new Error('no answer within 30 seconds')),
				);
				outgoing.once('close', () => limit.cancel());
			});
			outgoing.once('response', (answer) => {
				answer.once('end', () => resolve(answer.statusCode ?? 0));
				answer.once('error', reject);
				answer.resume();
			});
			outgoing.once('error', reject);
			// Otherwise one whose connection is slow to open would be overtaken by the next one.
			for (const event of ['finish', 'close']) outgoing.once(event, leave);
			outgoing.end(body);
		});
	}

	/** Closes all connections; the next delivery opens new ones and validates them again. */
	reset(): void {
		this.agent.destroy();
		this.agent = newAgent();
	}

	private addressOf(host: string): { host: string; port: number } {
		const mapped = this.settings.resolve[`${host}:443`];
		if (mapped === undefined) return { host, port: 443 };
		const colon = mapped.lastIndexOf(':');
		return { host: mapped.slice(0, colon), port: Number(mapped.slice(colon + 1)) };
	}
}

function newAgent(): Agent {
	// No cached TLS sessions: a resumed one would skip certificate validation.
	return new Agent({
		keepAlive: true,
		maxSockets: CONNECTIONS,
		maxCachedSessions: 0,
		timeout: IDLE_MS,
	});
}

function hasPort(url: string): boolean {
	return /^https:\/\/[^/?#]*:\d+(?:[/?#]|$)/i.test(url);
}

function isAddress(host: string): boolean {
	return /^[\d.]+$/.test(host) || host.includes(':');
}
