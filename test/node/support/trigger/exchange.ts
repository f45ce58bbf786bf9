/** Node's request and response as n8n prepares them for a node's `webhook()`. */
import { parseIncomingMessage } from '@n8n/backend-network';
import { jsonParse, type IDataObject } from 'n8n-workflow';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse as parseQuery } from 'node:querystring';
import { createGzip } from 'node:zlib';

/** Largest body that n8n accepts, in bytes (N8N_PAYLOAD_SIZE_MAX). */
const LARGEST_BODY = 16 * 1024 * 1024;

/** Size from which n8n compresses a response, in bytes. */
const COMPRESSED_FROM = 1024;

/** The part of express's request that nodes use. */
export type WebhookRequest = IncomingMessage & {
	params: Record<string, string>;
	query: NodeJS.Dict<string | string[]>;
	contentType?: string;
	encoding?: BufferEncoding;
	rawBody?: Buffer;
	body?: unknown;
	readRawBody(): Promise<void>;
};

/** The part of express's response that nodes use. */
export type WebhookResponse = ServerResponse & {
	status(code: number): WebhookResponse;
	json(body: unknown): WebhookResponse;
	send(body?: unknown): WebhookResponse;
	header(name: string, value: string): WebhookResponse;
	set(headers: Record<string, string>): WebhookResponse;
};

/** A refusal with the status and body of n8n's answer. */
export class Refusal extends Error {
	constructor(
		readonly status: number,
		readonly body: IDataObject,
	) {
		super(String(body.message));
	}
}

/**
 * Prepares both sides of a request as n8n does, and lets `handle` answer it. What that throws becomes n8n's answer: a
 * refusal as it is, anything else a 500.
 */
export async function serve(
	incoming: IncomingMessage,
	outgoing: ServerResponse,
	handle: (request: WebhookRequest, response: WebhookResponse) => Promise<void>,
): Promise<void> {
	const request = toWebhookRequest(incoming);
	const response = toWebhookResponse(outgoing);
	try {
		await handle(request, response);
	} catch (error) {
		if (response.headersSent) return;
		const message = error instanceof Error ? error.message : String(error);
		const { status, body } =
			error instanceof Refusal ? error : new Refusal(500, { code: 0, message });
		response.status(status).json(body);
	}
}

async function readRaw(request: IncomingMessage): Promise<Buffer> {
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const read of request) {
		const chunk: Buffer = read;
		size += chunk.length;
		if (size <= LARGEST_BODY) chunks.push(chunk);
	}
	const problem = 'There was a problem executing the workflow';
	if (size > LARGEST_BODY) throw new Refusal(500, { code: 0, message: problem });
	return Buffer.concat(chunks);
}

/** Extends the request as n8n does before it reads the body. */
function toWebhookRequest(request: IncomingMessage): WebhookRequest {
	const query = parseQuery(new URL(request.url ?? '/', 'http://any').search.slice(1));
	const extended: WebhookRequest = Object.assign(request, {
		params: {},
		query,
		async readRawBody() {
			extended.rawBody ??= await readRaw(request);
		},
	});
	parseIncomingMessage(extended);
	return extended;
}

const PARSERS: Record<string, (text: string) => unknown> = {
	'application/json': (text) => jsonParse(text.replace(/^\uFEFF/, '')),
	'application/x-www-form-urlencoded': (text) => parseQuery(text),
	'text/plain': (text) => text,
};

/**
 * Reads `rawBody` and `body` for the content types above, and the values of multipart forms. Other bodies are left to
 * the node, except that `rawBody` is read for nodes of version 1.
 *
 * @throws Refusal with 422 for a body that does not match its content type, 400 for a broken form
 */
export async function readBody(request: WebhookRequest, nodeVersion: number): Promise<void> {
	const { contentType = '', encoding } = request;
	if (contentType === 'multipart/form-data') {
		await readForm(request);
		return;
	}
	const parser = PARSERS[contentType];
	if (!parser && nodeVersion > 1) return;
	await request.readRawBody();
	const { rawBody } = request;
	if (!rawBody?.length || !parser) return;
	try {
		request.body = parser(rawBody.toString(encoding));
	} catch (error) {
		const hint = error instanceof Error ? error.message : '';
		throw new Refusal(422, { code: 422, message: 'Failed to parse request body', hint });
	}
}

/** Puts the values of a multipart form into `data`, as a list if a name occurs repeatedly; files are ignored here. */
async function readForm(request: WebhookRequest): Promise<void> {
	await request.readRawBody();
	const headers = { 'content-type': request.headers['content-type'] ?? '' };
	const data: Record<string, string | string[]> = {};
	try {
		const body = new Uint8Array(request.rawBody ?? []);
		const form = await new Response(body, { headers }).formData();
		for (const name of new Set(form.keys())) {
			const values = form.getAll(name).filter((value) => typeof value === 'string');
			const [first] = values;
			if (first !== undefined) data[name] = values.length === 1 ? first : values;
		}
	} catch {
		const message = 'The submitted form data could not be parsed.';
		throw new Refusal(400, { code: 400, message });
	}
	request.body = { data, files: {} };
}

/** Ends a response as n8n does when it compresses: never, if the client has left before it has taken everything. */
function compressed(response: ServerResponse, body: string): void {
	response.setHeader('Content-Encoding', 'gzip');
	response.writeHead(response.statusCode);
	createGzip().end(body).pipe(response);
}

/** Adds express's shorthand methods to the response. */
function toWebhookResponse(response: ServerResponse): WebhookResponse {
	const extended: WebhookResponse = Object.assign(response, {
		status(code: number) {
			response.statusCode = code;
			return extended;
		},
		header(name: string, value: string) {
			response.setHeader(name, value);
			return extended;
		},
		set(headers: Record<string, string>) {
			for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
			return extended;
		},
		json(body: unknown) {
			response.setHeader('Content-Type', 'application/json; charset=utf-8');
			response.end(JSON.stringify(body));
			return extended;
		},
		send(body?: unknown) {
			if (typeof body === 'object' && body !== null && !Buffer.isBuffer(body)) {
				return extended.json(body);
			}
			const isLong = typeof body === 'string' && Buffer.byteLength(body) >= COMPRESSED_FROM;
			const { 'accept-encoding': accepted = '' } = response.req.headers;
			if (isLong && accepted.includes('gzip')) compressed(response, body);
			else response.end(body);
			return extended;
		},
	});
	return extended;
}
