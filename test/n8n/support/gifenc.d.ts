/** The part of gifenc that is used here; it has no types of its own. */
declare module 'gifenc' {
	type Palette = number[][];
	export function quantize(rgba: Uint8Array, maxColors: number): Palette;
	export function applyPalette(rgba: Uint8Array, palette: Palette): Uint8Array;
	export function GIFEncoder(): {
		/** @param options delay in ms; dispose 1 keeps the previous frame in place */
		writeFrame(
			index: Uint8Array,
			width: number,
			height: number,
			options: {
				palette?: Palette;
				delay: number;
				transparent?: boolean;
				transparentIndex?: number;
				dispose?: number;
			},
		): void;
		finish(): void;
		bytes(): Uint8Array;
	};
}
