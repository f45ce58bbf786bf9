import {
	type UploadOrigin,
	sendForm,
	sha256,
	someBytes,
	startUploadOrigin,
} from './uploads/testing';

const file = someBytes(1_000);

describe('Downloads from the upload origin', () => {
	let platform: UploadOrigin;
	beforeAll(async () => {
		platform = await startUploadOrigin();
	});

	const download = async (path: string) => {
		const response = await fetch(platform.origin + path);
		const body = Buffer.from(await response.arrayBuffer());
		const header = (name: string) => response.headers.get(name) ?? '';
		return { status: response.status, header, body };
	};

	it('give back what a user sent, with its name and the type that all files have', async () => {
		const media = platform.host.accept('file', 'Счёт "1"\r\n/../x.pdf', file);
		const { status: code, header, body } = await download(media.path);
		expect(code).toBe(200);
		expect(body.equals(file)).toBe(true);
		expect(header('content-type')).toBe('application/octet-stream');
		expect(header('content-length')).toBe('1000');
		const name = /filename\*=UTF-8''(.*)$/.exec(header('content-disposition'))?.[1];
		expect(decodeURIComponent(name ?? '')).toBe('Счёт "1"\r\n/../x.pdf');
	});

	it('give back what a bot uploaded', async () => {
		const { url, token = '' } = platform.issue('video');
		await sendForm(url, 'a.mp4', file);
		const { body } = await download(platform.host.media(token)?.path ?? '');
		expect(sha256(body)).toBe(sha256(file));
	});

	it('generate large synthetic media, the same each time', async () => {
		const media = platform.host.accept('video', 'big.mp4', { size: 3_000_000, seed: 'one' });
		const { body, header } = await download(media.path);
		expect(header('content-length')).toBe('3000000');
		expect(sha256(body)).toBe(media.sha256);
		const other = platform.host.accept('video', 'big.mp4', { size: 3_000_000, seed: 'two' });
		expect(other.sha256).not.toBe(media.sha256);
	});

	it('of a large upload have its size', async () => {
		const { url, token = '' } = platform.issue('video');
		await sendForm(url, 'a.mp4', someBytes(2_000_000));
		const { body } = await download(platform.host.media(token)?.path ?? '');
		expect(body.length).toBe(2_000_000);
	});

	it('find nothing at other addresses', async () => {
		expect((await download('/media/nothing/here.png')).status).toBe(404);
		expect((await download('/')).status).toBe(404);
	});

	it('work even with names that are no file names', async () => {
		for (const name of ['', '.', '..', 'a/b', '\ud800']) {
			const { path } = platform.host.accept('image', name, file);
			expect((await download(path)).status).toBe(200);
		}
	});
});
