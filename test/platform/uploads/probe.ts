import { imageSize } from 'image-size';

/** What the first bytes of a file say about it. */
export interface Probe {
	/** Pixels. */
	width?: number;
	height?: number;
	/** Seconds. */
	duration?: number;
}

/** The format chunk, which in practice comes first, has the bytes per second; the rest of the file is audio. */
function wav(head: Buffer, size: number): Probe {
	const bytesPerSecond = head.length < 44 ? 0 : head.readUInt32LE(28);
	return bytesPerSecond > 0 ? { duration: Math.round((size - 44) / bytesPerSecond) } : {};
}

/** The dimensions of an image; nothing for other files, or if the bytes end too early. */
function image(head: Buffer): Probe {
	try {
		const { width, height } = imageSize(head);
		return { width, height };
	} catch {
		return {};
	}
}

/** Reads the dimensions of an image, or the duration of WAV, from the beginning of a file. */
export function probe(head: Buffer, size: number): Probe {
	const isWav =
		head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WAVE';
	return isWav ? wav(head, size) : image(head);
}
