import { reasonOf } from '../service/failure';
import { MIN_PROGRESS } from './timeouts';

/** Content that arrives in chunks. Whoever opens it destroys it, whether or not it was read to its end. */
export interface ByteStream extends AsyncIterable<Uint8Array> {
	destroy(): unknown;
}

/** A file to be sent, whose content can be opened any number of times. */
export interface FileSource {
	fileName: string;
	/** Empty when unknown. */
	mimeType: string;
	/** Bytes. */
	size: number;
	/** Opens the content at byte `offset`. */
	open(offset: number): Promise<ByteStream>;
	/** Releases what was opened but never read. */
	close?(): void;
}

/** The same content without its first `count` bytes. An empty chunk tells that MIN_PROGRESS bytes were skipped. */
export function skipBytes(stream: ByteStream, count: number): ByteStream {
	async function* rest(): AsyncGenerator<Uint8Array> {
		let left = count;
		let untold = 0;
		for await (const chunk of stream) {
			const skipped = Math.min(left, chunk.length);
			left -= skipped;
			untold += skipped;
			if (skipped < chunk.length) yield chunk.subarray(skipped);
			if (untold < MIN_PROGRESS) continue;
			untold = 0;
			yield new Uint8Array(0);
		}
	}
	// Most files are read from their beginning, chunk by chunk, without a step between.
	if (count === 0) return stream;
	return { destroy: () => stream.destroy(), [Symbol.asyncIterator]: rest };
}

/** The same content; if it has more than `size` bytes, `tooLong` is called and reading fails before the last of these. */
export function limitedTo(stream: ByteStream, size: number, tooLong: () => void): ByteStream {
	async function* checked(): AsyncGenerator<Uint8Array> {
		let seen = 0;
		let held: Uint8Array | undefined;
		for await (const chunk of stream) {
			seen += chunk.length;
			if (seen > size) {
				tooLong();
				throw new Error('it is longer than announced');
			}
			if (held) yield held;
			held = chunk;
		}
		if (held) yield held;
	}
	return { destroy: () => stream.destroy(), [Symbol.asyncIterator]: checked };
}

/** Content held in memory, as a stream. */
export function bufferStream(content: Uint8Array): ByteStream {
	async function* whole(): AsyncGenerator<Uint8Array> {
		yield await Promise.resolve(content);
	}
	return { destroy: () => undefined, [Symbol.asyncIterator]: whole };
}

/** Reads content in portions of exact size, one after the other. */
export class PortionReader {
	/** Why reading the content failed, if it did. */
	failure: Error | undefined;

	/** Bytes of the current portion that were not handed out yet. */
	pending = 0;

	private readonly chunks: AsyncIterator<Uint8Array>;

	private rest: Uint8Array = new Uint8Array(0);

	constructor(private readonly stream: ByteStream) {
		this.chunks = stream[Symbol.asyncIterator]();
	}

	/** The next `size` bytes as they arrive. Throws when the content breaks off or ends too early, see `failure`. */
	async *take(size: number): AsyncGenerator<Uint8Array> {
		this.pending = size;
		while (this.pending > 0) {
			if (this.rest.length === 0) this.rest = await this.nextChunk();
			const portion = this.rest.subarray(0, this.pending);
			this.rest = this.rest.subarray(portion.length);
			this.pending -= portion.length;
			yield portion;
		}
	}

	close(): void {
		this.stream.destroy();
	}

	private async nextChunk(): Promise<Uint8Array> {
		const end = await this.chunks.next().catch((cause: unknown) => {
			this.failure = new Error(`Reading the file failed: ${reasonOf(cause)}`, { cause });
			throw this.failure;
		});
		if (!end.done) return end.value;
		this.failure = new Error('The file ended before its announced size');
		throw this.failure;
	}
}
