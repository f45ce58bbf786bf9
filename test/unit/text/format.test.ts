import { FormattedText } from '../../../nodes/BotMessaging/text/format';

describe('Markdown whose HTML exceeds the limit of a message', () => {
	const text = new FormattedText('`b` *c* **d** [e](https://x.example)', 'markdown');

	test.each([
		[66, '<code>b</code> <i>c</i> <b>d</b> <a href="https://x.example">e</a>'],
		[65, 'b <i>c</i> <b>d</b> <a href="https://x.example">e</a>'],
		[52, 'b c <b>d</b> <a href="https://x.example">e</a>'],
		[45, 'b c d <a href="https://x.example">e</a>'],
	])('keeps the more important marks: %d code units', (limit, html) => {
		expect(text.whole(limit)).toEqual({ text: html, format: 'html' });
	});

	test.each([
		[48, { text: '<h1>a</h1>\n\n<blockquote>b</blockquote>\n\n<s>c</s>', format: 'html' }],
		[47, { text: '<h1>a</h1>\n\n<blockquote>b</blockquote>\n\nc', format: 'html' }],
		[40, { text: 'a\n\nb\n\nc' }],
	])('keeps the marks of blocks longer than those of words: %d code units', (limit, whole) => {
		expect(new FormattedText('# a\n\n> b\n\n~~c~~', 'markdown').whole(limit)).toEqual(whole);
	});

	test('is sent as plain text if there is no room for any mark', () => {
		expect(text.whole(38)).toEqual({ text: 'b c d e' });
	});
});
