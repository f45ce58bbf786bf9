/** What the first bytes of a file say about it. */
export interface Probe {
	/** Pixels. */
	width?: number;
	height?: number;
	/** Seconds. */
	duration?: number;
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Start-of-frame markers of JPEG: C0–CF without C4, C8 and CC. */
const isFrame = (marker: number) =>
	marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

function png(head: Buffer): Probe {
	return head.length < 24 ? {} : { width: head.readUInt32BE(16), height: head.readUInt32BE(20) };
}

function gif(head: Buffer): Probe {
	return head.length < 10 ? {} : { width: head.readUInt16LE(6), height: head.readUInt16LE(8) };
}

/** Walks the segments up to the frame header. */
function jpeg(head: Buffer): Probe {
	for (let at = 2; at + 9 <= head.length && head[at] === 0xff;) {
		const marker = head.readUInt8(at + 1);
		if (isFrame(marker)) {
			return { width: head.readUInt16BE(at + 7), height: head.readUInt16BE(at + 5) };
		}
		at += 2 + head.readUInt16BE(at + 2);
	}
	return {};
}

/** The format chunk, which in practice comes first, has the bytes per second; the rest of the file is audio. */
function wav(head: Buffer, size: number): Probe {
	const bytesPerSecond = head.length < 44 ? 0 : head.readUInt32LE(28);
	return bytesPerSecond > 0 ? { duration: Math.round((size - 44) / bytesPerSecond) } : {};
}

/**
 * Reads the dimensions of PNG, JPEG and GIF and the duration of WAV from the beginning of a file. Returns nothing for
 * other formats, or if the bytes end too early.
 */
export function probe(head: Buffer, size: number): Probe {
	if (head.subarray(0, 8).equals(PNG)) return png(head);
	if (head.subarray(0, 2).equals(Buffer.from([0xff, 0xd8]))) return jpeg(head);
	const magic = head.toString('latin1', 0, 4);
	if (magic === 'GIF8') return gif(head);
	if (magic === 'RIFF' && head.toString('latin1', 8, 12) === 'WAVE') return wav(head, size);
	return {};
}
