import { applyPalette, GIFEncoder, quantize } from 'gifenc';
import { PNG } from 'pngjs';

/** One of the 256 colors is reserved for pixels that did not change. */
const COLORS = 255;

/** An animation; each frame shows PNG images side by side. All frames must have the same size. */
export class Movie {
	private readonly frames: Array<{ image: PNG; ms: number }> = [];

	/** @param pictures PNG files of the same height; @param ms how long the frame is shown */
	add(pictures: Buffer[], ms: number) {
		const parts = pictures.map((picture) => PNG.sync.read(picture));
		const width = parts.reduce((sum, part) => sum + part.width, 0);
		const image = new PNG({ width, height: parts[0]?.height ?? 0 });
		let left = 0;
		for (const part of parts) {
			PNG.bitblt(part, image, 0, 0, part.width, part.height, left, 0);
			left += part.width;
		}
		this.frames.push({ image, ms });
	}

	/** The GIF file. Each frame contains only what differs from the previous one. */
	gif(): Uint8Array {
		const encoder = GIFEncoder();
		const colors = quantize(Buffer.concat(this.frames.map(({ image }) => image.data)), COLORS);
		const unchanged = colors.length;
		const palette = [...colors, [0, 0, 0]];
		let before: Uint8Array | undefined;
		for (const { image, ms } of this.frames) {
			const pixels = applyPalette(image.data, colors);
			const last = before;
			const seen = last
				? pixels.map((pixel, at) => (pixel === last[at] ? unchanged : pixel))
				: pixels;
			encoder.writeFrame(seen, image.width, image.height, {
				...(!last && { palette }),
				delay: ms,
				dispose: 1,
				transparent: last !== undefined,
				transparentIndex: unchanged,
			});
			before = pixels;
		}
		encoder.finish();
		return encoder.bytes();
	}
}
