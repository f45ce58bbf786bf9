import { PortionReader } from '../bytes';
import {
	EARLY_ANSWER,
	endOfSending,
	networkFault,
	storedBytes,
	type SendEnd,
	type Transfer,
} from './transfer';

/** Most parts per file, below the service's limit of 1000 (wire 6.3) to leave room for parts that break. */
const MOST_PARTS = 900;

/** Size of each part in bytes: the wanted size, or more if the file would take too many parts. */
export const partSize = (fileSize: number, wanted: number): number =>
	Math.ceil(Math.max(wanted, fileSize / MOST_PARTS));

/**
 * Sends a file in parts (interface: POST /uploads, way 1; wire 6.3). After a fault it asks the host how many bytes it
 * has, and resumes from there. Throws when the host refuses the file, a fault lasts, or the execution was stopped.
 */
export async function uploadInParts(transfer: Transfer, partBytes: number): Promise<SendEnd> {
	const { source, patience } = transfer;
	const size = partSize(source.size, partBytes);
	let reader = new PortionReader(await source.open(0));
	let stored = 0;
	let most = 0;
	try {
		for (;;) {
			const to = Math.min(stored + size, source.size);
			const end = await sendPart(transfer, reader, stored, to);
			if ('answer' in end) {
				stored = to;
			} else {
				if (end.isLost) return end;
				reader.close();
				await patience.wait(end.fault);
				const known = await askStored(transfer);
				if (known === undefined) return { ...end, isLost: most > 0 };
				stored = known;
			}
			if (stored > most) {
				most = stored;
				patience.progress();
			}
			if (stored === source.size)
				return 'answer' in end ? end : { ...end, isLost: true, isWhole: true };
			if ('fault' in end) reader = new PortionReader(await source.open(stored));
		}
	} finally {
		reader.close();
	}
}

async function sendPart(
	transfer: Transfer,
	reader: PortionReader,
	start: number,
	end: number,
): Promise<SendEnd> {
	const { source, url, fileName } = transfer;
	const reply = await transfer.ask({
		method: 'POST',
		url,
		headers: {
			'Content-Range': `bytes ${start}-${end - 1}/${source.size}`,
			// Without quotes, which are not needed: some upload hosts keep them as part of the name, and so of its ending.
			'Content-Disposition': `attachment; filename=${headerName(fileName)}`,
		},
		body: {
			content: reader.take(end - start),
			moved: () => reader.moved,
			size: end - start,
			contentType: 'application/octet-stream',
		},
	});
	const sent = endOfSending(transfer, reader, reply);
	if ('fault' in sent) return sent;
	// For some media, the answer tells how much the host has; what was written to the network may not have reached it.
	const stored = storedBytes(sent.answer, source.size) ?? end;
	return stored === end ? sent : { fault: EARLY_ANSWER, isLost: false };
}

/** Asks the host how many bytes it has; `undefined` if its answer does not tell: the url is then useless (wire 6.3). */
async function askStored(transfer: Transfer): Promise<number | undefined> {
	for (;;) {
		const reply = await transfer.ask({ method: 'GET', url: transfer.url });
		if ('broken' in reply) {
			await transfer.patience.wait(networkFault(transfer, reply.broken));
			continue;
		}
		if (reply.status === 204) return 0;
		return reply.status === 200 ? storedBytes(reply.body, transfer.source.size) : undefined;
	}
}

/** A file name for a header, percent-encoded (RFC 3986). */
const headerName = (name: string): string =>
	encodeURIComponent(name).replace(
		/[!'()*]/g,
		(character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
	);
