import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { close, listen as bind } from '../support/server';
import { writeJson } from './json';

/** Largest body that is collected in memory, in bytes. */
const LARGEST_BODY = 4 * 1024 * 1024;

/** How much of a body is still read once the answer is settled, in bytes. */
const LINGER_BYTES = 16 * 1024 * 1024;

/** Into how many pieces a short body is cut when it is sent slowly. */
const SLOW_PIECES = 10;

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** A server that listens. */
interface Listening {
	port: number;
	stop(): Promise<void>;
}

/** A body generated while it is sent. */
interface Blocks {
	/** Total length in bytes. */
	length: number;
	blocks: Iterable<Buffer>;
}

/** An answer to be sent. */
export interface Answer {
	status: number;
	body: string | Blocks;
	headers?: Record<string, string>;
}

/** The connection breaks before there is an answer, on purpose or because the client has gone. */
export class CutConnection extends Error {}

/** A JSON answer; by default bigints are written digit for digit. */
export function json(status: number, value: unknown, write = writeJson): Answer {
	const headers = { 'content-type': 'application/json; charset=utf-8' };
	return { status, body: write(value), headers };
}

export function text(status: number, body: string, type = 'text/plain'): Answer {
	return { status, body, headers: { 'content-type': `${type}; charset=utf-8` } };
}

/**
 * Serves a handler on the loopback address.
 * @param port 0 chooses a free one
 * @param tls key and certificate for HTTPS
 */
export async function listen(
	handler: Handler,
	port: number,
	tls?: { key: string; cert: string },
): Promise<Listening> {
	const serve = (request: IncomingMessage, response: ServerResponse) => {
		// A failing handler is a defect of the platform: the client sees a broken connection, stderr shows the reason.
		handler(request, response).catch((error: unknown) => {
			process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
			request.socket.destroy();
		});
	};
	const server: Server = tls ? createTlsServer(tls, serve) : createServer(serve);
	// Uploads may take long, and held polls are idle for 90 seconds.
	server.requestTimeout = 0;
	server.keepAliveTimeout = 65_000;
	return { port: await bind(server, port), stop: () => close(server) };
}

/** The bytes of a request's body as they arrive, counted, and cut off after `cutAfter` bytes if a fault says so. */
export class IncomingBody {
	bytes = 0;

	private readonly isEmpty: boolean;

	constructor(
		private readonly request: IncomingMessage,
		private readonly cutAfter = Infinity,
	) {
		const { headers } = request;
		const length = headers['content-length'] ?? '0';
		this.isEmpty = length === '0' && headers['transfer-encoding'] === undefined;
	}

	/** Stopping early leaves the connection intact, so that an answer can still be sent. */
	async *chunks(): AsyncGenerator<Buffer> {
		if (this.isEmpty) return;
		const incoming: AsyncIterable<Buffer> = this.request.iterator({ destroyOnReturn: false });
		for await (const chunk of incoming) {
			const wanted = chunk.subarray(0, this.cutAfter - this.bytes);
			this.bytes += wanted.length;
			if (wanted.length > 0) yield wanted;
			if (this.bytes >= this.cutAfter) throw new CutConnection();
		}
	}

	/** The whole body. @throws CutConnection if the client disconnects or sends too much */
	async whole(): Promise<Buffer> {
		const chunks: Buffer[] = [];
		try {
			for await (const chunk of this.chunks()) {
				chunks.push(chunk);
				if (this.bytes > LARGEST_BODY) throw new CutConnection();
			}
		} catch {
			throw new CutConnection();
		}
		return Buffer.concat(chunks);
	}

	/**
	 * Reads on, up to a bound, after the answer is settled: closing the connection with unread data would reset it, and
	 * the client might never see the answer.
	 */
	async linger(): Promise<void> {
		if (this.isEmpty || this.request.readableEnded) return;
		const rest: AsyncIterable<Buffer> = this.request.iterator({ destroyOnReturn: false });
		let read = 0;
		try {
			for await (const chunk of rest) if ((read += chunk.length) > LINGER_BYTES) return;
		} catch {
			// The client has gone, and nobody waits for the answer.
		}
	}
}

/**
 * Sends an answer, its body spread over so many milliseconds. Resolves once it is sent or the client has gone.
 * @param slowly `sleep` waits between the pieces of a body that is sent slowly
 */
export async function send(
	response: ServerResponse,
	{ status, body, headers }: Answer,
	slowly?: { ms: number; sleep: (ms: number) => Promise<void> },
): Promise<void> {
	const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
	const lengthHeader = status === 204 ? {} : { 'content-length': String(length) };
	response.writeHead(status, { ...lengthHeader, ...headers });
	if (response.req.method === 'HEAD' || length === 0) {
		response.end();
		return;
	}
	if (typeof body === 'string' && slowly === undefined) {
		response.end(body);
		return;
	}
	const paced = async function* () {
		for (const block of typeof body === 'string' ? piecesOf(body) : body.blocks) {
			if (slowly !== undefined) await slowly.sleep(slowly.ms / SLOW_PIECES);
			yield block;
		}
	};
	// The only possible failure is a client that has disconnected, and nobody needs to know that.
	await pipeline(Readable.from(paced()), response).catch(() => undefined);
}

function piecesOf(body: string): Buffer[] {
	const bytes = Buffer.from(body);
	const size = Math.max(1, Math.ceil(bytes.length / SLOW_PIECES));
	const count = Math.ceil(bytes.length / size);
	return Array.from({ length: count }, (_, n) => bytes.subarray(n * size, (n + 1) * size));
}
