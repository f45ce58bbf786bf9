import { Scene } from './scene';
import { send, sendForm, sha256, someBytes } from './uploads/testing';
import type { UploadType } from './uploads/types';

const XML = '<?xml version="1.0" encoding="UTF-8"?><retval>1</retval>';

/** A PNG header for an image of this size, enough to read the size from. */
function pngOf(width: number, height: number): Buffer {
	const head = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
	const size = Buffer.alloc(8);
	size.writeUInt32BE(width, 0);
	size.writeUInt32BE(height, 4);
	return Buffer.concat([head, size, Buffer.alloc(16)]);
}

/** The bytes of a form with one file, written by hand. */
function rawForm(disposition: string, content: string) {
	const body = `--B\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n--B--\r\n`;
	return {
		headers: { 'content-type': 'multipart/form-data; boundary=B' },
		body: Buffer.from(body),
	};
}

describe('The upload origin, multipart', () => {
	const scene = Scene.forAllTests();
	const file = someBytes(70_000);

	const issue = (type: UploadType, { platform } = scene) =>
		platform.uploads.issue(type, platform.uploadUrl);

	const media = (token: string) => scene.platform.uploads.media(token);

	it('answers an image with its token under a key that needs escaping', async () => {
		const { url, token } = issue('image');
		expect(token).toBeUndefined();
		const reply = await sendForm(url, 'cat.png', file);
		expect(reply.status).toBe(200);
		const [[key = '', photo] = []] = Object.entries<{ token: string }>(
			JSON.parse(reply.body).photos,
		);
		expect(key).toMatch(/\+.*\/.*=/);
		expect(photo?.token).toMatch(/\+.*\/.*=/);
		expect(new URL(url).searchParams.get('token')).toBe(photo?.token);
		expect(media(photo?.token ?? '')).toMatchObject({
			type: 'image',
			fileName: 'cat.png',
			mimeType: 'image/png',
			size: 70_000,
			sha256: sha256(file),
			content: file,
		});
	});

	it.each([
		['video', 'a.mp4'],
		['audio', 'a.mp3'],
	] as const)('answers %s with XML: its token was given before', async (type, name) => {
		const { url, token = '' } = issue(type);
		expect(media(token)).toBeUndefined();
		expect(await sendForm(url, name, file)).toMatchObject({ status: 200, body: XML });
		expect(media(token)).toMatchObject({
			type,
			size: 70_000,
			sha256: sha256(file),
		});
	});

	it('takes one file per url', async () => {
		const { url } = issue('file');
		await sendForm(url, 'a.txt', file);
		const second = await sendForm(url, 'a.txt', file);
		expect(second.status).toBe(400);
		expect(JSON.parse(second.body)).toEqual({
			error_code: 'upload.url.used',
			error_data: expect.any(String),
		});
	});

	it('knows its own urls only, and unchanged', async () => {
		const { url } = issue('file');
		const unknown = url.replace(/id=\w+/, 'id=none');
		expect(await sendForm(unknown, 'a.txt', file)).toMatchObject({ status: 404 });
		expect(await sendForm(`${url}&v=1`, 'a.txt', file)).toMatchObject({ status: 403 });
		expect(await sendForm(decodeURIComponent(url), 'a.txt', file)).toMatchObject({ status: 403 });
	});

	it('refuses other methods', async () => {
		const { url } = issue('file');
		expect(await send(url, { method: 'PUT', body: file })).toMatchObject({ status: 405 });
	});

	it('refuses an empty file', async () => {
		const { url } = issue('file');
		expect(await sendForm(url, 'a.txt', Buffer.alloc(0))).toMatchObject({ status: 400 });
	});

	it('refuses a forbidden extension, and files of another kind by their name, in plain text', async () => {
		const refused = { status: 400, body: 'File extension is forbidden' };
		expect(await sendForm(issue('file').url, 'run.EXE', file)).toMatchObject(refused);
		expect(await sendForm(issue('image').url, 'a.webp', file)).toMatchObject(refused);
		expect(await sendForm(issue('video').url, 'a.avi', file)).toMatchObject(refused);
		expect(await sendForm(issue('audio').url, 'a.mp4', file)).toMatchObject(refused);
		// Clients that send bytes from memory have no file extension.
		expect(await sendForm(issue('image').url, 'a1b2', file)).toMatchObject({
			status: 200,
		});
	});

	it('refuses images of more than 7680 pixels along a side', async () => {
		const ways = [pngOf(7_680, 7_680), pngOf(7_681, 1), pngOf(1, 7_681)];
		const statuses = [];
		for (const png of ways) {
			statuses.push((await sendForm(issue('image').url, 'a.png', png)).status);
		}
		expect(statuses).toEqual([200, 400, 400]);
	});

	it('reads the size of an image', async () => {
		const { url } = issue('image');
		const { photos } = JSON.parse((await sendForm(url, 'a.png', pngOf(640, 480))).body);
		const [{ token } = { token: '' }] = Object.values<{ token: string }>(photos);
		expect(media(token)).toMatchObject({ width: 640, height: 480 });
	});

	it.each([
		['another field name', () => rawForm('name="file"; filename="a.txt"', 'x')],
		['no file name', () => rawForm('name="data"', 'x')],
		[
			'no boundary',
			() => ({ ...rawForm('', ''), headers: { 'content-type': 'multipart/form-data' } }),
		],
		['no file', () => rawForm('name="other"', 'x')],
		[
			'a body that ends early',
			() => {
				const form = rawForm('name="data"; filename="a.txt"', 'xxxxxxxx');
				return { ...form, body: form.body.subarray(0, -8) };
			},
		],
		[
			'two files',
			() => {
				const form = rawForm('name="data"; filename="a.txt"', 'x');
				const first = form.body.toString().replace('--B--\r\n', '');
				return { ...form, body: Buffer.from(first + form.body.toString()) };
			},
		],
	])('refuses a form with %s', async (_what, form) => {
		const { url } = issue('file');
		const reply = await send(url, form());
		expect(reply.status).toBe(400);
		expect(JSON.parse(reply.body)).toMatchObject({ error_code: 'upload.form' });
		expect(await sendForm(url, 'a.txt', file)).toMatchObject({ status: 200 });
	});

	it.each([
		['Отчёт 📄.txt', 'Отчёт 📄.txt', 'Отчёт 📄.txt'],
		['say "hi".txt', 'say %22hi%22.txt', 'say "hi".txt'],
		['two\r\nlines.txt', 'two%0D%0Alines.txt', 'two\r\nlines.txt'],
		['100%41 & ../up\\x;y.txt', '100%41 & ../up\\x;y.txt', '100%41 & ../up\\x;y.txt'],
	])('understands the file name %j', async (fileName, written, meant) => {
		const { url } = issue('file');
		const { token } = JSON.parse((await sendForm(url, fileName, file)).body);
		expect(media(token)?.fileName).toBe(meant);
		expect(scene.platform.journal.entries().at(-1)).toMatchObject({ file_name: written });
	});

	it('takes files of exactly the maximum size of each type, and not a byte more', async () => {
		const bytes = { image: 1_000, video: 2_000, audio: 3_000, file: 4_000 };
		const small = await Scene.open({ uploadLimits: { bytes } });
		for (const type of ['image', 'video', 'audio', 'file'] as const) {
			const exact = await sendForm(issue(type, small).url, 'a', someBytes(bytes[type]));
			const over = await sendForm(issue(type, small).url, 'a', someBytes(bytes[type] + 1));
			expect([exact.status, over.status]).toEqual([200, 413]);
		}
		await small.close();
	});

	it('gives back a file with its name, and the type that all files have', async () => {
		const written = 'Счёт "1"\r\n/../x.pdf';
		const { headers } = await fetch(
			scene.platform.uploadUrl + scene.platform.uploads.accept('file', written, file).path,
		);
		expect(headers.get('content-type')).toBe('application/octet-stream');
		const [, name = ''] =
			/filename\*=UTF-8''(.*)$/.exec(headers.get('content-disposition') ?? '') ?? [];
		expect(decodeURIComponent(name)).toBe(written);
	});

	it('gives back files even under names that are no file names, and nothing at other addresses', async () => {
		const { uploads, uploadUrl } = scene.platform;
		const statusOf = async (path: string) => (await fetch(uploadUrl + path)).status;
		for (const name of ['', '.', '..', 'a/b', '\ud800']) {
			expect(await statusOf(uploads.accept('image', name, file).path)).toBe(200);
		}
		for (const path of ['/media/nothing/here.png', '/']) expect(await statusOf(path)).toBe(404);
	});
});
