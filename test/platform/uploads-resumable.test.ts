import { Scene } from './scene';
import { send, sendForm, sendPart, sha256, someBytes } from './uploads/testing';
import type { UploadType } from './uploads/types';

const file = someBytes(1_000);

const status = (url: string) => send(url, { method: 'GET' });

describe('The upload origin, resumable', () => {
	const scene = Scene.forAllTests({ uploadLimits: { extensions: {}, fragments: 20 } });

	const issue = (type: UploadType) => scene.platform.uploads.issue(type, scene.platform.uploadUrl);

	const media = (token: string) => scene.platform.uploads.media(token);

	it.each([
		['a gap', 500, 599, 1_000],
		['an overlap', 300, 599, 1_000],
		['a repetition', 0, 399, 1_000],
		['another total', 400, 599, 2_000],
		['an end before its start', 400, 399, 1_000],
		['an end outside of the file', 400, 1_000, 1_000],
	])('answers 416 to %s and keeps what it has', async (_what, start, end, total) => {
		const { url, token = '' } = issue('audio');
		await sendPart(url, file, 0, 399);
		const headers = { 'content-range': `bytes ${start}-${end}/${total}` };
		const refused = await send(url, { headers, body: Buffer.alloc(Math.max(0, end - start + 1)) });
		expect(refused.status).toBe(416);
		expect(JSON.parse(refused.body)).toMatchObject({ error_code: 'upload.range' });
		expect((await sendPart(url, file, 400, 999)).status).toBe(200);
		expect(media(token)?.sha256).toBe(sha256(file));
	});

	it.each([undefined, 'bytes 0-9', 'bytes 0-9/*', 'bytes=0-9/10', 'bytes a-b/c'])(
		'refuses the range %j',
		async (range) => {
			const { url } = issue('file');
			const headers: Record<string, string> = range === undefined ? {} : { 'content-range': range };
			expect((await send(url, { headers, body: Buffer.alloc(10) })).status).toBe(400);
			expect((await status(url)).status).toBe(204);
		},
	);

	it('refuses a body that is shorter or longer than its range', async () => {
		const { url } = issue('file');
		for (const size of [9, 11]) {
			const headers = {
				'content-range': 'bytes 0-9/20',
				'content-disposition': 'attachment; filename="a"',
			};
			const refused = await send(url, { headers, body: Buffer.alloc(size) });
			expect(JSON.parse(refused.body)).toMatchObject({ error_code: 'upload.range' });
		}
		expect((await status(url)).status).toBe(204);
	});

	it('refuses a file that is too large before its bytes arrive', async () => {
		const { url } = issue('image');
		const headers = { 'content-range': `bytes 0-9/${50 * 1024 ** 2 + 1}` };
		expect((await send(url, { headers, body: Buffer.alloc(10) })).status).toBe(413);
	});

	it('takes no more fragments than it may', async () => {
		const { url } = issue('file');
		for (let at = 0; at < 20; at += 1) {
			expect((await sendPart(url, file, at, at)).status).toBe(201);
		}
		const refused = await sendPart(url, file, 20, 20);
		expect(JSON.parse(refused.body)).toMatchObject({ error_code: 'upload.fragments' });
	});

	it('takes one file per url, and in one way', async () => {
		const { url } = issue('video');
		await sendPart(url, file, 0, 499);
		expect((await sendForm(url, 'a.mp4', file)).status).toBe(400);
		await sendPart(url, file, 500, 999);
		expect(JSON.parse((await sendPart(url, file, 0, 999)).body)).toMatchObject({
			error_code: 'upload.url.used',
		});
		expect((await sendForm(url, 'a.mp4', file)).status).toBe(400);
	});

	it('refuses a part without the name of the file', async () => {
		const { url } = issue('video');
		const nameless = { 'content-disposition': 'attachment' };
		const refused = await sendPart(url, file, 0, 499, nameless);
		expect(JSON.parse(refused.body)).toMatchObject({ error_code: 'upload.name' });
	});

	it.each([
		['attachment; filename="a b.mp4"', 'a b.mp4'],
		['attachment; filename="say \\"hi\\".mp4"', 'say "hi".mp4'],
		['attachment; filename=a%20b%3B%C3%BC.mp4', 'a b;ü.mp4'],
		['attachment; filename="%D0%B6%0D%0A.mp4"', 'ж\r\n.mp4'],
		['attachment; filename="100%.mp4"', '100%.mp4'],
		[Buffer.from('attachment; filename="Отчёт.mp4"').toString('latin1'), 'Отчёт.mp4'],
		[`attachment; filename="x"; filename*=UTF-8''%F0%9F%93%84.mp4`, '📄.mp4'],
	])('reads the file name in %s', async (disposition, name) => {
		const { url, token = '' } = issue('video');
		await sendPart(url, file, 0, 999, { 'content-disposition': disposition });
		expect(media(token)?.fileName).toBe(name);
	});

	it.each([true, false])(
		'keeps what arrived before the connection broke, or only whole parts: %s',
		async (keep) => {
			await scene.control.setSettings({ upload_limits: { keep_partial: keep } });
			for (const cut of [1, 137, 599, 600]) {
				const { url, token = '' } = issue('video');
				await sendPart(url, file, 0, 399);
				await scene.control.setFaults([{ then: { cut_after_bytes: cut } }]);
				expect((await sendPart(url, file, 400, 999)).status).toBe(0);
				const next = keep ? 400 + cut : 400;
				expect((await status(url)).body).toBe(`0-${next - 1}/1000`);
				if (next < 1_000) await sendPart(url, file, next, 999);
				if (next < 1_000) expect(media(token)?.sha256).toBe(sha256(file));
			}
		},
	);

	it('leaves the url of a form free whose connection broke', async () => {
		const { url } = issue('file');
		await scene.control.setFaults([{ match: { method: 'POST' }, then: { cut_after_bytes: 200 } }]);
		await expect(sendForm(url, 'a.txt', file)).rejects.toThrow();
		expect((await status(url)).status).toBe(204);
		expect((await sendForm(url, 'a.txt', file)).status).toBe(200);
	});
});
