import {
	checkUpload,
	MEDIA,
	mediaTypeOf,
	readableSize,
} from '../../../nodes/BotMessaging/files/media';
import { nodeOf } from '../../support/node';

describe('The kind of media', () => {
	it.each([
		['image/jpeg', 'a', 'image'],
		['image/PNG ; q=1', 'a', 'image'],
		['image/heic', 'a', 'image'],
		['image/svg+xml', 'a.svg', 'file'],
		['image/webp', 'a.webp', 'file'],
		['video/mp4', 'a', 'video'],
		['video/x-matroska', 'a', 'video'],
		['video/x-msvideo', 'a.avi', 'file'],
		['audio/ogg', 'a', 'audio'],
		['application/pdf', 'a.mp4', 'file'],
		['application/octet-stream', 'Clip.MOV', 'video'],
		['', 'song.mp3', 'audio'],
		['binary/octet-stream', 'a.wav', 'audio'],
		['', 'photo.png.exe', 'file'],
	])('of %j named %j is %s', (mimeType, fileName, type) => {
		expect(mediaTypeOf(mimeType, fileName)).toBe(type);
	});

	it('has the limit that the interface states', () => {
		expect(MEDIA.map(({ type, maxBytes }) => [type, maxBytes / 1024 ** 2])).toEqual([
			['image', 50],
			['video', 250],
			['audio', 256],
			['file', 4096],
		]);
	});

	it.each([
		[0, '0 bytes'],
		[1023, '1023 bytes'],
		[1536, '1.5 KB'],
		[50 * 1024 ** 2, '50 MB'],
		[4 * 1024 ** 3, '4 GB'],
		[2 ** 45, '32768 GB'],
	])('writes %d bytes as %s', (bytes, text) => expect(readableSize(bytes)).toBe(text));
});

const context = { getNode: () => nodeOf() };

describe.each(MEDIA)('A file to be sent as $type', ({ type, name, maxBytes }) => {
	const limit = readableSize(maxBytes);
	const check = (size: number) => () => checkUpload(context, type, { fileName: 'a/b.bin', size });

	it('is accepted with one byte and with exactly the limit', () => {
		expect(check(1)).not.toThrow();
		expect(check(maxBytes)).not.toThrow();
	});

	it('is refused with one byte more, with its size, the limit and what to do', () => {
		expect(check(maxBytes + 1)).toThrow(
			expect.objectContaining({
				message: `The file a_b.bin is too large: ${limit} (${maxBytes + 1} bytes), and the limit of ${name} is ${limit}`,
				description: expect.stringContaining(
					type === 'file' ? 'split it' : "'Media Type' → 'File'",
				),
			}),
		);
	});

	it('is refused when it is empty', () => {
		expect(check(0)).toThrow('The file a_b.bin is empty');
	});
});
