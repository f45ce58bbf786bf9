import { createCipheriv, createHash } from 'node:crypto';
import { type Probe, probe } from './probe';
import type { SyntheticContent } from './types';

/** Files up to this size (bytes) are kept whole; of larger ones only the beginning, and only while they arrive. */
const KEEP = 1024 ** 2;
const BLOCK = 256 * 1024;

/** What is known about a file once it is complete. */
export interface FinishedContent extends Probe {
	size: number;
	sha256: string;
	content?: Buffer;
}

/** A file while it arrives: hashed and counted, but not kept in memory. */
export class Content {
	size = 0;
	private head: Buffer[] = [];
	private hash = createHash('sha256');

	write(chunk: Buffer): void {
		if (this.size < KEEP) this.head.push(chunk.subarray(0, KEEP - this.size));
		this.size += chunk.length;
		this.hash.update(chunk);
	}

	/** A copy that can be continued while this one stays as it is. */
	fork(): Content {
		const copy = new Content();
		copy.size = this.size;
		copy.head = [...this.head];
		copy.hash = this.hash.copy();
		return copy;
	}

	/** The facts about the complete file. Nothing can be written afterwards. */
	finish(): FinishedContent {
		const head = Buffer.concat(this.head);
		this.head = [];
		return {
			size: this.size,
			sha256: this.hash.digest('hex'),
			...probe(head, this.size),
			...(this.size <= KEEP && { content: head }),
		};
	}
}

/** The bytes of a synthetic file, in blocks. */
export function* syntheticBytes({ size, seed }: SyntheticContent): Generator<Buffer> {
	const key = createHash('sha256').update(seed).digest();
	// The key stream of a cipher is the fastest pseudo-random source available.
	const stream = createCipheriv('aes-128-ctr', key.subarray(0, 16), key.subarray(16));
	const zeros = Buffer.alloc(BLOCK);
	for (let left = size; left > 0; left -= BLOCK) {
		yield stream.update(left < BLOCK ? zeros.subarray(0, left) : zeros);
	}
}
