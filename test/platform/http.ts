import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** The only address that the platform listens on. */
const LOOPBACK = '127.0.0.1';

/** Bodies of JSON requests are refused beyond this. */
const LARGEST_BODY = 4 * 1024 * 1024;

/** Pieces that a slow body is sent in. */
const SLOW_PIECES = 10;

export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** A server that listens. */
export interface Listening {
	port: number;
	stop(): Promise<void>;
}

/** An answer as it goes onto the wire. */
export interface Answer {
	status: number;
	headers: Record<string, string>;
	body: string;
}

/**
 * Serves a handler on the loopback address.
 * @param port 0 takes a free one
 * @param tls key and certificate for https
 */
export async function listen(
	handler: Handler,
	port: number,
	tls?: { key: string; cert: string },
): Promise<Listening> {
	const serve = (request: IncomingMessage, response: ServerResponse) => {
		// A handler that fails is a defect of the platform: the client sees a broken connection, we the reason.
		handler(request, response).catch((error: unknown) => {
			process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
			request.socket.destroy();
		});
	};
	const server: Server = tls ? createTlsServer(tls, serve) : createServer(serve);
	// Uploads may take long, and held polls are idle for 90 seconds.
	server.requestTimeout = 0;
	server.keepAliveTimeout = 65_000;
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, LOOPBACK, resolve);
	});
	return { port: portOf(server), stop: () => close(server) };
}

/** The body of a request. Rejects when the client breaks off or sends too much. */
export function readBody(request: IncomingMessage): Promise<Buffer> {
	return new Promise((resolve, reject) => {
		const chunks: Buffer[] = [];
		let size = 0;
		request.on('data', (chunk: Buffer) => {
			chunks.push(chunk);
			size += chunk.length;
			if (size > LARGEST_BODY) request.destroy(new Error('body too large'));
		});
		request.once('end', () =>
			resolve(chunks.length === 1 ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks)),
		);
		request.once('error', reject);
		request.once('close', () => {
			if (!request.complete) reject(new Error('connection closed'));
		});
	});
}

/** Sends an answer, spread over `slowBodyMs` milliseconds when that is given. */
export async function send(
	response: ServerResponse,
	{ status, headers, body }: Answer,
	slowBodyMs = 0,
): Promise<void> {
	response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
	if (slowBodyMs > 0) {
		const bytes = Buffer.from(body);
		const size = Math.max(1, Math.ceil(bytes.length / SLOW_PIECES));
		for (let from = 0; from < bytes.length && !response.destroyed; from += size) {
			response.write(bytes.subarray(from, from + size));
			await sleep(slowBodyMs / SLOW_PIECES);
		}
		response.end();
		return;
	}
	response.end(body);
}

function portOf(server: Server): number {
	const address: AddressInfo | string | null = server.address();
	return typeof address === 'object' && address !== null ? address.port : 0;
}

function close(server: Server): Promise<void> {
	return new Promise((resolve) => {
		server.close(() => resolve());
		server.closeAllConnections();
	});
}
