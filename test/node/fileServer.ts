import { gzipSync } from 'node:zlib';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { close, listen } from '../support/server';

/** What is answered at a path. */
export type Answer = (response: ServerResponse, headers: IncomingHttpHeaders) => void;

/** Compresses the file, although nobody asked for it. */
export const packed =
	(content: string | Uint8Array, type: string): Answer =>
	(response) => {
		const body = gzipSync(content);
		const headers = { 'content-encoding': 'gzip', 'content-length': String(body.length) };
		response.writeHead(200, { 'content-type': type, ...headers }).end(body);
	};

/** A host of files that is not the service's. */
export interface FileServer {
	/** Without a slash at its end. */
	address: string;
	/** Headers of all requests so far. */
	seen: IncomingHttpHeaders[];
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
	const address = `http://127.0.0.1:${await listen(server)}`;
	return { address, seen, stop: async () => await close(server) };
}
