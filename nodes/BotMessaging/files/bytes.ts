import { brokenWords } from '../service/hints/system';

/** Content that arrives in chunks. Whoever opens it destroys it, whether or not it was read to its end. */
export interface ByteStream extends AsyncIterable<Uint8Array> {
	/** Number of bytes at its beginning that are not wanted. */
	skip?: number;
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

/** Bytes to read at a time: more take fewer steps, but a slow host has to take them often enough, see MIN_PROGRESS. */
export const READ_BYTES = 256 * 1024;

/** Content held in memory, as a stream. */
export function bufferStream(content: Uint8Array): ByteStream {
	async function* pieces(): AsyncGenerator<Uint8Array> {
		for (let from = 0; from < content.length; from += READ_BYTES) {
			yield await Promise.resolve(content.subarray(from, from + READ_BYTES));
		}
	}
	return { destroy: () => undefined, [Symbol.asyncIterator]: pieces };
}

/** Reads content in portions of exact size, one after the other. */
export class PortionReader {
	/** Why reading the content failed, if it did. */
	failure: Error | undefined;

	/** Bytes of the current portion that were not handed out yet. */
	pending = 0;

	/** Bytes that were handed out or skipped, in all portions. */
	moved = 0;

	private readonly chunks: AsyncIterator<Uint8Array>;

	private rest: Uint8Array = new Uint8Array(0);

	private skip: number;

	constructor(private readonly stream: ByteStream) {
		this.chunks = stream[Symbol.asyncIterator]();
		this.skip = stream.skip ?? 0;
	}

	/** The next `size` bytes as they arrive. Throws when the content breaks off or ends too early, see `failure`. */
	async *take(size: number): AsyncGenerator<Uint8Array> {
		this.pending = size;
		while (this.pending > 0) {
			while (this.rest.length === 0) this.rest = await this.nextChunk();
			const portion = this.rest.subarray(0, this.pending);
			this.rest = this.rest.subarray(portion.length);
			this.pending -= portion.length;
			this.moved += portion.length;
			yield portion;
		}
	}

	close(): void {
		this.stream.destroy();
	}

	/** The next chunk without what is to be skipped, which may leave nothing of it. */
	private async nextChunk(): Promise<Uint8Array> {
		const end = await this.chunks.next().catch((cause: unknown) => {
			this.failure = new Error(`Reading the file failed: ${brokenWords(cause)}`, { cause });
			throw this.failure;
		});
		if (end.done) {
			this.failure = new Error('The file ended before its announced size');
			throw this.failure;
		}
		const skipped = Math.min(this.skip, end.value.length);
		this.skip -= skipped;
		this.moved += skipped;
		return end.value.subarray(skipped);
	}
}
