import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import busboy from 'busboy';
import { CutConnection } from '../http';
import { Refusal, refusal } from './answers';

/** Receives the one file of a form. Both methods may throw a Refusal. */
interface FileSink {
	begin(writtenName: string, mimeType: string): void;
	write(chunk: Buffer): void;
}

const malformed = (why: unknown) =>
	refusal(400, 'upload.form', why instanceof Error ? why.message : String(why));

/** What ended the reading of a form: a refusal, or a client that has gone; all else is a fault of the form. */
const endedBy = (error: unknown) =>
	error instanceof Refusal || error instanceof CutConnection ? error : malformed(error);

/**
 * Reads multipart/form-data with one file in the field `data`; other fields are ignored. Throws a Refusal for
 * anything else, and a CutConnection that `chunks` throws.
 */
export async function receiveMultipart(
	headers: IncomingHttpHeaders,
	chunks: AsyncIterable<Buffer>,
	sink: FileSink,
): Promise<void> {
	let files = 0;
	/** Contrary to busboy's types, a part may lack a file name. */
	const begin = (field: string, name: string | undefined, mimeType: string): void => {
		files += 1;
		if (field !== 'data') throw malformed(`Unexpected file field ${field}`);
		if (files > 1) throw malformed('One file per upload url');
		if (name === undefined) throw malformed('The field data needs a file name');
		sink.begin(name, mimeType);
	};
	try {
		const parser = busboy({ headers, defParamCharset: 'utf8', preservePath: true });
		const attempt = (step: () => void): void => {
			if (parser.destroyed) return;
			try {
				step();
			} catch (error) {
				parser.destroy(endedBy(error));
			}
		};
		parser.on('file', (field, stream, { filename, mimeType }) => {
			stream.on('error', (error) => parser.destroy(error));
			stream.on('data', (chunk: Buffer) => attempt(() => sink.write(chunk)));
			attempt(() => begin(field, filename, mimeType));
		});
		parser.on('field', (field) => {
			if (field === 'data') parser.destroy(malformed('The field data needs a file name'));
		});
		await pipeline(Readable.from(chunks), parser);
	} catch (error) {
		throw endedBy(error);
	}
	if (files === 0) throw malformed('No file in field data');
}
