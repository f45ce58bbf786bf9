import { gzipSync } from 'node:zlib';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { close, listen } from '../support/server';
import { waitFor } from '../support/wait';

/** What is answered at a path. */
export type Answer = (response: ServerResponse, headers: IncomingHttpHeaders) => void;

/** Compresses the file, although nobody asked for it. */
export function packed(content: string | Uint8Array, type: string): Answer {
	const body = gzipSync(content);
	const headers = { 'content-encoding': 'gzip', 'content-length': String(body.length) };
	return (response) => {
		response.writeHead(200, { 'content-type': type, ...headers }).end(body);
	};
}

/** Sends this piece over and over, as fast as it is read; `wrote` is told of each. */
export const endless =
	(piece: Buffer, wrote: () => void, headers = {}): Answer =>
	(response) => {
		response.writeHead(200, headers);
		const write = (): void => {
			wrote();
			response.write(piece);
		};
		response.on('drain', write);
		write();
	};

/** A host of files that is not the service's. */
export interface FileServer {
	/** Without a slash at its end. */
	address: string;
	/** Headers of all requests so far. */
	seen: IncomingHttpHeaders[];
	/** Waits until no connection to it is open. */
	left(): Promise<void>;
	stop(): Promise<void>;
}

/** Starts a host with these answers by path; any other path is 404. */
export async function startFileServer(answers: Record<string, Answer>): Promise<FileServer> {
	const seen: IncomingHttpHeaders[] = [];
	const server = createServer((request, response) => {
		seen.push(request.headers);
		const answer = answers[request.url ?? ''];
		if (answer) answer(response, request.headers);
		else response.writeHead(404).end('gone');
	});
	// A connection that nobody has closed stays.
	server.keepAliveTimeout = 0;
	const connections = promisify(server.getConnections.bind(server));
	const left = async (): Promise<void> => {
		const what = 'the end of all connections to the host of files';
		await waitFor(async () => (await connections()) === 0, { what });
	};
	const address = `http://127.0.0.1:${await listen(server)}`;
	return { address, seen, left, stop: async () => await close(server) };
}
