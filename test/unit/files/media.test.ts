import { announcedFile, safeFileName } from '../../../nodes/BotMessaging/files/fileName';
import { attachmentRequest } from '../../../nodes/BotMessaging/form/attachmentList';
import { MEDIA, mediaTypeOf, readableSize } from '../../../nodes/BotMessaging/files/media';
import {
	readUploadAnswer,
	storedBytes,
	tokenInUrl,
} from '../../../nodes/BotMessaging/files/upload/transfer';
import { partSize } from '../../../nodes/BotMessaging/files/upload/resumable';

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

describe('A file name', () => {
	it.each([
		['report.pdf', 'report.pdf'],
		['  Отчёт "А".pdf ', 'Отчёт "А".pdf'],
		['a/b\\c.pdf', 'a_b_c.pdf'],
		['..', 'file'],
		['', 'file'],
		['...\n', 'file'],
		['nul\u0000.pdf', 'nul_.pdf'],
		['hidden\u202efdp.exe', 'hidden_fdp.exe'],
		['\ud800x.pdf', '_x.pdf'],
		['👍🏽.pdf', '👍🏽.pdf'],
	])('%j becomes %j', (name, safe) => expect(safeFileName(name)).toBe(safe));

	it.each([
		['keeps its extension', `${'ü'.repeat(500)}.pdf`, 'ü.pdf'],
		['keeps nothing after a dot that starts no extension', `v1.${'ü'.repeat(500)}`, 'ü'],
	])('is cut to 200 characters and %s', (_, name, ending) => {
		const safe = safeFileName(name);
		expect([...safe]).toHaveLength(200);
		expect(safe.endsWith(ending)).toBe(true);
	});

	it.each([
		[{ 'content-disposition': 'attachment; filename="a \\"b\\".pdf"' }, 'a "b".pdf'],
		[{ 'content-disposition': "inline; filename=x.pdf; filename*=UTF-8''%C3%BC.pdf" }, 'ü.pdf'],
		[{ 'content-disposition': 'inline; filename=plain.pdf' }, 'plain.pdf'],
		[{}, 'from path.pdf'],
		[{ 'content-disposition': 'attachment' }, 'from path.pdf'],
	])('is read from the headers %j', (headers, fileName) => {
		const url = 'https://example.com/x/from%20path.pdf?y=z.html';
		expect(announcedFile(url, headers)).toMatchObject({ fileName });
	});

	it('is the fallback if none is announced, and a compressed length is ignored', () => {
		const headers = { 'content-length': '12', 'content-encoding': 'gzip' };
		expect(announcedFile('https://example.com/get?id=1', headers, 'image')).toEqual({
			fileName: 'image',
			mimeType: undefined,
			size: undefined,
		});
	});
});

describe('The answer to an upload', () => {
	it.each([
		['{"token":"T","fileId":9007199254740993}', { token: 'T', fileId: '9007199254740993' }],
		['{"photos":{"a+/=":{"token":"T"}}}', { token: 'T' }],
		['{"photos":[{"token":"T"}]}', { token: 'T' }],
		['{"payload":{"token":"T"}}', { token: 'T' }],
		['<?xml version="1.0"?><retval>1</retval>', {}],
		['<retval>1</retval>', {}],
		['0-9/10', {}],
		['', {}],
		['{"error_code":5,"error_data":"Bad photo"}', { refusal: 'Bad photo' }],
		['{"error_code":"upload.denied"}', { refusal: 'upload.denied' }],
		[
			'<!DOCTYPE html><title>Log in</title>',
			{ refusal: 'The upload host answered with a web page' },
		],
	])('%s is understood', (body, expected) => {
		const { token, fileId, refusal } = readUploadAnswer(body);
		expect({ token, fileId, refusal: refusal?.message }).toEqual({
			token: undefined,
			fileId: undefined,
			refusal: undefined,
			...expected,
		});
	});

	it('has the token of an image in the URL', () => {
		expect(tokenInUrl('https://up.example/i?id=1&token=a%2Bb%3D')).toBe('a+b=');
		expect(tokenInUrl('https://up.example/i?id=1')).toBeUndefined();
		expect(tokenInUrl('no url')).toBeUndefined();
	});

	it.each([
		['0-0/10', 1],
		['0-9/10', 10],
		[' 0-4/10\n', 5],
		['0-10/10', undefined],
		['0-4/11', undefined],
		['1-4/10', undefined],
		['0--1/10', undefined],
		['<html>', undefined],
	])('%j says how many of 10 bytes are stored', (range, stored) => {
		expect(storedBytes(range, 10)).toBe(stored);
	});
});

describe('The size of a part', () => {
	it('is the requested one unless a file would take more than 1000 parts', () => {
		expect(partSize(10 ** 9, 32 * 2 ** 20)).toBe(32 * 2 ** 20);
		const small = partSize(4 * 2 ** 30, 1);
		expect(Math.ceil((4 * 2 ** 30) / small)).toBeLessThanOrEqual(900);
		expect(partSize(1, 0.2)).toBe(1);
	});
});

describe('An attachment to send', () => {
	it.each([
		[{ type: 'image', payload: { photo_id: 1, token: 'T', url: 'https://x/' } }, { token: 'T' }],
		[{ type: 'image', payload: { url: 'https://x/' } }, { url: 'https://x/' }],
		[
			{ type: 'image', payload: { photos: { k: { token: 'T' } } } },
			{ photos: { k: { token: 'T' } } },
		],
		[{ type: 'video', token: 'T', size: 5, file_name: 'a.mp4' }, { token: 'T' }],
		[
			{ type: 'file', payload: { token: 'T', url: 'https://x/' }, filename: 'a', size: 1 },
			{ token: 'T' },
		],
		[{ type: 'sticker', payload: { code: 'c', url: 'https://x/' }, width: 1 }, { code: 'c' }],
		[{ type: 'share', payload: { url: 'https://x/', token: 'T' } }, { url: 'https://x/' }],
		[{ type: 'contact', payload: { vcf_info: 'V', hash: 'h' } }, { vcf_info: 'V' }],
		[{ type: 'inline_keyboard', callback_id: 'c', payload: { buttons: [[]] } }, { buttons: [[]] }],
	])('is made from %j', (given, payload) => {
		expect(attachmentRequest(given)).toEqual({ type: given.type, payload });
	});

	it('leaves a location unchanged', () => {
		const location = { type: 'location', latitude: 1.5, longitude: -2 };
		expect(attachmentRequest(location)).toEqual(location);
	});

	it.each([
		[{ type: 'image', payload: {} }],
		[{ type: 'hologram', payload: { x: 1 } }],
		[{ type: 'constructor', payload: { x: 1 } }],
		['text'],
		[null],
		[{ payload: { token: 'T' } }],
	])('is left to the service to judge: %j', (given) => {
		expect(attachmentRequest(given)).toEqual(given);
	});
});
