/** n8n's web server, as far as a node's `webhook()` knows it. */
import { parseIncomingMessage } from '@n8n/backend-network';
import compression from 'compression';
import express, { type Request, type Response } from 'express';
import { jsonParse, type IDataObject } from 'n8n-workflow';
import type { IncomingMessage, RequestListener } from 'node:http';
import { parse as parseQuery } from 'node:querystring';

/** Largest body that n8n accepts, in bytes (N8N_PAYLOAD_SIZE_MAX). */
const LARGEST_BODY = 16 * 1024 * 1024;

/** A request as n8n extends it before it reads the body. */
export type WebhookRequest = Request & {
	contentType?: string;
	encoding?: BufferEncoding;
	rawBody?: Buffer;
	readRawBody(): Promise<void>;
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
 * Serves requests with the libraries and settings of n8n's own server, and lets `handle` answer them. What that throws
 * becomes n8n's answer: a refusal as it is, anything else a 500.
 */
export function webServer(
	handle: (request: WebhookRequest, response: Response) => Promise<void>,
): RequestListener {
	const app = express().disable('x-powered-by').set('query parser', 'extended').use(compression());
	return app.use(async (incoming, response) => {
		try {
			await handle(toWebhookRequest(incoming), response);
		} catch (error) {
			if (response.headersSent) return;
			const message = error instanceof Error ? error.message : String(error);
			const { status, body } =
				error instanceof Refusal ? error : new Refusal(500, { code: 0, message });
			response.status(status).json(body);
		}
	});
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

function toWebhookRequest(request: Request): WebhookRequest {
	const extended: WebhookRequest = Object.assign(request, {
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
		const form = await new globalThis.Response(body, { headers }).formData();
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
