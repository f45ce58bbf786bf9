import { decodeEntities, unescapeMarkdown } from '../../../nodes/BotMessaging/text/entities';

test.each([
	['&#65;&#x42;&#X1f600;', 'AB😀'],
	['&#1;&#55295;&#xE000;&#x10ffff;', '\u0001\ud7ff\ue000\u{10ffff}'],
	['&#0; &#xd800; &#57343; &#x110000; &#99999999;', undefined],
	['&amp;&lt;&gt;&quot;&apos;', '&<>"\''],
	['&nbsp;&copy;&Eacute;&eacute;&yuml;', '\u00a0©Éé\u00ff'],
	['&rarr;&hellip;&euro;&thinsp;&zwnj;&bsol;', '→…€\u2009\u200c\\'],
	['&nope; &amp &; &#; &#x; &#xg; a & b', undefined],
])('%s is read as the characters it stands for; unknown ones stay', (source, decoded = source) => {
	expect(decodeEntities(source)).toBe(decoded);
});

test.each([
	['https://x.org/a\\_b\\(1\\)', 'https://x.org/a_b(1)'],
	['https://x.org/?a=1&amp;b=&#50;&copy=3', 'https://x.org/?a=1&b=2&copy=3'],
	['https://x.org/\\a\\1', 'https://x.org/\\a\\1'],
])('The Markdown address %s is read without its escapes', (source, address) => {
	expect(unescapeMarkdown(source)).toBe(address);
});
