import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import type { INodeParameters } from 'n8n-workflow';
import { endless, packed, startFileServer, type Answer, type FileServer } from './fileServer';
import { waitFor } from '../support/wait';
import { readBinary } from './support/binary';
import { Stage } from './support/stage';

/** Bytes of endless files that were written. */
let written = 0;

const zeros = endless(Buffer.alloc(65_536), () => {
	written += 65_536;
});

const broken: Answer = (response) => {
	response.writeHead(200, { 'content-length': '1000' });
	response.write('half of it', () => response.destroy());
};

const photo: Answer = (response) =>
	response.writeHead(200, { 'content-type': 'image/jpeg' }).end('photo');

const LONG = 'photo'.repeat(100);

/** Gives these answers in turn, and then always the last one. */
const inTurn = (...answers: Answer[]): Answer => {
	let next = 0;
	return (...request) => answers[Math.min(next++, answers.length - 1)]?.(...request);
};

const busy: Answer = (response) => response.writeHead(503).end();
const silent: Answer = (response) => response.destroy();

describe('Message → Download Attachments from any host', () => {
	const stage = Stage.forEachTest();
	let host: FileServer;
	beforeEach(async () => {
		host = await startFileServer({
			'/endless': zeros,
			'/mute': () => undefined,
			'/nowhere': (response) => response.writeHead(302, { location: 'http://[' }).end(),
			'/broken': broken,
			'/moved': (response) => response.writeHead(302, { location: '/photo' }).end(),
			'/written': (response) =>
				response.writeHead(302, { location: Buffer.from('/отчёт.pdf').toString('latin1') }).end(),
			[encodeURI('/отчёт.pdf')]: photo,
			'/round': (response) => response.writeHead(302, { location: '/round' }).end(),
			'/photo': photo,
			'/busy': inTurn(busy, silent, photo),
			'/cut': inTurn(broken, photo),
			'/down': busy,
			'/packed': packed(LONG, 'image/jpeg'),
			'/part': (response) => response.writeHead(206).end('half of it'),
			'/strange': (response) =>
				response.writeHead(200, { 'content-type': 'constructor' }).end('photo'),
		});
	});
	afterEach(() => host.stop());

	const download = (payload: Record<string, string>, options: INodeParameters = {}) =>
		stage.run(
			{ resource: 'message', operation: 'downloadAttachments', options },
			{ items: [{ json: { attachments: [{ type: 'image', payload }] } }] },
		);

	it('adds no file extension for an invalid MIME type', async () => {
		const { items } = await download({ url: `${host.address}/strange` });
		expect(items[0]?.binary?.attachment_0?.fileName).toBe('image');
	});

	it('follows redirects, sends no token and names a file that has no name', async () => {
		const { items } = await download({ url: `${host.address}/moved` });
		const binary = items[0]?.binary?.attachment_0;
		expect(binary).toMatchObject({ fileName: 'image.jpg', mimeType: 'image/jpeg' });
		expect(String(await readBinary(binary!))).toBe('photo');
		expect(host.seen.map(({ authorization }) => authorization)).toEqual([undefined, undefined]);
	});

	it('follows a redirect whose address is not percent-encoded, as browsers do', async () => {
		const { items } = await download({ url: `${host.address}/written` });
		expect(items[0]?.binary?.attachment_0).toMatchObject({ fileName: 'отчёт.pdf' });
	});

	it('takes a file that its host compresses', async () => {
		const { items, error } = await download({ url: `${host.address}/packed` });
		expect(error).toBeUndefined();
		expect(String(await readBinary(items[0]!.binary!.attachment_0!))).toBe(LONG);
	});

	it.each(['/busy', '/cut'])('recovers from temporary faults: %s', async (path) => {
		const { items, error } = await download({ url: host.address + path });
		expect(error).toBeUndefined();
		expect(String(await readBinary(items[0]!.binary!.attachment_0!))).toBe('photo');
	});

	it('reports a fault of the host that persists', async () => {
		const { error } = await download({ url: `${host.address}/down` });
		expect(error).toMatchObject({
			message: 'The address of the image answered with status 503',
			description: 'Its host has a fault at the moment. Run again later.',
		});
	});

	it.each([
		['/endless', { size_limit_mb: 1 }, /larger than the limit of 1 MB/],
		['/broken', {}, /broke off/],
		['/missing', {}, /answered with status 404/],
		['/round', {}, /answered with status 302/],
		['/part', {}, /answered with status 206/],
		['/nowhere', {}, /answered with status 302/],
	])('reports %s as an error', async (path, options, message) => {
		const { error } = await download({ url: host.address + path }, options);
		expect(error?.message).toMatch(message);
		expect(error?.description).toMatch(/./);
	});

	it('reports a file that n8n cannot store, and requests it only once', async () => {
		const reason = 'Failed to write binary file because its size exceeds the max size limit';
		jest
			.spyOn(Container.get(BinaryDataService), 'store')
			.mockImplementationOnce(async (_, content) => {
				expect(await text(Readable.from(content))).toBe('photo');
				throw new Error(reason);
			});
		const { error } = await download({ url: `${host.address}/photo` });
		expect(error?.message).toBe(`n8n could not store the file image.jpg: ${reason}`);
		expect(error?.description).toContain('Raise the limit of n8n');
		expect(host.seen).toHaveLength(1);
	});

	it.each([
		['/endless', 50_000_000],
		['/mute', 0],
	])('ends when the execution is stopped during %s', async (path, most) => {
		written = 0;
		const run = download({ url: host.address + path });
		// More than a connection holds has been taken, or nothing has come yet.
		const isDuring = () => host.seen.length > 0 && written >= most;
		await waitFor(isDuring, { what: 'the middle of the download' });
		run.cancel();
		const { status, error } = await run;
		expect(status).toBe('canceled');
		expect(error?.message).toBe('The execution was stopped');
		await host.left();
	});

	it.each(['file:///etc/passwd', 'ftp://127.0.0.1/x', 'data:text/plain,x', 'nonsense'])(
		'does not open %s',
		async (url) => {
			const { error } = await download({ url });
			expect(error?.message).toContain('Not an address of a file');
		},
	);

	it('reports an attachment without an address, and a host that cannot be reached', async () => {
		const none = await download({});
		expect(none.error?.message).toBe('The image has no address to download it from');
		for (const token of [undefined, null, '', '..', '\ud83d']) {
			const attachments = [{ type: 'video', payload: { url: 'https://video.example/9', token } }];
			const { error } = await stage.run(
				{ resource: 'message', operation: 'downloadAttachments' },
				{ items: [{ json: { attachments } }] },
			);
			expect(error?.message).toBe('The video has no address to download it from');
		}
		expect(await stage.control.journal({ kind: 'request' })).toEqual([]);
		const closed = await download({ url: 'http://127.0.0.1:9/x' });
		expect(closed.error?.message).toContain('ECONNREFUSED');
	});
});
