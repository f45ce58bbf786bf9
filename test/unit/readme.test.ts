import { catalogue } from '../../nodes/BotMessaging/actions/catalogue';
import { readReadme, withTables } from '../support/readme';

test('The tables of the README are those of the code (else: npx tsx test/support/readme.ts)', () => {
	const readme = readReadme();
	expect(withTables(readme)).toBe(readme);
});

test('Every operation stands in the README', () => {
	const readme = readReadme();
	const missing = catalogue
		.flatMap(({ operations }) => operations)
		.filter(({ description }) => !readme.includes(description));
	expect(missing).toEqual([]);
});

test('A README without the markers is refused', () => {
	expect(() => withTables('# Bot Messaging')).toThrow('lacks <!-- operations:start -->');
});
