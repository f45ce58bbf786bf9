import type { IncomingHttpHeaders } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { TlsOptions } from 'node:tls';
import { text } from 'node:stream/consumers';
import { close, listen } from '../support/server';
import { parseJson } from './json';

/** A webhook request as received. */
interface Received {
	path: string;
	headers: IncomingHttpHeaders;
	/** Integers beyond 2^53 are bigint. */
	// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into updates of every shape
	update: any;
	text: string;
}

/** A webhook endpoint on a free local port. */
export class Hook {
	readonly received: Received[] = [];

	/** Status of the next answers; 0 leaves requests hanging. */
	status = 200;

	private constructor(
		private readonly server: Server,
		/** Its address, as a value of the resolve map. */
		readonly address: string,
	) {}

	/** `greet` is awaited before a new connection is secured. */
	static async open(
		certificate: { key: string; cert: string },
		greet = async (): Promise<void> => {},
	): Promise<Hook> {
		const SNICallback: TlsOptions['SNICallback'] = (_name, done) =>
			void greet().then(() => done(null));
		const server = createServer({ ...certificate, SNICallback });
		server.on('request', async (request, response) => {
			const body = await text(request);
			const { url = '', headers } = request;
			hook.received.push({ path: url, headers, text: body, update: parseJson(body) });
			if (hook.status !== 0) response.writeHead(hook.status).end('answer');
		});
		const hook = new Hook(server, `127.0.0.1:${await listen(server)}`);
		return hook;
	}

	async close(): Promise<void> {
		await close(this.server);
	}
}
