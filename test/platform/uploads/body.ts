import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Clock } from '../clock';
import { type Answer, type Blocks, CutConnection } from './answers';

/** Into how many pieces a short body is cut when it is sent slowly. */
const SLOW_PIECES = 10;

const LINGER_BYTES = 16 * 1024 * 1024;

/** The bytes of a request's body as they arrive, counted, and cut off on purpose after `cutAfter` of them. */
export class IncomingBody {
	bytes = 0;

	constructor(
		private readonly request: IncomingMessage,
		private readonly cutAfter = Infinity,
	) {}

	/** Whoever stops reading leaves the connection intact, so that an answer can still be given. */
	async *chunks(): AsyncGenerator<Buffer> {
		const incoming: AsyncIterable<Buffer> = this.request.iterator({ destroyOnReturn: false });
		for await (const chunk of incoming) {
			const wanted = chunk.subarray(0, this.cutAfter - this.bytes);
			this.bytes += wanted.length;
			if (wanted.length > 0) yield wanted;
			if (this.bytes >= this.cutAfter) throw new CutConnection();
		}
	}

	/**
	 * Reads on, up to a bound, after the answer is settled: closing with unread data in the way would reset the
	 * connection, and the client might never see the answer.
	 */
	async linger(): Promise<void> {
		const rest: AsyncIterable<Buffer> = this.request.iterator({ destroyOnReturn: false });
		let read = 0;
		try {
			for await (const chunk of rest) if ((read += chunk.length) > LINGER_BYTES) return;
		} catch {
			// The client has gone, and nobody waits for the answer.
		}
	}
}

function blocksOf(body: string | Blocks, pieces: number): Blocks {
	if (typeof body !== 'string') return body;
	const bytes = Buffer.from(body);
	const size = Math.max(1, Math.ceil(bytes.length / pieces));
	const count = Math.ceil(bytes.length / size);
	const blocks = Array.from({ length: count }, (_, n) => bytes.subarray(n * size, (n + 1) * size));
	return { length: bytes.length, blocks };
}

/**
 * Sends an answer, its body spread over `slowMs` milliseconds of the clock. Resolves when it is out, or when the
 * client has gone.
 */
export async function sendAnswer(
	response: ServerResponse,
	answer: Answer,
	clock: Clock,
	slowMs = 0,
): Promise<void> {
	const { length, blocks } = blocksOf(answer.body, slowMs > 0 ? SLOW_PIECES : 1);
	const lengthHeader = answer.status === 204 ? {} : { 'content-length': String(length) };
	response.writeHead(answer.status, { ...lengthHeader, ...answer.headers });
	if (response.req.method === 'HEAD' || length === 0) {
		response.end();
		return;
	}
	const pause = slowMs / SLOW_PIECES;
	const paced = async function* () {
		for (const block of blocks) {
			if (pause > 0) await clock.sleep(pause);
			yield block;
		}
	};
	// The only failure is a client that no longer listens, which is its own business.
	await pipeline(Readable.from(paced()), response).catch(() => undefined);
}
