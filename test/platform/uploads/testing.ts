import { createHash } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { syntheticBytes } from './content';

export const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Reproducible bytes that look random. */
export const someBytes = (size: number): Buffer =>
	Buffer.concat([...syntheticBytes({ size, seed: '1' })]);

/** The answer; its status is 0 if the connection broke. */
interface Reply {
	status: number;
	body: string;
}

/** Sends one request over its own connection. */
export function send(
	url: string,
	options: {
		method?: string;
		headers?: Record<string, string>;
		body?: Buffer;
	} = {},
): Promise<Reply> {
	return new Promise((resolve) => {
		const { method = 'POST', headers = {}, body } = options;
		const broken = () => resolve({ status: 0, body: '' });
		const request = httpRequest(url, { method, headers, agent: false }, (response) => {
			const { statusCode: status = 0 } = response;
			text(response).then((sent) => resolve({ status, body: sent }), broken);
		});
		request.on('error', broken);
		if (body) request.write(body);
		request.end();
	});
}

/** Sends a file as a form, as browsers do. */
export async function sendForm(url: string, fileName: string, content: Buffer): Promise<Reply> {
	const form = new FormData();
	form.append('data', new File([Uint8Array.from(content)], fileName), fileName);
	const response = await fetch(url, { method: 'POST', body: form });
	return { status: response.status, body: await response.text() };
}

/** Sends the bytes from `start` to `end` (inclusive) of a file as one part of a resumable upload. */
export function sendPart(
	url: string,
	file: Buffer,
	start: number,
	end: number,
	more: Record<string, string> = {},
): Promise<Reply> {
	return send(url, {
		body: file.subarray(start, end + 1),
		headers: {
			'content-range': `bytes ${start}-${end}/${file.length}`,
			'content-disposition': 'attachment; filename="film.mp4"',
			'content-type': 'application/octet-stream',
			...more,
			// Last, because Node's client garbles the bytes of a disposition that follows it.
			'content-length': String(end - start + 1),
		},
	});
}
