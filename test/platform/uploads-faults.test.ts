import { waitFor } from '../support/wait';
import {
	type UploadOrigin,
	send,
	sendForm,
	sendPart,
	sha256,
	someBytes,
	startUploadOrigin,
} from './uploads/testing';

const file = someBytes(1_000);

const status = (url: string) => send(url, { method: 'GET' });

describe('A connection that breaks during an upload', () => {
	/** Resolves once the journal has the broken request. */
	const settled = (platform: UploadOrigin) =>
		waitFor(() => platform.entries().some((entry) => entry.status === 0), {
			what: 'the broken request in the journal',
			interval: 5,
		});

	it('leaves nothing of its part', async () => {
		const platform = await startUploadOrigin();
		const { url, token = '' } = platform.issue('video');
		await sendPart(url, file, 0, 399);
		expect((await sendPart(url, file, 400, 999, { abort: true, sent: 100 })).status).toBe(0);
		await settled(platform);
		expect((await status(url)).body).toBe('0-399/1000');
		expect((await sendPart(url, file, 400, 999)).status).toBe(200);
		expect(platform.host.media(token)?.sha256).toBe(sha256(file));
	});

	it('leaves what arrived, if partial parts are kept', async () => {
		const platform = await startUploadOrigin({ keep_partial: true });
		const { url, token = '' } = platform.issue('video');
		await sendPart(url, file, 0, 999, { abort: true, sent: 300 });
		await settled(platform);
		expect((await status(url)).body).toBe('0-299/1000');
		expect((await sendPart(url, file, 300, 999)).status).toBe(200);
		expect(platform.host.media(token)?.sha256).toBe(sha256(file));
	});

	it.each([true, false])('can be caused after any number of bytes (kept: %s)', async (keep) => {
		const platform = await startUploadOrigin({ keep_partial: keep });
		for (const cut of [1, 137, 599, 600]) {
			const { url, token = '' } = platform.issue('video');
			await sendPart(url, file, 0, 399);
			platform.faults.set([{ then: { cut_after_bytes: cut } }]);
			expect((await sendPart(url, file, 400, 999)).status).toBe(0);
			const next = keep ? 400 + cut : 400;
			expect((await status(url)).body).toBe(`0-${next - 1}/1000`);
			if (next < 1_000) await sendPart(url, file, next, 999);
			if (next < 1_000) expect(platform.host.media(token)?.sha256).toBe(sha256(file));
		}
	});

	it('leaves the url of a form free', async () => {
		const platform = await startUploadOrigin();
		const { url } = platform.issue('file');
		platform.faults.set([{ match: { method: 'POST' }, then: { cut_after_bytes: 200 } }]);
		await expect(sendForm(url, 'a.txt', file)).rejects.toThrow();
		expect((await status(url)).status).toBe(204);
		expect((await sendForm(url, 'a.txt', file)).status).toBe(200);
	});
});
