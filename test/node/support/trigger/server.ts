import type { IWebhookData } from 'n8n-workflow';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { close, listen } from '../../../support/server';
import {
	Refusal,
	toWebhookRequest,
	toWebhookResponse,
	type WebhookRequest,
	type WebhookResponse,
} from './exchange';

/** Production or test, as in the first part of the path. */
export type WebhookKind = 'webhook' | 'webhook-test';

type WebhookHandler = (request: WebhookRequest, response: WebhookResponse) => Promise<void>;

/** Key and certificate chain in PEM. */
export interface Certificate {
	key: string;
	cert: string;
}

/** The part of n8n's web server that serves webhooks. */
export class WebhookServer {
	private readonly routes = new Map<string, WebhookHandler>();

	private readonly server: Server;

	/** Port on this machine; 0 before `start`. */
	port = 0;

	constructor(certificate: Certificate) {
		this.server = createServer(certificate, (request, response) => {
			void this.answer(request, response);
		});
	}

	/** Listens on a free port of the loopback address. */
	async start(): Promise<void> {
		this.port = await listen(this.server);
	}

	register(kind: WebhookKind, webhook: IWebhookData, handler: WebhookHandler): void {
		this.routes.set(routeOf(kind, webhook), handler);
	}

	unregister(kind: WebhookKind, webhook: IWebhookData): void {
		this.routes.delete(routeOf(kind, webhook));
	}

	/** Closes the server and all connections. */
	async stop(): Promise<void> {
		await close(this.server);
	}

	private async answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
		const request = toWebhookRequest(incoming);
		const response = toWebhookResponse(outgoing);
		const [, kind = '', ...rest] = (incoming.url ?? '').replace(/\?.*$/, '').split('/');
		const path = rest.join('/').replace(/\/$/, '');
		const handler = this.routes.get(`${kind} ${incoming.method} ${path}`);
		try {
			if (!handler) {
				const message = `The requested webhook "${incoming.method} ${path}" is not registered.`;
				throw new Refusal(404, { code: 404, message });
			}
			await handler(request, response);
		} catch (error) {
			const { status, body } = refusalOf(error);
			if (!response.headersSent) response.status(status).json(body);
		}
	}
}

function routeOf(kind: WebhookKind, { httpMethod, path }: IWebhookData): string {
	return `${kind} ${httpMethod} ${path}`;
}

function refusalOf(error: unknown): Refusal {
	if (error instanceof Refusal) return error;
	return new Refusal(500, { code: 0, message: error instanceof Error ? error.message : 'Unknown' });
}
