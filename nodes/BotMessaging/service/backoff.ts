/** Pauses that grow with each failure, up to the longest; in ms. */
export interface Backoff {
	first: number;
	growth: number;
	longest: number;
}

/** The pause after so many failures before this one (from 0), in ms. */
export const backoffMs = (failures: number, { first, growth, longest }: Backoff): number =>
	Math.min(first * growth ** failures, longest);
