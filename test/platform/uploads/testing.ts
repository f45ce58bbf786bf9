import { createHash } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { Clock } from '../clock';
import { Faults } from '../faults';
import { listen } from '../http';
import { Journal } from '../journal';
import { syntheticBytes } from './content';
import { UploadHost } from './host';
import type { UploadEntry, UploadLimits, UploadType } from './types';

/** An upload origin by itself, on its own port. */
export interface UploadOrigin {
	host: UploadHost;
	clock: Clock;
	faults: Faults;
	origin: string;
	/** A fresh upload URL, and the token if the service gives it out early. */
	issue(type: UploadType): { url: string; token?: string };
	/** The journal so far. */
	entries(): UploadEntry[];
}

const cleanUp: Array<() => Promise<void>> = [];
afterAll(async () => {
	for (const stop of cleanUp) await stop();
});

/** It stops after the last test of the file. */
export async function startUploadOrigin(
	limits: Partial<UploadLimits> = {},
	readyAfterMs = 0,
): Promise<UploadOrigin> {
	const [clock, faults, journal] = [new Clock(), new Faults(), new Journal()];
	const host = new UploadHost({ clock, faults, journal, limits, readyAfterMs: () => readyAfterMs });
	const server = await listen((...io) => host.handle(...io), 0);
	const origin = `http://127.0.0.1:${server.port}`;
	cleanUp.push(async () => {
		clock.stop();
		await server.stop();
	});
	return {
		host,
		clock,
		faults,
		origin,
		issue: (type) => host.issue(type, origin),
		entries: () => journal.entries().filter((entry) => entry.kind === 'request'),
	};
}

export const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Reproducible bytes that look random. */
export const someBytes = (size: number): Buffer =>
	Buffer.concat([...syntheticBytes({ size, seed: '1' })]);

/** The answer; its status is 0 if the connection broke. */
interface Reply {
	status: number;
	body: string;
	headers: Record<string, string | string[] | undefined>;
}

/** Sends one request over its own connection, with full control over what is sent and when the connection ends. */
export function send(
	url: string,
	options: {
		method?: string;
		headers?: Record<string, string>;
		body?: Iterable<Buffer> | Buffer;
		/** Breaks the connection instead of ending the body. */
		abort?: boolean;
	} = {},
): Promise<Reply> {
	return new Promise((resolve) => {
		const { method = 'POST', headers = {}, body = [], abort = false } = options;
		const broken = () => resolve({ status: 0, body: '', headers: {} });
		const request = httpRequest(url, { method, headers, agent: false }, (response) => {
			const { statusCode: status = 0 } = response;
			text(response).then(
				(sent) => resolve({ status, body: sent, headers: response.headers }),
				broken,
			);
		});
		request.on('error', broken);
		const closed = new Promise((done) => request.on('close', done));
		const write = async () => {
			for (const chunk of Buffer.isBuffer(body) ? [body] : body) {
				await Promise.race([closed, new Promise((sent) => request.write(chunk, sent))]);
			}
			if (abort) request.destroy();
			else request.end();
		};
		void write();
	});
}

/** Sends a file as a form, as browsers do. */
export async function sendForm(url: string, fileName: string, content: Buffer): Promise<Reply> {
	const form = new FormData();
	form.append('data', new File([Uint8Array.from(content)], fileName), fileName);
	const response = await fetch(url, { method: 'POST', body: form });
	return { status: response.status, body: await response.text(), headers: {} };
}

/** Sends the bytes from `start` to `end` (inclusive) of a file as one part of a resumable upload. */
export function sendPart(
	url: string,
	file: Buffer,
	start: number,
	end: number,
	options: { abort?: boolean; sent?: number; headers?: Record<string, string> } = {},
): Promise<Reply> {
	return send(url, {
		abort: options.abort ?? false,
		body: file.subarray(start, options.sent === undefined ? end + 1 : start + options.sent),
		headers: {
			'content-range': `bytes ${start}-${end}/${file.length}`,
			'content-disposition': 'attachment; filename="film.mp4"',
			'content-type': 'application/octet-stream',
			...options.headers,
			// Last, because Node's client garbles the bytes of a disposition that follows it.
			'content-length': String(end - start + 1),
		},
	});
}
