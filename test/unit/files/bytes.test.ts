import {
	bufferStream,
	limitedTo,
	PortionReader,
	type ByteStream,
} from '../../../nodes/BotMessaging/files/bytes';
import { Semaphore } from '../../../nodes/BotMessaging/files/semaphore';

/** Content in chunks of the given sizes, with bytes that count up. A size of -1 breaks the stream. */
function pieces(...sizes: number[]): ByteStream & { destroyed: boolean } {
	let next = 0;
	const stream = {
		destroyed: false,
		destroy: () => {
			stream.destroyed = true;
		},
		async *[Symbol.asyncIterator]() {
			for (const size of sizes) {
				if (size < 0) throw new Error('broken');
				yield await Promise.resolve(Uint8Array.from({ length: size }, () => next++));
			}
		},
	};
	return stream;
}

async function collect(content: AsyncIterable<Uint8Array>): Promise<number[]> {
	const bytes: number[] = [];
	for await (const chunk of content) bytes.push(...chunk);
	return bytes;
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n);

describe('A byte stream', () => {
	it.each([[[]], [[4, 0, 5]], [[9]], [[2, 3]]])(
		'that may have nine bytes and has chunks of %j is unchanged',
		async (sizes) => {
			const stream = pieces(...sizes);
			const checked = limitedTo(stream, 9, () => expect(stream).toBeUndefined());
			const length = sizes.reduce((sum, size) => sum + size, 0);
			expect(await collect(checked)).toEqual(range(0, length));
			checked.destroy();
			expect(stream.destroyed).toBe(true);
		},
	);

	it.each([[[10]], [[9, 1]], [[4, 4, 4, -1]], [[8, 0, 2]]])(
		'that may have nine bytes and has chunks of %j does not give all nine',
		async (sizes) => {
			const tooLong = jest.fn();
			const given: Uint8Array[] = [];
			const read = async (): Promise<void> => {
				for await (const chunk of limitedTo(pieces(...sizes), 9, tooLong)) given.push(chunk);
			};
			await expect(read()).rejects.toThrow('it is longer than announced');
			expect(tooLong).toHaveBeenCalledTimes(1);
			expect(Buffer.concat(given).length).toBeLessThan(9);
		},
	);

	it('made from a buffer has the content of the buffer', async () => {
		expect(await collect(bufferStream(Uint8Array.of(1, 2)))).toEqual([1, 2]);
	});
});

describe('A portion reader', () => {
	it('hands out portions of the exact size, whatever the chunks', async () => {
		const stream = pieces(3, 1, 5, 2);
		const reader = new PortionReader(stream);
		expect(await collect(reader.take(2))).toEqual([0, 1]);
		expect(await collect(reader.take(5))).toEqual(range(2, 7));
		expect(await collect(reader.take(4))).toEqual(range(7, 11));
		expect([reader.pending, reader.failure]).toEqual([0, undefined]);
		reader.close();
		expect(stream.destroyed).toBe(true);
	});

	it.each([0, 1, 3, 4, 7, 9])('hands out the rest behind the first %d bytes', async (skip) => {
		const reader = new PortionReader({ ...pieces(4, 1, 4), skip });
		expect(await collect(reader.take(9 - skip))).toEqual(range(skip, 9));
	});

	it('does not take what is to be skipped for content', async () => {
		const reader = new PortionReader({ ...pieces(4, 1, 4), skip: 10 });
		await expect(collect(reader.take(1))).rejects.toThrow('ended before its announced size');
	});

	it('counts what it skips and what it hands out, as it comes', async () => {
		const moved: number[] = [];
		const reader: PortionReader = new PortionReader({
			skip: 7,
			destroy: () => undefined,
			async *[Symbol.asyncIterator]() {
				for await (const chunk of pieces(4, 4, 4)) {
					moved.push(reader.moved);
					yield chunk;
				}
			},
		});
		await collect(reader.take(2));
		await collect(reader.take(3));
		expect([...moved, reader.moved]).toEqual([0, 4, 8, 12]);
	});

	it('knows how much of a portion is left when its consumer stops early', async () => {
		const reader = new PortionReader(pieces(3, 3));
		for await (const chunk of reader.take(6)) {
			expect(chunk).toHaveLength(3);
			break;
		}
		expect(reader.pending).toBe(3);
	});

	it.each([
		['ends too early', [3, 2], 'The file ended before its announced size'],
		['breaks', [3, -1], 'Reading the file failed: broken'],
	])('keeps the reason when the content %s', async (_, sizes, message) => {
		const reader = new PortionReader(pieces(...sizes));
		await expect(collect(reader.take(6))).rejects.toThrow(message);
		expect(reader.failure?.message).toBe(message);
	});

	it('says in plain words that a connection broke', async () => {
		const aborted = Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
		const next = jest.fn().mockRejectedValue(aborted);
		const stream = { destroy: jest.fn(), [Symbol.asyncIterator]: () => ({ next }) };
		const message = 'Reading the file failed: the connection broke (ECONNRESET)';
		await expect(collect(new PortionReader(stream).take(6))).rejects.toThrow(message);
	});
});

describe('A semaphore', () => {
	it('lets only so many in at a time, the others in order, even after failures', async () => {
		const semaphore = new Semaphore(2);
		const begun: number[] = [];
		let active = 0;
		let most = 0;
		const work = (n: number) =>
			semaphore.run(async () => {
				begun.push(n);
				most = Math.max(most, ++active);
				await new Promise((resolve) => setImmediate(resolve));
				active--;
				if (n % 2) throw new Error(String(n));
			});
		const results = await Promise.allSettled(range(0, 7).map(work));
		expect([begun, most]).toEqual([range(0, 7), 2]);
		expect(results.map(({ status }) => status === 'rejected')).toEqual(
			range(0, 7).map((n) => n % 2 === 1),
		);
	});
});
