import { announcedFile, safeFileName } from '../../../nodes/BotMessaging/files/fileName';

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
		['\ud800x\udc00.pdf', '_x_.pdf'],
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
		[{ 'content-disposition': 'inline; FileName=plain.pdf ; size=3' }, 'plain.pdf'],
		[{ 'content-disposition': 'inline; filename="über.pdf"' }, 'über.pdf'],
		// What Node makes of the bytes of UTF-8.
		[{ 'content-disposition': 'inline; filename="Ð¦ÐµÐ½Ð°.pdf"' }, 'Цена.pdf'],
		[
			{ 'content-disposition': 'inline; filename="%C3%BC.pdf"; filename*=utf-8\'\'%25C3%25BC.pdf' },
			'ü.pdf',
		],
		[{ 'content-disposition': 'inline; filename="%C3%BC.pdf"' }, 'ü.pdf'],
		[{ 'content-disposition': 'inline; filename="50% off.pdf"' }, '50% off.pdf'],
		[{ 'content-disposition': "inline; filename*=utf-8''100%25.pdf" }, '100%.pdf'],
		[{}, 'from path.pdf'],
		[{ 'content-disposition': 'attachment' }, 'from path.pdf'],
	])('is read from the headers %j', (headers, fileName) => {
		const url = 'https://example.com/x/from%20path.pdf?y=z.html';
		expect(announcedFile(url, { url, headers })).toMatchObject({ fileName });
	});

	it('is the fallback if none is announced', () => {
		const headers = { 'content-length': '12', 'content-type': 'IMAGE/PNG ; charset=x' };
		const url = 'https://example.com/v1.2-get?id=1';
		expect(announcedFile(url, { url, headers }, 'image')).toEqual({
			fileName: 'image.png',
			mimeType: 'image/png',
			size: 12,
		});
	});
});
