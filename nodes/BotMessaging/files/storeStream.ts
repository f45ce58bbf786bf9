import type { IBinaryData } from 'n8n-workflow';
import { toNodeError } from '../service/errors';
import { reasonOf, systemCode, type Failure } from '../service/failure';
import { brokenWords } from '../service/hints/system';
import { CANCELLED, isCancelled, type FileContext, type OpenedFile } from './fileHost';
import type { IncomingFile } from './fileName';
import { readableSize } from './media';
import { MIN_PROGRESS, STALL_MS, watchStall } from './timeouts';

/** How many bytes may arrive, for one file and for all files that share the limit. */
export class SizeLimit {
	private used = 0;

	constructor(
		private readonly perFile: number,
		private readonly total = Infinity,
	) {}

	/** The limit that a file exceeds with `more` bytes after the `received` ones, in words; `undefined` if none. */
	exceeded(received: number, more: number): string | undefined {
		if (received + more > this.perFile) return `the limit of ${readableSize(this.perFile)}`;
		return this.used + more > this.total
			? `what the limit of ${readableSize(this.total)} for all files leaves`
			: undefined;
	}

	/** Counts bytes that arrived; a negative number gives back those of a file that is not kept. */
	count(bytes: number): void {
		this.used += bytes;
	}
}

/**
 * Stores content as n8n's binary data while it arrives, and ends the transfer in any case. Throws NodeApiError when
 * there is too much or too little content, the transfer stalls, or n8n cannot store it.
 */
export async function storeStream(
	context: FileContext,
	{ body, close }: Pick<OpenedFile, 'body' | 'close'>,
	{ fileName, mimeType, size }: IncomingFile,
	sizeLimit: SizeLimit,
): Promise<IBinaryData> {
	let received = 0;
	let kept = 0;
	let isStalled = false;
	const fail = (failure: Failure): never => {
		throw toNodeError(context.getNode(), failure);
	};
	let limit = sizeLimit.exceeded(0, size ?? 0);
	const whyEnded = (): Failure | undefined => {
		if (isCancelled(context)) return CANCELLED;
		if (limit) return tooLarge(fileName, limit);
		return isStalled ? brokenOff(fileName, STALLED) : undefined;
	};
	const stop = watchStall({
		moves: () => Math.floor(received / MIN_PROGRESS),
		allowedMs: () => STALL_MS,
		stalled: () => {
			isStalled = true;
			close();
		},
	});
	try {
		if (limit) fail(tooLarge(fileName, limit));
		const counted = body.map((chunk: Uint8Array) => {
			limit = sizeLimit.exceeded(received, chunk.length);
			if (limit) throw new Error('Too large');
			received += chunk.length;
			sizeLimit.count(chunk.length);
			return chunk;
		});
		const stored = await context.helpers
			.prepareBinaryData(counted, fileName, mimeType)
			.catch((error: unknown) => {
				const known = whyEnded();
				const unknown = body.errored ? brokenOff(fileName, error) : notStored(fileName, error);
				return fail(known ?? unknown);
			});
		// A body of unknown length, which ends with its connection, seems whole when that is closed from here.
		const ended = whyEnded();
		if (ended) fail(ended);
		// More arrives if the host compresses the file, which n8n's helper undoes.
		if (size !== undefined && received < size) fail(brokenOff(fileName, undefined));
		kept = received;
		return stored;
	} finally {
		sizeLimit.count(kept - received);
		stop();
		close();
	}
}

const STALLED = new Error('nothing came any more, or next to nothing');

const tooLarge = (fileName: string, limit: string): Failure => ({
	message: `The file ${fileName} is larger than ${limit}`,
	advice: "Raise the limit in 'Options', or leave this file out.",
});

const notStored = (fileName: string, error: unknown): Failure => ({
	message: `n8n could not store the file ${fileName}: ${reasonOf(error)}`,
	advice: 'Raise the limit of n8n that stands there, or free space where n8n keeps its files.',
});

const brokenOff = (fileName: string, error: unknown): Failure => ({
	code: error === STALLED ? undefined : (systemCode(error) ?? 'ECONNRESET'),
	message: `The download of ${fileName} broke off${error instanceof Error ? `: ${brokenWords(error)}` : ''}`,
	advice:
		'Run again. The address may also have expired: get it again, or the message that it comes from.',
});
