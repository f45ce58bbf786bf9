import { MEDIA, mediaTypeOf, readableSize } from '../../../nodes/BotMessaging/files/media';

describe('The kind of media', () => {
	it.each([
		['image/jpeg', 'a', 'image'],
		['image/PNG; q=1', 'a', 'image'],
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
		['', 'noending', 'file'],
	])('of %j named %j is %s', (mimeType, fileName, type) => {
		expect(mediaTypeOf(mimeType, fileName)).toBe(type);
	});

	it('has the limit that the interface states', () => {
		const limits = MEDIA.map(({ type, maxBytes, limit }) => [type, maxBytes / 1024 ** 2, limit]);
		expect(limits).toEqual([
			['image', 50, '50 MB'],
			['video', 250, '250 MB'],
			['audio', 256, '256 MB'],
			['file', 4096, '4 GB'],
		]);
	});

	it.each([
		[0, '0 bytes'],
		[1023, '1023 bytes'],
		[1536, '1.5 KB'],
		[4 * 1024 ** 3, '4.0 GB'],
		[2 ** 45, '32768.0 GB'],
	])('writes %d bytes as %s', (bytes, text) => expect(readableSize(bytes)).toBe(text));
});
