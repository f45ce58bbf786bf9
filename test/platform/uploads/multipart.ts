import type { IncomingHttpHeaders } from 'node:http';
import busboy from 'busboy';
import { Refusal, refusal } from './answers';

/** Receives the one file of a form. Both methods may throw a Refusal. */
interface FileSink {
	begin(writtenName: string, mimeType: string): void;
	write(chunk: Buffer): void;
}

const malformed = (why: unknown) =>
	refusal(400, 'upload.form', why instanceof Error ? why.message : String(why));

/** Reads one form. Problems are kept in `failure`, and the reading loop throws them. */
class FormReader {
	failure: Refusal | undefined;
	readonly parser: busboy.Busboy;
	/** Settles when the parser has ended, with or without an error. */
	readonly closed: Promise<void>;
	private files = 0;

	constructor(
		headers: IncomingHttpHeaders,
		private readonly sink: FileSink,
	) {
		this.parser = busboy({ headers, defParamCharset: 'utf8', preservePath: true });
		this.closed = new Promise((resolve) => this.parser.on('close', resolve));
		this.parser.on('file', (field, stream, { filename, mimeType }) => {
			stream.on('error', (error) => this.fail(error));
			stream.on('data', (chunk: Buffer) => this.guard(() => this.sink.write(chunk)));
			this.guard(() => this.begin(field, filename, mimeType));
		});
		this.parser.on('field', (field) => {
			if (field === 'data') this.fail('The field data needs a file name');
		});
		this.parser.on('error', (error) => this.fail(error));
		this.parser.on('finish', () => {
			if (this.files === 0) this.fail('No file in field data');
		});
	}

	/** Resolves when the parser takes more, or has ended. */
	drained(): Promise<void> {
		const drained = new Promise<void>((resolve) => this.parser.once('drain', resolve));
		return Promise.race([drained, this.closed]);
	}

	/** Contrary to busboy's types, a part may lack a file name. */
	private begin(field: string, name: string | undefined, mimeType: string): void {
		this.files += 1;
		if (field !== 'data') throw malformed(`Unexpected file field ${field}`);
		if (this.files > 1) throw malformed('One file per upload url');
		if (name === undefined) throw malformed('The field data needs a file name');
		this.sink.begin(name, mimeType);
	}

	private guard(step: () => void): void {
		if (this.failure) return;
		try {
			step();
		} catch (error) {
			this.fail(error);
		}
	}

	private fail(why: unknown): void {
		this.failure ??= why instanceof Refusal ? why : malformed(why);
	}
}

function createReader(headers: IncomingHttpHeaders, sink: FileSink): FormReader {
	try {
		return new FormReader(headers, sink);
	} catch (error) {
		throw malformed(error);
	}
}

/**
 * Reads multipart/form-data with one file in the field `data`; other fields are ignored. Throws a Refusal for
 * anything else, and whatever `chunks` throws.
 */
export async function receiveMultipart(
	headers: IncomingHttpHeaders,
	chunks: AsyncIterable<Buffer>,
	sink: FileSink,
): Promise<void> {
	const reader = createReader(headers, sink);
	try {
		for await (const chunk of chunks) {
			if (!reader.parser.write(chunk)) await reader.drained();
			if (reader.failure) throw reader.failure;
		}
		reader.parser.end();
		await reader.closed;
	} finally {
		reader.parser.destroy();
	}
	if (reader.failure) throw reader.failure;
}
