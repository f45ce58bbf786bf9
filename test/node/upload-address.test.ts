import { createHash } from 'node:crypto';
import type { INodeParameters } from 'n8n-workflow';
import { packed, startFileServer, type Answer, type FileServer } from './fileServer';
import { receivedHashes, uploadForm, uploadRequests } from './mediaFiles';
import { Stage } from './support/stage';
import { delivery } from '../support/delivery';

const content = Buffer.from(Array.from({ length: 400_000 }, (_, n) => (n * n) % 251));
const hash = createHash('sha256').update(content).digest('hex');
const EARLIER = 'Mon, 05 Jan 2026 08:00:00 GMT';
const LATER = 'Mon, 05 Jan 2026 09:00:00 GMT';
const CHANGED = 'The file at the address changed while it was uploaded';
const type = { 'content-type': 'video/mp4' };
const length = { 'content-length': String(content.length) };

/** Serves the whole file or, on request, the rest of it. */
const withRanges: Answer = (response, { range = '' }) => {
	const begin = Number(/^bytes=(\d+)-$/.exec(range)?.[1] ?? 0);
	const rest = content.subarray(begin);
	const headers = { ...type, 'content-length': String(rest.length) };
	if (begin === 0) response.writeHead(200, headers).end(rest);
	else if (begin >= content.length) response.writeHead(416).end();
	else {
		const contentRange = `bytes ${begin}-${content.length - 1}/${content.length}`;
		response.writeHead(206, { ...headers, 'content-range': contentRange }).end(rest);
	}
};

/** Breaks off in the middle, the first time; with these headers. */
function breakingOnce(answer: Answer, announced: object = length): Answer {
	let broken = false;
	return (response, headers) => {
		if (broken) {
			answer(response, headers);
			return;
		}
		broken = true;
		response.writeHead(200, { ...type, ...announced });
		response.write(content.subarray(0, 250_000), () => response.destroy());
	};
}

/** Says which version of the file it is. */
const versioned =
	(version: object, answer: Answer): Answer =>
	(response, headers) => {
		response.setHeaders(new Map(Object.entries(version)));
		answer(response, headers);
	};

/** Breaks off in the middle, the first time; then there is another file of the same size, which says so. */
function replaced(before: object, after: object): Answer {
	const answers = [versioned(before, breakingOnce(whole)), versioned(after, withRanges)];
	return (response, headers) => {
		const [answer = whole] = answers.length > 1 ? answers.splice(0, 1) : answers;
		answer(response, headers);
	};
}

const whole: Answer = (response) => response.writeHead(200, { ...type, ...length }).end(content);

/** Begins an answer and does not go on. */
const stalling =
	(status: number): Answer =>
	(response) => {
		response.writeHead(status, { ...type, ...length, location: '/stalls/404' });
		response.write(content.subarray(0, 100_000));
	};

describe('File → Upload from an address', () => {
	const stage = Stage.forEachTest({ limits: { requests_per_second: 0 } });
	let host: FileServer;
	beforeEach(async () => {
		host = await startFileServer({
			'/clip.mp4': whole,
			'/latest': (response) => response.writeHead(302, { location: '/clip.mp4' }).end(),
			'/clip.mov': (response) => response.writeHead(302, { location: '/stored?id=17' }).end(),
			'/stored?id=17': whole,
			'/unmeasured': (response) => {
				response.writeHead(200, {
					...type,
					'content-disposition': `attachment; filename*=UTF-8''%C3%BCber.mp4`,
				});
				response.write(content.subarray(0, 1000));
				response.end(content.subarray(1000));
			},
			'/breaks/unmeasured': breakingOnce((response) => {
				response.writeHead(200, type).write(content.subarray(0, 1000));
				response.end(content.subarray(1000));
			}, {}),
			'/breaks/ever': (response) => {
				response.writeHead(200, type).write(content, () => response.destroy());
			},
			'/encoded-twice': (response, headers) => {
				const names = `filename="%C3%BCber.mp4"; filename*=utf-8''%25C3%25BCber.mp4`;
				response.setHeader('content-disposition', `attachment; ${names}`);
				whole(response, headers);
			},
			'/ranges/clip.mp4': withRanges,
			'/breaks/clip.mp4': replaced({ etag: '"a"' }, {}),
			'/breaks/whole.mp4': breakingOnce(whole),
			'/willing.mp4': (response, headers) => {
				const packs = /gzip|deflate|br/.test(String(headers['accept-encoding']));
				(packs ? packed(content, type['content-type']) : whole)(response, headers);
			},
			'/changes.mp4': breakingOnce((response) =>
				response.writeHead(200, { ...type, 'content-length': '5' }).end('other'),
			),
			'/replaced/a.mp4': replaced({ etag: '"a"' }, { etag: '"b"' }),
			'/replaced/b.mp4': replaced({ 'last-modified': EARLIER }, { 'last-modified': LATER }),
			'/breaks/versioned.mp4': replaced({ etag: '"a"' }, { etag: '"a"', 'last-modified': LATER }),
			'/packed.mp4': packed(content, type['content-type']),
			'/stalls/404': stalling(404),
			'/stalls/302': stalling(302),
			'/stalls/200': stalling(200),
			'/empty': (response) => response.writeHead(200, { ...type, 'content-length': '0' }).end(),
			'/huge': (response) => {
				response.writeHead(200, { ...type, 'content-length': String(250 * 1024 ** 2 + 1) });
				response.write('x');
			},
		});
	});
	afterEach(() => host.stop());

	const upload = async (path: string, upload_method = 'automatic') =>
		await stage.run(
			uploadForm({
				file_source: 'url',
				file_url: host.address + path,
				options: delivery({ upload_method, part_size_mb: 0.1, retry_for_seconds: 5 }),
			}),
		);

	it.each([
		['the file', '/clip.mp4', 'clip.mp4', 'multipart'],
		['the file', '/clip.mp4', 'clip.mp4', 'resumable'],
		['a file of unknown size', '/unmeasured', 'über.mp4', 'multipart'],
		['a file of unknown size', '/unmeasured', 'über.mp4', 'resumable'],
	])('streams %s through: %s as %s, with the upload method %s', async (_, path, name, method) => {
		const { items, error } = await upload(path, method);
		expect(error).toBeUndefined();
		const json = { type: 'video', file_name: name, size: content.length };
		expect(items).toMatchObject([{ json }]);
		expect(await receivedHashes(stage)).toEqual([hash]);
		expect(new Set(host.seen.map(({ authorization }) => authorization))).toEqual(
			new Set([undefined]),
		);
	});

	it.each([
		['/latest', 'clip.mp4'],
		['/clip.mov', 'clip.mov'],
		['/stored?id=17', 'file.mp4'],
		['/encoded-twice', 'über.mp4'],
	])('names what is found at %s %s', async (path, file_name) => {
		const { items } = await upload(path);
		expect(items).toMatchObject([{ json: { file_name } }]);
	});

	it.each(['/breaks/clip.mp4', '/breaks/whole.mp4', '/breaks/versioned.mp4'])(
		'resumes where reading %s broke off',
		async (path) => {
			const { items, error } = await upload(path, 'resumable');
			expect(error).toBeUndefined();
			expect(items).toMatchObject([{ json: { type: 'video' } }]);
			expect(await receivedHashes(stage)).toEqual([hash]);
			expect(host.seen.map(({ range }) => range)).toEqual([
				undefined,
				expect.stringMatching(/^bytes=\d+-$/),
			]);
		},
	);

	it('is done when the answer to the last part is lost, without reading the file again', async () => {
		await stage.fault({ origin: 'upload', method: 'POST' }, { cut: 'after' }, { after: 3 });
		const { items, error } = await upload('/ranges/clip.mp4', 'resumable');
		expect(error).toBeUndefined();
		expect(items).toMatchObject([{ json: { type: 'video' } }]);
		expect(await receivedHashes(stage)).toEqual([hash]);
		expect(host.seen).toHaveLength(1);
	});

	it('starts again with the upload method multipart when reading broke off', async () => {
		const { items, error } = await upload('/breaks/whole.mp4', 'multipart');
		expect(error).toBeUndefined();
		expect(items).toMatchObject([{ json: { type: 'video' } }]);
		expect(await receivedHashes(stage)).toEqual([hash]);
	});

	it('reads a file of unknown size again when reading broke off, before anything is uploaded', async () => {
		const { items, error } = await upload('/breaks/unmeasured');
		expect(error).toBeUndefined();
		expect(items).toMatchObject([{ json: { size: content.length } }]);
		expect(await receivedHashes(stage)).toEqual([hash]);
		expect(host.seen).toHaveLength(2);
	});

	it('says what to do when a file of unknown size breaks off time and again', async () => {
		const { error } = await upload('/breaks/ever');
		expect(error).toMatchObject({
			message: expect.stringContaining('broke off'),
			description:
				'Run again. The address may also have expired: get it again, or the message that it comes from.',
		});
		expect(host.seen).toHaveLength(3);
	});

	it.each([
		['/changes.mp4', CHANGED],
		['/replaced/a.mp4', CHANGED],
		['/replaced/b.mp4', CHANGED],
		['/missing', 'The address of the file answered with status 404'],
	])('reports %s as an error', async (path, message) => {
		const { error } = await upload(path, 'resumable');
		expect(error).toMatchObject({ message, description: expect.stringMatching(/./) });
	});

	it('asks for a file as it is where its host would compress it for others', async () => {
		const { error } = await upload('/willing.mp4');
		expect(error).toBeUndefined();
		expect(await receivedHashes(stage)).toEqual([hash]);
	});

	it.each(['multipart', 'resumable'])(
		'uploads no part of a file that its host compresses, with the upload method %s',
		async (method) => {
			const { error } = await upload('/packed.mp4', method);
			expect(error).toMatchObject({
				message: 'The file at the address is longer than its host announced',
				description: expect.stringContaining('HTTP Request node'),
			});
			expect(await receivedHashes(stage)).toEqual([]);
		},
	);

	it.each([
		['/empty', /^The file \S+ is empty$/],
		['/huge', /^The file \S+ is too large: 250 MB \(262144001 bytes\)/],
	])('refuses %s before anything is uploaded', async (path, message) => {
		const { error } = await upload(path);
		expect(error?.message).toMatch(message);
		expect(await uploadRequests(stage)).toEqual([]);
		await host.left();
	});

	it.each<[string, string, INodeParameters]>([
		['/stalls/404', 'The address of the file answered with status 404', {}],
		['/stalls/302', 'The address of the file answered with status 404', {}],
		[
			'/stalls/200',
			'Media Type is not one of its choices: photo',
			{ media_type: '={{ "photo" }}' },
		],
		[
			'/stalls/200',
			'File Name is an object or a list, not a text',
			{ options: { file_name: '={{ ({}) }}' } },
		],
	])('leaves no connection to %s open after: %s', async (path, message, parameters) => {
		const file_url = host.address + path;
		const { error } = await stage.run(uploadForm({ file_source: 'url', file_url, ...parameters }));
		expect(error?.message).toBe(message);
		await host.left();
	});

	it('opens only http and https', async () => {
		const file_url = 'file:///etc/passwd';
		const { error } = await stage.run(uploadForm({ file_source: 'url', file_url }));
		expect(error?.message).toBe(`File URL is not an address of a file: ${file_url}`);
	});
});
