import { randomInt } from 'node:crypto';

/**
 * Random numbers of at least 0 and below 1. The seed is printed; `SEED=… npm run test:…` repeats the same numbers.
 */
export function randomNumbers(what: string): () => number {
	let state = Number(process.env.SEED ?? randomInt(2 ** 31));
	process.stderr.write(`${what}: SEED=${state}\n`);
	// Mulberry32, a generator with 32 bits of state.
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}
