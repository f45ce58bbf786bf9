import { Refusal, refusal } from './answers';
import type { UploadSlot } from './slot';
import type { UploadLimits } from './types';

/** The range of the file that one request carries, both ends included. */
interface Range {
	start: number;
	end: number;
	total: number;
}

function parseRange(header: string | undefined): Range {
	const match = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(header ?? '');
	if (!match)
		throw refusal(400, 'upload.range', 'Content-Range: bytes <start>-<end>/<total> needed');
	return { start: Number(match[1]), end: Number(match[2]), total: Number(match[3]) };
}

/** Checks a part against what is stored; throws a Refusal if it does not fit. */
function checkRange({ start, end, total }: Range, slot: UploadSlot, limits: UploadLimits): void {
	const { size } = slot.stored;
	if (end < start || end >= total) throw refusal(416, 'upload.range', 'Range outside of the file');
	if (slot.total !== undefined && slot.total !== total) {
		throw refusal(416, 'upload.range', `The file has ${slot.total} bytes in all`);
	}
	if (start !== size) throw refusal(416, 'upload.range', `The next byte is ${size}`);
	if (slot.fragments >= (limits.fragments ?? Infinity)) {
		throw refusal(400, 'upload.fragments', `At most ${limits.fragments} fragments per file`);
	}
}

/** The size in bytes of the whole file, as declared by a part. Throws a Refusal if there is none. */
export const declaredTotal = (header: string | undefined) => parseRange(header).total;

/**
 * Receives and stores one part (wire 6.3). If the connection breaks, the bytes received so far count or do not, as the
 * limits say. Returns whether the file is complete.
 */
export async function receivePart(
	slot: UploadSlot,
	header: string | undefined,
	chunks: AsyncIterable<Buffer>,
	limits: UploadLimits,
): Promise<boolean> {
	const range = parseRange(header);
	checkRange(range, slot, limits);
	const content = slot.stored.fork();
	const store = () => {
		if (content.size === range.start) return;
		slot.stored = content;
		slot.total = range.total;
		slot.fragments += 1;
	};
	const misfit = () => refusal(400, 'upload.range', 'The body is not as long as its range');
	try {
		for await (const chunk of chunks) {
			if (content.size + chunk.length > range.end + 1) throw misfit();
			content.write(chunk);
		}
		if (content.size <= range.end) throw misfit();
	} catch (error) {
		if (limits.keep_partial && !(error instanceof Refusal)) store();
		throw error;
	}
	store();
	return range.end + 1 === range.total;
}
