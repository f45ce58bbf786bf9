import { readFileSync } from 'node:fs';
import { join } from 'node:path';

test('The CHANGELOG says nothing twice: no two entries of a version begin with the same words', () => {
	const text = readFileSync(join(__dirname, '../../CHANGELOG.md'), 'utf8');
	for (const version of text.split(/^## /m).slice(1)) {
		const entries = [...version.matchAll(/^- (.+)$/gm)].map(([, entry = '']) => entry);
		const beginnings = entries.map((entry) => entry.split(' ').slice(0, 6).join(' '));
		const repeated = beginnings.filter((words, index) => beginnings.indexOf(words) !== index);
		expect(repeated).toEqual([]);
	}
});
