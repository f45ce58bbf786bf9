import type { Response } from 'express';
import type { IWebhookData } from 'n8n-workflow';
import type { Server } from 'node:http';
import { createServer } from 'node:https';
import { close, listen } from '../../../support/server';
import { Refusal, webServer, type WebhookRequest } from './exchange';

/** Production or test, as in the first part of the path. */
export type WebhookKind = 'webhook' | 'webhook-test';

type WebhookHandler = (request: WebhookRequest, response: Response) => Promise<void>;

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
		const answer = webServer(async (...exchange) => await this.answer(...exchange));
		this.server = createServer(certificate, answer);
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

	private async answer(request: WebhookRequest, response: Response): Promise<void> {
		const [, kind = '', ...rest] = request.path.replace(/\/$/, '').split('/');
		// As n8n does: it looks for the decoded path, among those that it has registered as they are.
		const path = rest.map(decodeURIComponent).join('/');
		const handler = this.routes.get(`${kind} ${request.method} ${path}`);
		const message = `The requested webhook "${request.method} ${path}" is not registered.`;
		if (!handler) throw new Refusal(404, { code: 404, message });
		await handler(request, response);
	}
}

function routeOf(kind: WebhookKind, { httpMethod, path }: IWebhookData): string {
	return `${kind} ${httpMethod} ${path}`;
}
