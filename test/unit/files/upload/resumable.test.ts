import fc from 'fast-check';
import { bufferStream, type FileSource } from '../../../../nodes/BotMessaging/files/bytes';
import type { FileRequest } from '../../../../nodes/BotMessaging/files/fileHost';
import { RetryWindow } from '../../../../nodes/BotMessaging/files/timeouts';
import { uploadAsForm } from '../../../../nodes/BotMessaging/files/upload/multipart';
import { partSize, uploadInParts } from '../../../../nodes/BotMessaging/files/upload/resumable';
import type { Transfer } from '../../../../nodes/BotMessaging/files/upload/transfer';
import type { Reply } from '../../../../nodes/BotMessaging/files/upload/uploadHost';
import type { Failure } from '../../../../nodes/BotMessaging/service/failure';

/** Gives up after this many failures without progress, and never pauses. */
const MOST_FAILURES = 6;

const FAULTS = [
	'none',
	'none',
	/** The connection breaks in the middle of the part; the host keeps what it has. */
	'cut',
	/** The same, but the host drops the part. */
	'dropped',
	/** The host has all of the part, but its answer is lost. */
	'answer lost',
	/** The host answers before it has read the whole part. */
	'early',
	/** The host has read the whole part, keeps the beginning of it, and says so if it tells. */
	'short',
	/** The host loses the end of what it had. */
	'forgets',
	'busy',
	'conflict',
	'lost',
] as const;

interface Event {
	fault: (typeof FAULTS)[number];
	/** Where it happens, as a fraction of the part. */
	at: number;
}

const event: fc.Arbitrary<Event> = fc.record({
	fault: fc.constantFrom(...FAULTS),
	at: fc.double({ min: 0, max: 0.99, noNaN: true }),
});

const play = fc.record({
	size: fc.integer({ min: 1, max: 200 }),
	part: fc.integer({ min: 1, max: 80 }),
	chunk: fc.integer({ min: 1, max: 60 }),
	/** Where reading the file breaks off, the first times that it is opened, in bytes. */
	breaks: fc.array(fc.integer({ min: 0, max: 250 }), { maxLength: 3 }),
	/** Whether the answers to parts tell how much the host has, as they do for some media. */
	tells: fc.boolean(),
	events: fc.oneof(fc.array(event, { maxLength: 30, size: 'max' }), fc.constant([])),
});

/** A host that keeps what it is sent, and what happens to it; in the end, nothing more happens. */
class Host {
	has = Buffer.alloc(0);

	constructor(
		private readonly size: number,
		private readonly tells: boolean,
		private readonly events: Event[],
	) {}

	async answer({ method, headers, body }: FileRequest): Promise<Reply> {
		const { fault, at } = this.events.shift() ?? { fault: 'none', at: 0 };
		if (fault === 'lost') return { status: 404, body: 'gone' };
		if (fault === 'busy') return { status: 503, body: 'busy' };
		if (fault === 'forgets') this.keep(Math.floor(at * this.has.length));
		if (method === 'GET' || !body) return this.status();
		const begin = Number(/^bytes (\d+)-/.exec(headers?.['Content-Range'] ?? '')?.[1]);
		const isPartial = fault === 'cut' || fault === 'dropped' || fault === 'early';
		const sent = await read(body.content, isPartial ? Math.floor(at * body.size) : Infinity);
		if (!sent) return BROKEN;
		if (fault === 'conflict' || begin !== this.has.length) return { status: 416, body: 'conflict' };
		if (fault === 'dropped') return BROKEN;
		this.has = Buffer.concat([this.has, sent]);
		if (fault === 'short' && this.tells) this.keep(begin + Math.max(1, Math.ceil(at * body.size)));
		return fault === 'cut' || fault === 'answer lost' ? BROKEN : this.stored();
	}

	private stored(): Reply {
		return this.tells ? this.status() : { status: 201, body: '' };
	}

	private keep(bytes: number): void {
		this.has = this.has.subarray(0, bytes);
	}

	private status(): Reply {
		const { length } = this.has;
		return length > 0
			? { status: 200, body: `0-${length - 1}/${this.size}` }
			: { status: 204, body: '' };
	}
}

const BROKEN: Reply = { broken: { code: 'ECONNRESET', message: 'the connection broke' } };

/** Reads chunks until it has `most` bytes; `undefined` when the content breaks off. */
async function read(content: AsyncIterable<Uint8Array>, most: number) {
	let sent = Buffer.alloc(0);
	try {
		for await (const chunk of content) {
			sent = Buffer.concat([sent, chunk]);
			if (sent.length >= most) break;
		}
		return sent;
	} catch {
		return undefined;
	}
}

/** A file that can be read in chunks, and breaks off the first times. `opened`: streams that are not destroyed. */
function fileOf(content: Buffer, chunk: number, breaks: number[]) {
	const opened = new Set<object>();
	const source: FileSource = {
		fileName: 'a.mp4',
		mimeType: 'video/mp4',
		size: content.length,
		open: async (offset) => {
			const end = breaks.shift() ?? Infinity;
			async function* chunks() {
				for (let at = offset; at < content.length; at += chunk) {
					if (at >= end) throw new Error('the file broke off');
					yield await Promise.resolve(content.subarray(at, at + chunk));
				}
			}
			const stream = {
				...bufferStream(content),
				destroy: () => opened.delete(stream),
				[Symbol.asyncIterator]: chunks,
			};
			opened.add(stream);
			return await Promise.resolve(stream);
		},
	};
	return { source, opened };
}

class Hasty extends RetryWindow {
	private left = MOST_FAILURES;

	override progress(): void {
		this.left = MOST_FAILURES;
	}

	override async wait({ message }: Failure): Promise<void> {
		if (this.left-- === 0) throw new Error(message);
		await Promise.resolve();
	}
}

/** An upload of this file to a host that answers so. */
const transferOf = (source: FileSource, ask: Transfer['ask']): Transfer => ({
	url: 'https://upload.example/1',
	source,
	fileName: source.fileName,
	ask,
	patience: new Hasty(0, ({ message }) => new Error(message)),
	error: ({ message }) => new Error(`Given up: ${message}`),
});

test('Whatever happens on the way, an upload in parts ends with the whole file at its host, or with an error', async () => {
	await fc.assert(
		fc.asyncProperty(play, async ({ size, part, chunk, breaks, tells, events }) => {
			const content = Buffer.from(Array.from({ length: size }, (_, index) => (index * 7) % 251));
			const host = new Host(size, tells, [...events]);
			const { source, opened } = fileOf(content, chunk, [...breaks]);
			const transfer = transferOf(source, async (request) => await host.answer(request));
			const end = await uploadInParts(transfer, part).catch((error: unknown) => ({ error }));
			expect(opened.size).toBe(0);
			if ('answer' in end) expect(host.has.equals(content)).toBe(true);
			// A file that breaks off is read on from there.
			if (events.length === 0) expect(host.has.equals(content)).toBe(true);
		}),
		{ numRuns: 400 },
	);
});

test.each<[string, (transfer: Transfer) => Promise<unknown>]>([
	['in parts', async (transfer) => await uploadInParts(transfer, 10)],
	['as a form', uploadAsForm],
])('What n8n itself does not send is not tried again: an upload %s', async (_, upload) => {
	const { source, opened } = fileOf(Buffer.alloc(30), 5, []);
	let asked = 0;
	const transfer = transferOf(source, async () => {
		asked++;
		return await Promise.resolve({ broken: { message: 'The request was blocked' } });
	});
	await expect(upload(transfer)).rejects.toThrow('Given up: The request was blocked');
	expect(asked).toBe(1);
	expect(opened.size).toBe(0);
});

test('The size of a part is the requested one unless a file would take more than 900 parts', () => {
	expect(partSize(10 ** 9, 32 * 2 ** 20)).toBe(32 * 2 ** 20);
	const small = partSize(4 * 2 ** 30, 1);
	expect(Math.ceil((4 * 2 ** 30) / small)).toBeLessThanOrEqual(900);
	expect(partSize(1, 0.2)).toBe(1);
});
