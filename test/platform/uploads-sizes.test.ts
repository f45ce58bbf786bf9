import { syntheticBytes } from './uploads/content';
import { send, sendForm, someBytes, startUploadOrigin } from './uploads/testing';

describe('Sizes of uploads', () => {
	it('takes files of exactly the maximum size of each type, and not a byte more', async () => {
		const bytes = { image: 1_000, video: 2_000, audio: 3_000, file: 4_000 };
		const platform = await startUploadOrigin({ bytes });
		for (const type of ['image', 'video', 'audio', 'file'] as const) {
			const exact = await sendForm(platform.issue(type).url, 'a', someBytes(bytes[type]));
			const over = await sendForm(platform.issue(type).url, 'a', someBytes(bytes[type] + 1));
			expect([exact.status, over.status]).toEqual([200, 413]);
		}
	});

	it('keeps memory flat while 200 MiB arrive, and hashes them', async () => {
		const platform = await startUploadOrigin();
		const { url, token = '' } = platform.issue('video');
		const big = { size: 200 * 1024 ** 2, seed: 'big' };
		const { sha256: expected } = platform.host.accept('video', 'b.mp4', big);
		const before = process.memoryUsage().rss;
		let peak = 0;
		const body = function* () {
			yield Buffer.from(
				'--B\r\nContent-Disposition: form-data; name="data"; filename="b.mp4"\r\n\r\n',
			);
			for (const block of syntheticBytes(big)) {
				peak = Math.max(peak, process.memoryUsage().rss);
				yield block;
			}
			yield Buffer.from('\r\n--B--\r\n');
		};
		const headers = { 'content-type': 'multipart/form-data; boundary=B' };
		expect(await send(url, { headers, body: body() })).toMatchObject({
			status: 200,
			body: '<?xml version="1.0" encoding="UTF-8"?><retval>1</retval>',
		});
		expect(platform.host.media(token)).toMatchObject({ size: big.size, sha256: expected });
		expect(platform.host.media(token)?.content).toBeUndefined();
		expect(peak - before).toBeLessThan(64 * 1024 ** 2);
	});
});
