import { randomUUID } from 'crypto';
import { PortionReader } from '../bytes';
import type { StreamedBody } from '../fileHost';
import { endOfSending, type SendEnd, type Transfer } from './transfer';

/** The form field that holds the file (interface: POST /uploads). */
const FIELD = 'data';

/** Sends a file as one multipart request (interface: POST /uploads, way 2). Throws when it is refused or stopped. */
export async function uploadAsForm(transfer: Transfer): Promise<SendEnd> {
	const { source, url } = transfer;
	const reader = new PortionReader(await source.open(0));
	try {
		const reply = await transfer.ask({ method: 'POST', url, body: formBody(transfer, reader) });
		return endOfSending(transfer, reader, reply);
	} finally {
		reader.close();
	}
}

/** The form with its one file, framed by hand so that it can be streamed. */
function formBody({ source, fileName }: Transfer, reader: PortionReader): StreamedBody {
	const boundary = `----${randomUUID()}`;
	const encoder = new TextEncoder();
	const head = encoder.encode(
		`--${boundary}\r\nContent-Disposition: form-data; name="${FIELD}"; filename="${formName(fileName)}"\r\n` +
			`Content-Type: ${formType(source.mimeType)}\r\n\r\n`,
	);
	const tail = encoder.encode(`\r\n--${boundary}--\r\n`);
	async function* content(): AsyncGenerator<Uint8Array> {
		yield head;
		yield* reader.take(source.size);
		yield tail;
	}
	return {
		content: content(),
		moved: () => reader.moved,
		size: head.length + source.size + tail.length,
		contentType: `multipart/form-data; boundary=${boundary}`,
	};
}

/** A file name as browsers escape it in forms. */
const formName = (name: string): string => name.replace(/"/g, '%22');

/** A MIME type that cannot break out of its header line; the general one for anything invalid. */
const formType = (mimeType: string): string =>
	/^[\w.+-]+\/[\w.+-]+ *(;[ -~]*)?$/.test(mimeType) ? mimeType : 'application/octet-stream';
