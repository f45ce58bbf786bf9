import { sleep, type IBinaryData } from 'n8n-workflow';
import { toNodeError, type Failure } from '../service/errors';
import type { FileContext, NodeStream } from './fileHost';
import { readableSize } from './media';

/** What is known of a file before its content arrives. */
export interface IncomingFile {
	fileName: string;
	/** Left out where n8n shall find it by the name. */
	mimeType?: string;
	/** Bytes announced by the host. */
	size?: number;
}

/** A line on which nothing came for so long is taken for a dead one. */
const STALL_MS = 120_000;

/**
 * Stores content as n8n's binary data while it arrives, and refuses more than `maxBytes`. The stream is destroyed at
 * the end in any case.
 *
 * @throws NodeApiError when there is too much, too little, or nothing comes any more
 */
export async function storeStream(
	context: FileContext,
	stream: NodeStream,
	{ fileName, mimeType, size }: IncomingFile,
	maxBytes: number,
): Promise<IBinaryData> {
	let received = 0;
	const fail = (failure: Failure): never => {
		throw toNodeError(context.getNode(), failure);
	};
	const tooLarge = (): never => fail(tooLargeFailure(fileName, maxBytes));
	const stop = watchStall(() => received, stream);
	try {
		if (size !== undefined && size > maxBytes) tooLarge();
		const counted = stream.map((chunk: Uint8Array) => {
			received += chunk.length;
			if (received > maxBytes) throw new Error('Too large');
			return chunk;
		});
		const stored = await context.helpers
			.prepareBinaryData(counted, fileName, mimeType)
			.catch((error: unknown) => {
				if (received > maxBytes) tooLarge();
				return fail(brokenOff(fileName, error));
			});
		if (size !== undefined && received !== size) fail(brokenOff(fileName, undefined));
		return stored;
	} finally {
		stop();
		stream.destroy();
	}
}

const tooLargeFailure = (fileName: string, maxBytes: number): Failure => ({
	message: `The file ${fileName} is larger than the limit of ${readableSize(maxBytes)}`,
	advice: 'Raise the limit in Options, or leave this file out.',
});

const brokenOff = (fileName: string, error: unknown): Failure => ({
	message: `The download of ${fileName} broke off${error instanceof Error ? `: ${error.message}` : ''}`,
	advice: 'Run again. The address of a file may also have expired: get the message anew.',
});

/** Destroys a stream on which nothing comes any more. Returns how to end watching. */
function watchStall(received: () => number, stream: NodeStream): () => void {
	const over = new AbortController();
	const watch = async (): Promise<void> => {
		for (let before = -1; before !== received() && !over.signal.aborted;) {
			before = received();
			await sleep(STALL_MS, over.signal);
		}
		if (!over.signal.aborted) stream.destroy(new Error('nothing came any more'));
	};
	// The only failure is that of a sleep which was ended on purpose.
	watch().catch(() => undefined);
	return () => over.abort();
}
